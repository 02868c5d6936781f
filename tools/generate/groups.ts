// Groups the operations for the documentation, and describes who may call them.
import { type Access, type Operation, operations, sessionHeader } from "@kit/contract";

export type Group = { readonly title: string; readonly says: string; readonly operations: readonly Operation[] };

const declared = [
  {
    title: "Events from a game",
    says: "The three things a game says. Each is one POST that nobody has to wait for.",
    holds: /^\/api\/(recording\/trigger|monitor\/report|social\/trigger)$/,
  },
  {
    title: "Health",
    says: "Who answers on the port, how it is, and how to end it.",
    holds: /^\/api\/(health|stop)$/,
  },
  {
    title: "What became of the events",
    says: "Stored events, their receipts, requests that were refused, and everything live.",
    holds: /^\/api\/(events|refusals|feed)/,
  },
  {
    title: "Sessions",
    says: "One run of one game each, with all that happened in it.",
    holds: /^\/api\/sessions/,
  },
  {
    title: "Games and switches",
    says: "Which games there are, and what is switched on: by service, by game, by event id.",
    holds: /^\/api\/(games|rules|services)/,
  },
  {
    title: "The library of games",
    says: "What a person sees of each game, and how Kit starts one for them.",
    holds: /^\/api\/library/,
  },
  { title: "Clips", says: "What recording made of the moments a game named.", holds: /^\/api\/clips/ },
  { title: "Reels", says: "Several clips in one file.", holds: /^\/api\/reels/ },
  {
    title: "Copies of clips",
    says: "Made to fit where a person wants to put them by hand.",
    holds: /^\/api\/clip-exports/,
  },
  {
    title: "The recorder",
    says: "What it does now, how it is set, and what each event id makes of the screen.",
    holds: /^\/api\/(recorder|recording\/(save|mark)$)/,
  },
  { title: "Issues", says: "What the monitor made of error reports.", holds: /^\/api\/issues/ },
  { title: "Notices", says: "What is worth saying of issues, without being asked.", holds: /^\/api\/notices/ },
  {
    title: "Forwarding",
    says: "Servers that error reports are sent on to, where a person wants that.",
    holds: /^\/api\/(forwarding|invitations)/,
  },
  {
    title: "Posts",
    says: "What social triggers became, posts that a person makes of clips, and what a person decides on them.",
    holds: /^\/api\/post(s|-proposals)/,
  },
  {
    title: "Rules of posts",
    says: "What a person wants told of an event, in which words, and where.",
    holds: /^\/api\/post-(rules|settings)/,
  },
  { title: "Accounts", says: "Where posts go.", holds: /^\/api\/accounts/ },
  { title: "Consent of web pages", says: "Which web origins may send events.", holds: /^\/api\/origins/ },
  {
    title: "Packages of the bindings",
    says: "What a game's developer takes to put Kit into a game.",
    holds: /^\/api\/sdk$/,
  },
  {
    title: "Start with the system",
    says: "Whether the launcher starts when a person signs in, and whether the menu of the desktop has it.",
    holds: /^\/api\/(autostart|desktop-entry)$/,
  },
  {
    title: "What is kept",
    says: "What uses the disk, backups, an export of everything, and wiping it.",
    holds: /^\/api\/(usage|command-options|backups|aside|export$|wipe)/,
  },
  {
    title: "Session of the dashboard",
    says: "How a person's browser gets in.",
    holds: /^\/api\/(tickets$|session(\/|$))/,
  },
];

/** Groups of operations. Each operation is in exactly one group. */
export const groups: readonly Group[] = declared.map(({ title, says, holds }) => ({
  title,
  says,
  operations: operations.filter(({ path }) => holds.test(path)),
}));

for (const { id, path } of operations) {
  const count = declared.filter(({ holds }) => holds.test(path)).length;
  if (count !== 1) throw new Error(`${id} (${path}) is in ${count} groups; name its group in tools/generate/groups.ts`);
}

/** Describes each kind of access in one sentence. */
export const accessSays: Readonly<Record<Access, string>> = {
  ingest:
    "Native programs on this machine need nothing, nor do pages that a server on it serves over `http://localhost`, " +
    "`http://127.0.0.1` or `http://[::1]`. Any other web page needs the player's consent for its origin and is answered " +
    "`consent_needed` until then.",
  public: "Native programs on this machine need nothing. Web pages other than the dashboard are refused.",
  session: `Needs the install secret as a bearer token, or the dashboard's session: its cookie and the header ${sessionHeader}.`,
  media:
    `Needs the install secret as a bearer token, or the dashboard's session: its cookie, and either the header ${sessionHeader} or, ` +
    "for a picture or a video that cannot send it, the session's pass as `pass` in the query.",
  download:
    `Needs the install secret as a bearer token, or the dashboard's session: its cookie, and either the header ${sessionHeader} or, ` +
    "for a browser that saves the file, a link of createDownloadLink.",
  ticket: "Only the dashboard's own page, which needs no session yet: the ticket in the body lets it in.",
};
