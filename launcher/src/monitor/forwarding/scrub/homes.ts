// Home directories, as the systems write them, in URLs and encoded too: the way to a player's files names the player.

/** A separator of a path: plain, doubled as in JSON, or percent-encoded once or twice. */
const slash = "(?:[\\\\/]|%(?:25)?(?:2f|5c)){1,4}";
const notEncodedSlash = "(?!%(?:25)?(?:2f|5c))";
const plainName = `(?:${notEncodedSlash}[^\\s\\\\/:*?"'\`<>|()\\[\\]{},;&]){1,64}`;
/** Names of accounts on Windows hold blanks; only what goes on as a path tells where such a name ends. */
const spacedName = `(?:${notEncodedSlash}[^\\t\\r\\n\\\\/:*?"'\`<>|]){1,64}(?=${slash})`;
const drive = "(?<![a-z])[a-z](?::|%(?:25)?3a)";
const windows = new RegExp(
  `${drive}${slash}(?:Users|Documents and Settings|Documents%20and%20Settings)${slash}(?:${spacedName}|${plainName})`,
  "gi",
);
/** Not inside a word, a web address or a path of the engine's own. */
const outside = `(?<![\\w.~)\\]\\\\/-]|(?:https?|res|user|uid):)|(?<=%(?:25)?(?:3a|3d|22|20|28))`;
const unix = new RegExp(
  `(?:${outside})${slash}(?:(?:var|export|usr|Volumes|mnt|media|cygdrive|[a-z])${slash}){0,2}(?:home|Users)${slash}${plainName}`,
  "gi",
);
/** Of another machine, as Windows names it. */
const shared = new RegExp(
  `(?<![\\w\\\\])\\\\{2,4}[\\w.$-]{1,64}(?:${slash}[\\w.$-]{1,64}){0,2}${slash}(?:Users|home)${slash}(?:${spacedName}|${plainName})`,
  "gi",
);
/** Root's. Godot's paths of nodes begin with `/root`, too; no name of a node has a dot. */
const ofFile = `(?=${slash}[^\\s:*?"'\`<>|()\\[\\]{},;&]{0,255}\\.\\w|${slash}\\.\\w)`;
const root = new RegExp(
  `(?:${outside})(?:(?:${slash}private)?${slash}var${slash}root(?![\\w.-])|${slash}root${ofFile})`,
  "gi",
);

export const withoutHomes = (text: string): string =>
  text.replace(windows, "~").replace(shared, "~").replace(unix, "~").replace(root, "~");
