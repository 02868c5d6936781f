// The limits of the HTTP API. Each name ends with the unit, if there is one, and Max or Min.

/** Maximum size of a request body. Larger bodies are answered with 413. */
export const bodyBytesMax = 256 * 1024;
/** Maximum nesting depth of the JSON in a request body, including members that the schema does not know. */
export const bodyDepthMax = 32;
/** Maximum length of an event id, in Unicode characters. */
export const eventIdCharsMax = 200;
/** Maximum stored characters of an event's message. A longer message is cut and marked as cut, never refused. */
export const messageCharsMax = 8_192;
/** Maximum stored characters of a stack trace. A longer one is cut and marked as cut, never refused. */
export const stackTraceCharsMax = 131_072;
/** Maximum characters of a stack trace in the event list and the live feed. The receipt has all stored characters. */
export const listedStackCharsMax = 2_000;
/** If an event's timestamp differs from its arrival by more than this, the launcher uses the arrival time. */
export const clockDriftMsMax = 10_000;
/** How long a binding waits for a response. */
export const requestTimeoutMs = 5_000;
/** Maximum requests that a binding has in flight or queued at a time. The binding drops any further ones. */
export const requestsPendingMax = 64;
/** How long a binding may delay a game that quits, in total. It delays the game only while requests are pending. */
export const quitFlushMsMax = 250;
/** Maximum uncaught errors that a binding reports in any second, if the game lets it report them. It counts further ones. */
export const uncaughtPerSecondMax = 10;
/** Maximum events per page. */
export const eventsPageMax = 500;
/** Maximum clips per page. */
export const clipsPageMax = 200;
/** Maximum parts of a reel. */
export const reelPartsMax = 50;
/** Maximum tags per clip. */
export const clipTagsMax = 20;
/** Maximum length of a tag. */
export const clipTagCharsMax = 40;
/** Maximum clip exports in a list. */
export const clipExportsMax = 50;
/** Maximum issues per page. */
export const issuesPageMax = 200;
/** Maximum length of the note on an issue. */
export const issueNoteCharsMax = 10_000;
/** Maximum alerts per page. */
export const noticesPageMax = 100;
/** Maximum games whose alerts a person can silence. */
export const quietGamesMax = 100;
/** Maximum characters of a build, such as 1.4.2. A longer one is cut. */
export const buildCharsMax = 100;
/** Maximum forwarding targets. */
export const forwardTargetsMax = 8;
/** Changes of switches that are kept of each forwarding target. */
export const forwardDecisionsMax = 20;
/** Maximum videos of errors that a forwarding target gets within 24 hours. */
export const forwardedVideosPerDayMax = 20;
/** Maximum headers that a person can add to the requests of a forwarding target. */
export const forwardHeadersMax = 20;
/** How many requests to each target are kept, so that a person can see what was sent, and how many characters of each. */
export const sentRequestsMax = 50;
export const sentRequestCharsMax = 65_536;
/** Maximum characters of a studio's own words in an invitation. */
export const invitationTextMax = 2_000;
/** Maximum characters of the link or file of an invitation. */
export const invitationCharsMax = 100_000;
/** Maximum accounts for posts. */
export const accountsMax = 20;
/** Maximum length of an account field. */
export const accountFieldCharsMax = 2_000;
/** Maximum post rules. */
export const postRulesMax = 200;
/** Maximum length of a post's text. Networks may accept less. */
export const postTextCharsMax = 5_000;
/** The shortest part of a clip that a post can carry, in seconds. */
export const postPartSecondsMin = 0.5;
/** Maximum length of an alternative text. */
export const altTextCharsMax = 1_500;
/** Maximum length of a content warning. */
export const contentWarningCharsMax = 200;
/** Maximum posts per page. */
export const postsPageMax = 100;
/** Maximum sessions per page. */
export const sessionsPageMax = 100;
/** Maximum entries per page of a timeline. */
export const timelineEntriesMax = 5_000;
/** Shorter gaps are left out of a timeline. */
export const timelineGapMsMin = 120_000;
/** How many of a game's most recent sessions a timeline searches for the same issue. */
export const sessionsComparedMax = 20;
/** Maximum stored characters of a crashed game's output. Only its last lines are stored. */
export const runOutputCharsMax = 32_768;
/** Maximum length of a game's display name. */
export const gameNameCharsMax = 80;
/** Maximum length of an event's label. */
export const eventLabelCharsMax = 80;
/** Maximum length of a post text that a `kit.events.json` proposes. */
export const proposedPostCharsMax = 500;
/** Maximum event ids in a `kit.events.json`. */
export const eventsFileIdsMax = 500;
/** Maximum past moments in the preview of a recording rule. */
export const rulePreviewMomentsMax = 200;
/** Maximum size of a game's cover. */
export const coverBytesMax = 180_000;
/** The smallest space for all clips. */
export const quotaBytesMin = 100_000_000;
/** Maximum width and height of a game's cover. */
export const coverSideMax = 8_192;
/** Maximum backups made by a person. After another one is made, the oldest is deleted. */
export const manualBackupsMax = 10;
/** The default port of the launcher. */
export const defaultPort = 9876;
