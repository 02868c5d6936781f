// Removes what identifies the player from text: home folders, account and host names, email and network addresses, keys.
// Keeps ids of devices and sessions, because they name nobody. Pure; the time is linear in the length of the text.
import { isIPv4, isIPv6 } from "node:net";
import { homedir, hostname, userInfo } from "node:os";
import {
  removedMark,
  removeMarkedCredentials,
  removeNamedCredentials,
  removeSchemeCredentials,
} from "./credentials.ts";

/**
 * Matches an email address: the last 64 characters before its @ and what follows. Does not match file names such as
 * `door@2x.png`.
 */
const emailAddress =
  /[\p{L}\p{N}_.!#$&*+=?^`{|}~-]{1,64}(?:@|%40)(?!\dx\.(?:png|jpe?g|webp|gif|svg)\b)(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu;
/** Does not match a version number, which can also have four parts. */
const ipv4Address = /(?<![\w.]|version[ =:]{1,2}|\bv)\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d)/gi;
const ipv6Run = /(?:[0-9a-f]{0,4}:){2,8}(?:\d{1,3}(?:\.\d{1,3}){3}(?!\w)|[0-9a-f]{0,4})(?:%(?:25)?[\w.-]{1,16})?/gi;

const isLoopback = (address: string) => address.startsWith("127.") || address === "0.0.0.0";
/** Matches the unspecified address and loopback, such as `::` and `::1`. */
const unspecifiedOrLoopback = /^[0:.]*1?$/;

/**
 * Finds an address in a run of hexadecimal digits and colons. The run may begin with the end of the word before, unless it
 * follows another address.
 */
function findIpv6(run: string, followsWord: boolean, next: string): readonly [from: number, to: number] | undefined {
  const zone = run.indexOf("%");
  const digits = zone < 0 ? run : run.slice(0, zone);
  for (const from of possibleStarts(digits, followsWord)) {
    for (const to of possibleEnds(digits, zone < 0 && wordCharacter.test(next))) {
      if (isIPv6(digits.slice(from, to))) return [from, to === digits.length ? run.length : to];
    }
  }
  return undefined;
}

/** Replaces IPv6 addresses. Goes on right behind each, so that a second pass finds no address that the first left. */
function removeIpv6(text: string): string {
  let clean = "";
  let done = 0;
  ipv6Run.lastIndex = 0;
  for (let found = ipv6Run.exec(text); found !== null; found = ipv6Run.exec(text)) {
    const { 0: run, index } = found;
    const followsWord = index > done && wordCharacter.test(text[index - 1] ?? "");
    const address = findIpv6(run, followsWord, text[index + run.length] ?? "");
    if (address === undefined) continue;
    const [from, to] = [index + address[0], index + address[1]];
    ipv6Run.lastIndex = to;
    if (unspecifiedOrLoopback.test(text.slice(from, to))) continue;
    clean += `${text.slice(done, from)}<ip>`;
    done = to;
  }
  return clean + text.slice(done);
}

const wordCharacter = /[\p{L}\p{N}_]/u;

/** Returns where an address may start. Not at 0 directly after a word: there the run goes on with a name, as in `Node::add`. */
function possibleStarts(digits: string, followsWord: boolean): number[] {
  const afterColon = [...digits.matchAll(/:(?=[^:])/g)].map(({ index }) => index + 1);
  return followsWord ? afterColon : [0, ...afterColon];
}

/** Returns where an address may end, farthest first. If a letter or digit follows the run, it can end only at a colon. */
function possibleEnds(digits: string, isCutShort: boolean): number[] {
  const colons = [...digits.matchAll(/:/g)].map(({ index }) => index).reverse();
  return isCutShort ? colons : [digits.length, ...colons];
}

const mayContainEmail = /@|%40/;

/** Replaces email and network addresses. Keeps 127.0.0.1 and ::1, which identify nobody. */
function removeAddresses(text: string): string {
  // Tested first, because the pattern for email addresses is the slowest and most texts contain no @.
  const mailless = mayContainEmail.test(text) ? text.replace(emailAddress, "<email>") : text;
  // IPv6 addresses first, because one may end with an IPv4 address.
  return removeIpv6(mailless).replace(ipv4Address, (found) => (isIPv4(found) && !isLoopback(found) ? "<ip>" : found));
}

/** Matches a path separator: plain, doubled as in JSON, or percent-encoded once or twice. */
const slash = "(?:[\\\\/]|%(?:25)?(?:2f|5c)){1,4}";
const notEncodedSlash = "(?!%(?:25)?(?:2f|5c))";
const plainName = `(?:${notEncodedSlash}[^\\s\\\\/:*?"'\`<>|()\\[\\]{},;&]){1,64}`;
/**
 * Matches an account name with spaces. It ends only before a path separator, because otherwise the text may go on after a
 * space.
 */
