// Takes out of a text what tells who plays: home directories, the account's and the machine's name, mail and network
// addresses, keys. Pure, and linear in the text's length. Ids of devices and sessions stay: they name nobody by themselves.
import { isIPv4, isIPv6 } from "node:net";
import { withoutKeys } from "./keys.ts";
import type { Person } from "./person.ts";

/** Of a longer local part its end will do. `door@2x.png` is a picture. */
const mail =
  /[\p{L}\p{N}_.!#$&*+=?^`{|}~-]{1,64}(?:@|%40)(?!\dx\.(?:png|jpe?g|webp|gif|svg)\b)(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu;
/** Four numbers may also be a version. */
const v4 = /(?<![\w.]|version[ =:]{1,2}|\bv)\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d)/gi;
const v6Run = /(?:[0-9a-f]{0,4}:){2,8}(?:\d{1,3}(?:\.\d{1,3}){3}(?!\w)|[0-9a-f]{0,4})(?:%(?:25)?[\w.-]{1,16})?/gi;

const isOwn = (address: string) => address.startsWith("127.") || address === "0.0.0.0";
/** Nothing but noughts, or a one at the end: no address, or the own one. */
const tellsNothing = /^[0:.]*1?$/;

/** The part of a run of hexadecimal digits and colons that is an address: its beginning may belong to the text before. */
function withoutV6(run: string, at: number, text: string): string {
  const zone = run.indexOf("%");
  const digits = zone < 0 ? run : run.slice(0, zone);
  const isCutShort = zone < 0 && wordCharacter.test(text[at + digits.length] ?? "");
  for (const from of startsIn(digits, wordCharacter.test(text[at - 1] ?? ""))) {
    for (const to of endsIn(digits, isCutShort)) {
      const candidate = digits.slice(from, to);
      if (!isIPv6(candidate)) continue;
      return tellsNothing.test(candidate) ? run : `${digits.slice(0, from)}<ip>${digits.slice(to)}`;
    }
  }
  return run;
}

const wordCharacter = /[\p{L}\p{N}_]/u;

/** What follows a word directly is the rest of a name, as in `Node::add`. */
function startsIn(digits: string, followsWord: boolean): number[] {
  const afterColon = [...digits.matchAll(/:(?=[^:])/g)].map(({ index }) => index + 1);
  return followsWord ? afterColon : [0, ...afterColon];
}

/** The longest first. What is followed by a letter or a digit ends at its last colon. */
function endsIn(digits: string, isCutShort: boolean): number[] {
  const colons = [...digits.matchAll(/:/g)].map(({ index }) => index).reverse();
  return isCutShort ? colons : [digits.length, ...colons];
}

const mayHoldMail = /@|%40/;

/** Mail and network addresses. A name of the own machine (127.0.0.1, ::1) tells nothing and stays. */
function withoutAddresses(text: string): string {
  // Looking for what stands before an @ is the dearest of all; most texts have none.
  const mailless = mayHoldMail.test(text) ? text.replace(mail, "<email>") : text;
  // The longer form first: it may end with the other.
  return mailless.replace(v6Run, withoutV6).replace(v4, (found) => (isIPv4(found) && !isOwn(found) ? "<ip>" : found));
}

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

/**
 * Home directories, as the systems write them, in URLs and encoded too: the way to a player's files names the player.
 */
const withoutHomes = (text: string): string =>
  text.replace(windows, "~").replace(shared, "~").replace(unix, "~").replace(root, "~");

const gone = "<removed>";

/** `https://user:password@host`: the part before the @. */
const userInfo = /(:\/\/)[^\s/?#@"'<>]{1,256}@/g;
const named =
  /((?:^|[?&;#,{\s"'])["']?(?:[\w.-]{0,32}[_.-])?(?:token|key|apikey|secret|password|passwd|pwd|passphrase|auth|authorization|jwt|signature|sig|session|sessionid|sid|cookie|credentials?|code)["']?(?:=|%3d|:\s?"|:\s?'))([^\s&;#"'<>]{1,4096})/gi;
const scheme = /\b(bearer|basic|token)(\s{1,4})(?=[\w.~+/=-]{0,4096}\d)[\w.~+/=-]{8,4096}/gi;

/**
 * Keys and passwords in addresses and headers: what stands behind a telling name goes. Every repetition is bounded, so that
 * the time grows with the text's length and no faster.
 */
const withoutSecrets = (text: string): string =>
  text
    .replace(userInfo, `$1${gone}@`)
    .replace(named, (_, name: string) => `${name}${gone}`)
    .replace(scheme, (_, word: string, space: string) => `${word}${space}${gone}`);

export type Scrub = (text: string) => string;

/** Too short to be told from a word. */
const nameCharsMin = 3;
/** Names that tell nothing, and words of which a report is full. */
const everyday = new Set(
  "root user users admin administrator player default guest runner steamuser game games home host localhost email removed error main test null".split(
    " ",
  ),
);

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** The word as it is, in any case, never as a part of another word. */
function wordOf(name: string): RegExp | undefined {
  if (name.length < nameCharsMin || everyday.has(name.toLowerCase())) return undefined;
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(name)}(?![\\p{L}\\p{N}_])`, "giu");
}

/** The home directory itself, wherever it lies, with either slash, doubled or encoded. */
function homeOf(home: string): RegExp | undefined {
  const parts = home.split(/[\\/]+/).filter((part) => part !== "");
  // A single folder below the root is no one's home, unless it is root's.
  if (parts.length < 2 && parts[0] !== "root") return undefined;
  const spelled = parts.map((part) => `(?:${escaped(part)}|${escaped(encodeURIComponent(part))})`);
  const slash = "(?:[\\\\/]|%(?:25)?(?:2f|5c)){1,4}";
  // Where a path begins, for a short one is the end of many others.
  const start = /^[\\/]/.test(home) ? (parts.length < 2 ? "(?<![\\w.~:\\\\/-])" : "") + slash : "";
  return new RegExp(`${start}${spelled.join(slash)}(?![\\w-])`, "gi");
}

export function createScrub({ user, host, home }: Person): Scrub {
  const own = homeOf(home);
  const player = wordOf(user);
  const machine = wordOf(host);
  const short = host.split(".", 1)[0] ?? "";
  const nickname = short === host ? undefined : wordOf(short);
  return (text) => {
    const keyless = withoutSecrets(withoutKeys(text));
    const homeless = withoutHomes(own === undefined ? keyless : keyless.replace(own, "~"));
    let clean = withoutAddresses(homeless);
    if (machine) clean = clean.replace(machine, "<host>");
    if (nickname) clean = clean.replace(nickname, "<host>");
    if (player) clean = clean.replace(player, "<user>");
    return clean;
  };
}
