// Sentences that no page shows and that therefore need no translation, with reasons.

type NotShown = { readonly which: RegExp; readonly why: string };

/** Excluded files, by path below launcher/src. */
export const filesNotShown: readonly NotShown[] = [
  { which: /^cli\//u, why: "the command line speaks English" },
  {
    which: /^(config|secret|private-folder|umask)\.ts$|^storage\/(lock|batch|connection)\.ts$/u,
    why: "the launcher says it as it fails to start",
  },
  {
    which: /^storage\/salvage\/shape\.ts$|-store\.ts$|^http\/(event-stream|security-headers)\.ts$/u,
    why: "SQL, and headers of HTTP",
  },
  { which: /^(data\/export\/|wiring\/export\.ts)/u, why: "the README inside an export" },
  { which: /^monitor\/(fingerprint\/(canonical-message|quotes)|stack\/)/u, why: "how engines word their errors" },
  { which: /^monitor\/notices\/notices\.ts$/u, why: "the desktop's notifications; the page has words of its own" },
  {
    which: /^games\/sessions\/exit-verdict\.ts$/u,
    why: "the message of an error report, kept and searched as it was sent",
  },
  { which: /^social\/rules\/template-values\.ts$/u, why: "goes into the text of a post" },
  { which: /^secrets\/keyring-probe\.ts$/u, why: "`kit doctor` alone asks" },
  { which: /\/(fixtures\/|test\/|fixture\.ts|launcher-stand-in\.ts)/u, why: "for tests" },
];

/** Excluded texts. */
export const textsNotShown: readonly NotShown[] = [
  {
    which: /^(Bearer|sha256|public, max-age|Content-|Connection:|attachment;|HttpOnly|DiscordBot|Sentry sentry_)/u,
    why: "headers and the like",
  },
  { which: /^([tT]est recording|secret in the keyring|kit run)$/u, why: "names inside the launcher" },
  {
    which: /^Kit's demo|^This is a test message|^Test message$|^This is a test of Kit's/u,
    why: "goes to a server, or is a game's name",
  },
  {
    which: /crashed: |^Error without a message$|^Too many different errors/u,
    why: "titles of issues, kept and searched as they are",
  },
  { which: /^, called by |^\{\{called\}\} in /u, why: "names and places in code" },
  {
    which: /is a filter|^One try is one|^There is no report to|^a path outside|^a fitted file's/u,
    why: "guards against mistakes of our own",
  },
];
