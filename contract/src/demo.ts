// Names of the demo: a small game on a page of the dashboard, which shows every feature without an engine.

/** All event ids of the demo begin with this, so that the demo counts as one game, which a user can wipe. */
export const demoGame = "kit_demo";
export const demoGameName = "Kit's demo";
/** Name of the demo's account. Kit sends its posts to nobody. */
export const demoAccountName = "Kit's demo (stays on this machine)";
/** The demo's social event id. Its post rule is tried before all others. */
export const demoSocialId = `${demoGame}_high_score`;
