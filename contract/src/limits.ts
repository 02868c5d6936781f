// The numbers of the wire. Every limit an outsider can meet is here, with its unit last in the name.

/** Largest request body in bytes; above it the answer is 413. */
export const bodyBytesMax = 256 * 1024;
/** Deepest nesting of a request body; unknown members may nest, but not without end. */
export const bodyDepthMax = 32;
/** Longest eventId, in Unicode characters. */
export const eventIdCharsMax = 200;
/** Characters kept of a message; a longer one is cut with a marker, never refused. */
export const messageCharsMax = 8_192;
/** Characters kept of a stack trace; a longer one is cut with a marker, never refused. */
export const stackTraceCharsMax = 131_072;
/** Characters of a stack trace in the event list and the feed; the receipt has all that was kept. */
export const listedStackCharsMax = 2_000;
/** How far an event's own time may lie from its arrival before the launcher acts on the arrival instead. */
export const clockDriftMsMax = 10_000;
/** A binding waits this long for an answer. */
export const requestTimeoutMs = 5_000;
/** A binding holds this many requests in flight or waiting; the newest beyond that is dropped. */
export const requestsPendingMax = 64;
/** A binding may hold up a quitting game this long in total, and only while something is pending. */
export const quitFlushMsMax = 250;
/** Events returned by one page of the event list. */
export const eventsPageMax = 500;
/** Clips returned by one page of the clip list. */
export const clipsPageMax = 200;
/** Tags of one clip. */
export const clipTagsMax = 20;
/** Characters of one tag. */
export const clipTagCharsMax = 40;
/** Files made of clips for a target that are kept track of. */
export const clipExportsMax = 50;
/** Issues returned by one page of the issue list. */
export const issuesPageMax = 200;
/** Characters of the note a person writes on an issue. */
export const issueNoteCharsMax = 10_000;
/** Notices returned by one page of the notice list. */
export const noticesPageMax = 100;
/** Games whose notices may be kept quiet. */
export const quietGamesMax = 100;
/** Servers that reports are sent on to. */
export const forwardTargetsMax = 8;
/** Headers of requests to a collector. */
export const forwardHeadersMax = 20;
/** Accounts that posts go to. */
export const accountsMax = 20;
/** Characters of one field of an account. */
export const accountFieldCharsMax = 2_000;
/** Rules that make posts of social triggers. */
export const postRulesMax = 200;
/** Characters of a post's text; each network takes fewer or as many. */
export const postTextCharsMax = 5_000;
/** Characters of what footage shows, in words. */
export const altTextCharsMax = 1_500;
/** Characters of a content warning. */
export const contentWarningCharsMax = 200;
/** Posts returned by one page of the list. */
export const postsPageMax = 100;
/** Sessions returned by one page of the list. */
export const sessionsPageMax = 100;
/** Entries in one part of a session's timeline. */
export const timelineEntriesMax = 5_000;
/** A timeline names stretches without anything from this length on. */
export const timelineGapMsMin = 120_000;
/** Sessions of a game that an issue is looked for in. */
export const sessionsComparedMax = 20;
/** Characters of the last lines a game wrote before it died. */
export const runOutputCharsMax = 32_768;
/** Characters of the name a person gives a game. */
export const gameNameCharsMax = 80;
/** Characters of the words a person has for an event. */
export const eventLabelCharsMax = 80;
/** Characters of a text for posts that a game's `kit.events.json` proposes. */
export const proposedPostCharsMax = 500;
/** Event ids in a game's `kit.events.json`. */
export const eventsFileIdsMax = 500;
/** Moments that a preview of a recording rule looks back at. */
export const rulePreviewMomentsMax = 200;
/** Bytes of a game's cover picture. */
export const coverBytesMax = 180_000;
/** Backups a person made that are kept. */
export const ownBackupsMax = 10;
/** The port every binding sends to unless it is told otherwise. */
export const defaultPort = 9876;