const spacedName = `(?:${notEncodedSlash}[^\\t\\r\\n\\\\/:*?"'\`<>|]){1,64}(?=${slash})`;
const drive = "(?<![a-z])[a-z](?::|%(?:25)?3a)";
const windowsHome = new RegExp(
  `${drive}${slash}(?:Users|Documents and Settings|Documents%20and%20Settings)${slash}(?:${spacedName}|${plainName})`,
  "gi",
);
/** Matches where a path can start: not inside a word, a URL or a path of the engine such as `res://`. */
const pathStart = `(?<![\\w.~)\\]\\\\/-]|(?:https?|res|user|uid):)|(?<=%(?:25)?(?:3a|3d|22|20|28))`;
const unixHome = new RegExp(
  `(?:${pathStart})${slash}(?:(?:(?:var|export|usr|Volumes|mnt|media|cygdrive|srv|nfs|net|data|[a-z])${slash}){0,2}(?:homes?\\d?|Users)${slash}${plainName}|(?:(?:var${slash})?run${slash})?media${slash}${plainName}(?=${slash}))`,
  "gi",
);
/** Matches a home folder on another computer, as a UNC path. */
const uncHome = new RegExp(
  `(?<![\\w\\\\])\\\\{2,4}[\\w.$-]{1,64}(?:${slash}[\\w.$-]{1,64}){0,2}${slash}(?:Users|home)${slash}(?:${spacedName}|${plainName})`,
  "gi",
);
/** Matches what follows `/root` if it is a home folder: a file name with a dot. Node paths of Godot also begin with `/root`. */
const beforeFile = `(?=${slash}[^\\s:*?"'\`<>|()\\[\\]{},;&]{0,255}\\.\\w|${slash}\\.\\w)`;
const rootHome = new RegExp(
  `(?:${pathStart})(?:(?:${slash}private)?${slash}var${slash}root(?![\\w.-])|${slash}root${beforeFile})`,
  "gi",
);

/** Replaces home folders, which contain the account name, in the form of every system and also in URLs and encoded. */
const removeHomeFolders = (text: string): string =>
  text.replace(windowsHome, "~").replace(uncHome, "~").replace(unixHome, "~").replace(rootHome, "~");

/** Matches where a key may start: not inside a word, but also right after an escape sequence of JSON or a URL. */
const tokenStart = "(?:(?<![A-Za-z0-9])|(?<=\\\\[nrt])|(?<=%[0-9A-Fa-f]{2}))";
const keyPatterns = [
  // AWS: access key ids.
  "A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])",
  // Google: API keys, tokens, client secrets.
  "AIza[\\w-]{30,64}",
  "ya29\\.[\\w-]{20,512}",
  "GOCSPX-[\\w-]{20,64}",
  // GitHub, GitLab, npm.
  "gh[oprsu]_[A-Za-z0-9]{30,255}",
  "github_pat_\\w{30,255}",
  "gl[a-z]{2,6}-[\\w-]{20,255}",
  "npm_[A-Za-z0-9]{36}",
  // Slack, Stripe.
  "x(?:ox[a-z]|app)-[\\w-]{10,255}",
  "(?:[prs]k_(?:live|test)|whsec)_\\w{16,255}",
  // OpenAI, Anthropic and compatible services. Text without a digit is not a key but a name.
  "sk-(?=[\\w-]{0,64}\\d)[\\w-]{20,255}",
  // SendGrid, Hugging Face, PyPI, DigitalOcean, Shopify.
  "SG\\.[\\w-]{16,64}\\.[\\w-]{16,128}",
  "hf_[A-Za-z0-9]{30,64}",
  "pypi-[\\w-]{50,512}",
  "do[opr]_v1_[0-9a-f]{64}",
  "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",
  // Discord: bot tokens.
  "[MNO][\\w-]{22,27}\\.[\\w-]{6}\\.[\\w-]{27,64}",
  // JSON Web Tokens, signed or not.
  "eyJ[\\w-]{8,4096}\\.[\\w-]{8,4096}(?:\\.[\\w-]{0,4096}){1,3}",
];
const knownKey = new RegExp(`${tokenStart}(?:${keyPatterns.join("|")})`, "g");

/** A webhook's URL is a secret: whoever has it can post. */
const webhook =
  /(hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/)[\w/-]{8,255}/gi;

