// The words of the posts' pages for what the wire says in codes.
import {
  type Attachment,
  type Delivery,
  type DeliveryState,
  eventInWords,
  type Network,
  type Post,
  type PostState,
  type Visibility,
} from "@kit/contract";
import type { IconName } from "../frame/icon.tsx";
import type { Tone } from "../live/words.ts";

type Word = { readonly says: string; readonly tone: Tone };

const postWords: Record<PostState, Word> = {
  draft: { says: "Draft", tone: "plain" },
  approved: { says: "Approved", tone: "moving" },
  sending: { says: "Sending", tone: "moving" },
  sent: { says: "Sent", tone: "good" },
  unsure: { says: "Not sure", tone: "warn" },
  failed: { says: "Failed", tone: "bad" },
  skipped: { says: "Skipped", tone: "quiet" },
  expired: { says: "Expired", tone: "quiet" },
};

/** A state of a newer launcher has no word here; its own name will do. */
export const postStateWord = (state: PostState): Word => postWords[state] ?? { says: state, tone: "plain" };

const deliveryWords: Record<DeliveryState, Word> = {
  waiting: { says: "Waits for its turn", tone: "quiet" },
  preparing: { says: "Making the footage fit", tone: "moving" },
  sending: { says: "Sending", tone: "moving" },
  sent: { says: "Sent", tone: "good" },
  maybe: { says: "May have arrived", tone: "warn" },
  failed: { says: "Failed", tone: "bad" },
  dropped: { says: "Given up", tone: "quiet" },
};

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const dayAndClock = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const dayMs = 24 * 3_600_000;

/** A time to come: the clock's within a day, else with its date. */
export function atTime(at: string, nowMs: number): string {
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs)) return at;
  return atMs - nowMs < dayMs ? clock.format(atMs) : dayAndClock.format(atMs);
}

export function deliveryWord({ state, nextTryAt }: Delivery, nowMs: number): Word {
  const word = deliveryWords[state] ?? ({ says: state, tone: "plain" } as const);
  if (state !== "waiting" || nextTryAt === null) return word;
  return { says: `Tried again at ${atTime(nextTryAt, nowMs)}`, tone: "warn" };
}

export const networkWords: Record<Network, { readonly says: string; readonly icon: IconName; readonly about: string }> =
  {
    discord: { says: "Discord", icon: "chat", about: "A channel, by its webhook" },
    bluesky: { says: "Bluesky", icon: "wings", about: "An account, by an app password" },
    mastodon: { says: "Mastodon", icon: "trunk", about: "An account on any server" },
    webhook: { says: "Webhook", icon: "hook", about: "Any address of yours, as JSON" },
  };

/** A network of a newer launcher has no word here; its own name will do. */
export const networkWord = (network: Network) =>
  networkWords[network] ?? { says: network, icon: "globe" as const, about: "" };

export const visibilityChoices: readonly { readonly value: Visibility; readonly says: string }[] = [
  { value: "public", says: "Everybody" },
  { value: "unlisted", says: "Unlisted: whoever looks for it" },
  { value: "followers", says: "Followers only" },
];

export const attachChoices: readonly { readonly value: Attachment; readonly says: string }[] = [
  { value: "clip", says: "The clip" },
  { value: "screenshot", says: "A screenshot" },
  { value: "none", says: "Nothing" },
];

const visibilityWords: Record<Visibility, string> = {
  public: "",
  unlisted: "Unlisted",
  followers: "Followers only",
};
export const visibilityWord = (visibility: Visibility): string => visibilityWords[visibility] ?? visibility;

/** What happened, as a person says it. */
export const eventWord = ({ eventId, game }: Pick<Post, "eventId" | "game">): string => eventInWords(eventId, game);

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
export const postsWord = (count: number): string => counted(count, "post", "posts");
export const draftsWord = (count: number): string => counted(count, "draft", "drafts");

/** What each answer to an unsure or failed delivery does. */
export const settleWords = {
  sent: { says: "It arrived", about: "You saw it there: it counts as sent." },
  again: { says: "Send again", about: "It is sent once more." },
  dropped: { says: "Give up", about: "It is not sent to this account any more." },
} as const;

/** The same where the first one may be there already. */
export const againIsRisky = "It is sent once more. If the first one did arrive, it is there twice.";

/** What was done, as the toast says it. */
export const doneWords = {
  approved: (name: string, seconds: number) =>
    seconds > 0 ? `Approved: ${name}. It is sent in ${seconds} s unless you undo it.` : `Approved: ${name}.`,
  approvedAll: (count: number, left: number) =>
    `${postsWord(count)} approved${left === 0 ? "" : `, ${left} still to decide`}.`,
  skipped: (name: string) => `Skipped: ${name}.`,
  undone: (name: string) => `A draft again: ${name}.`,
  undoneAll: (count: number) => `${postsWord(count)} ${count === 1 ? "is a draft" : "are drafts"} again.`,
  kept: (name: string) => `Kept: ${name}.`,
  settled: { sent: "Counted as sent.", again: "It is sent again.", dropped: "Given up." },
} as const;

/** Where a link leads, for who is about to follow it; undefined for what is no link to a page. */
export function pageOf(link: string): { readonly href: string; readonly host: string } | undefined {
  const url = URL.parse(link);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;
  return { href: url.href, host: url.host };
}
