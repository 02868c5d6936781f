// Takes out of a text what tells who plays: home directories, the account's and the machine's name, mail and network
// addresses, keys. Pure, and linear in the text's length. Ids of devices and sessions stay: they name nobody by themselves.
import { withoutAddresses } from "./addresses.ts";
import { withoutHomes } from "./homes.ts";
import { withoutKeys } from "./keys.ts";
import type { Person } from "./person.ts";
import { withoutSecrets } from "./secrets.ts";

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
  const [own, player] = [homeOf(home), wordOf(user)];
  const [machine, short = ""] = [wordOf(host), host.split(".", 1)[0]];
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