/** Matches a value behind a name that only keys have. A value without a digit is an ordinary word. */
const namedKey =
  /((?:account|access|api|auth|bot|client|private|refresh|secret|shared|storage)[_-]?(?:access[_-]?)?(?:key|token|secret|signature)["']?(?:\s{0,4}[=:]\s{0,4}|%3d)["']?)(?=[\w.~+/=%-]{0,255}\d)[\w.~+/=%-]{12,4096}/gi;

/** Matches a private key with its end marker, or without it if the text was cut before. */
const privateKey =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----((?:[^-]|-(?!----)){0,16384})(-----END [A-Z0-9 ]{0,48}-----)?/g;
/** Matches the lines that follow the start of a private key without an end marker. */
const privateKeyLines = /^(?:(?:\s|\\[nr]){1,4}[A-Za-z0-9+/=]{32,128})*/;

/**
 * Removes keys of a known form, and values behind names that only keys have. The patterns repeat nothing without a limit and
 * nest no repetitions, so the time is linear.
 */
const removeKeys = (text: string): string =>
  text
    .replace(
      privateKey,
      (_, body: string, end?: string) => removedMark + (end === undefined ? body.replace(privateKeyLines, "") : ""),
    )
    .replace(webhook, (_, address: string) => address + removedMark)
    .replace(namedKey, (_, name: string) => name + removedMark)
    .replace(knownKey, removedMark);

/** Matches the part before the @ in `https://user:password@host`. */
const urlUserInfo = /(:\/\/)[^\s/?#"'<>]{1,256}@/g;
/** The same with a slash in the password. Digits before a slash are a port, and what follows is a path. */
const urlPasswordWithSlash = /(:\/\/)[^\s/?#:@"'<>]{1,256}:(?!\d{1,5}[/?#])[^\s@"'<>]{1,256}@(?=[\w[])/g;
const removeUrlPasswords = (text: string): string =>
  text.replace(urlUserInfo, `$1${removedMark}@`).replace(urlPasswordWithSlash, `$1${removedMark}@`);
const removeSecrets = (text: string): string =>
  removeSchemeCredentials(removeNamedCredentials(removeMarkedCredentials(removeUrlPasswords(text))));

/** The names that must not leave this computer: account, host and home folder. */
export type Person = { readonly user: string; readonly host: string; readonly home: string };

/** Returns an empty string for a name that cannot be read. */
export function currentPerson(): Person {
  const orEmpty = (ask: () => string) => {
    try {
      return ask();
    } catch {
      // The system has no entry for the account, so there is no name to hide.
      return "";
    }
  };
  return { user: orEmpty(() => userInfo().username), host: orEmpty(hostname), home: orEmpty(homedir) };
}

export type ScrubText = (text: string) => string;

/** Shorter names are not replaced, because they could be ordinary words. */
const nameCharsMin = 3;
/** Names that are not replaced either: account names that many people have, and words that are frequent in reports. */
const commonWords = new Set(
  "root user users admin administrator player default guest runner steamuser game games home host localhost email removed error main test null".split(
    " ",
  ),
);

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/**
 * Returns a pattern that matches the name as a whole word, in any case; undefined for a name that is too short or too common.
 */
function wholeWordPattern(name: string): RegExp | undefined {
  if (name.length < nameCharsMin || commonWords.has(name.toLowerCase())) return undefined;
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escapeRegExp(name)}(?![\\p{L}\\p{N}_])`, "giu");
}

/** Returns a pattern that matches the home folder with either slash, plain, doubled or encoded. */
function homeFolderPattern(home: string): RegExp | undefined {
  const parts = home.split(/[\\/]+/).filter((part) => part !== "");
  // A folder directly below the root of the disk is no one's home folder, except for `/root`.
  if (parts.length < 2 && parts[0] !== "root") return undefined;
  const spelled = parts.map((part) => `(?:${escapeRegExp(part)}|${escapeRegExp(encodeURIComponent(part))})`);
  const slash = "(?:[\\\\/]|%(?:25)?(?:2f|5c)){1,4}";
  // `/root` must be the start of a path, because it can also be the end of many others.
  const start = /^[\\/]/.test(home) ? (parts.length < 2 ? "(?<![\\w.~:\\\\/-])" : "") + slash : "";
  return new RegExp(`${start}${spelled.join(slash)}(?![\\w-])`, "gi");
}

export function createScrub({ user, host, home }: Person): ScrubText {
  const own = homeFolderPattern(home);
  const player = wholeWordPattern(user);
  const machine = wholeWordPattern(host);
  const short = host.split(".", 1)[0] ?? "";
  const nickname = short === host ? undefined : wholeWordPattern(short);
  return (text) => {
    const keyless = removeSecrets(removeKeys(text));
    const homeless = removeHomeFolders(own === undefined ? keyless : keyless.replace(own, "~"));
    let clean = removeAddresses(homeless);
    if (machine) clean = clean.replace(machine, "<host>");
    if (nickname) clean = clean.replace(nickname, "<host>");
    if (player) clean = clean.replace(player, "<user>");
    return clean;
  };
}
