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
import { locale, t } from "../../language/language.ts";
import type { Tone } from "../event-words.ts";
import type { IconName } from "../icon.tsx";

type Word = { readonly says: string; readonly tone: Tone };

const postWords: Record<PostState, Word> = {
  draft: { says: t("Draft"), tone: "plain" },
  approved: { says: t("Approved"), tone: "moving" },
  sending: { says: t("Sending"), tone: "moving" },
  sent: { says: t("Sent"), tone: "good" },
  unsure: { says: t("Not sure"), tone: "warn" },
  failed: { says: t("Failed"), tone: "bad" },
  skipped: { says: t("Skipped"), tone: "quiet" },
  expired: { says: t("Expired"), tone: "quiet" },
};

/** A state of a newer launcher has no word here; its own name will do. */
export const postStateWord = (state: PostState): Word => postWords[state] ?? { says: state, tone: "plain" };

const deliveryWords: Record<DeliveryState, Word> = {
  waiting: { says: t("Waits for its turn"), tone: "quiet" },
  preparing: { says: t("Making the footage fit"), tone: "moving" },
  sending: { says: t("Sending"), tone: "moving" },
  sent: { says: t("Sent"), tone: "good" },
  maybe: { says: t("May have arrived"), tone: "warn" },
  failed: { says: t("Failed"), tone: "bad" },
  dropped: { says: t("Given up"), tone: "quiet" },
};

const clock = new Intl.DateTimeFormat(locale() ?? "en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const dayAndClock = new Intl.DateTimeFormat(locale() ?? "en-GB", { dateStyle: "medium", timeStyle: "short" });
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
  return { says: t("Tried again at {{time}}", { time: atTime(nextTryAt, nowMs) }), tone: "warn" };
}

export const networkWords: Record<Network, { readonly says: string; readonly icon: IconName; readonly about: string }> =
  {
    discord: { says: "Discord", icon: "chat", about: t("A channel, by its webhook") },
    bluesky: { says: "Bluesky", icon: "wings", about: t("An account, by an app password") },
    mastodon: { says: "Mastodon", icon: "trunk", about: t("An account on any server") },
    webhook: { says: t("Webhook"), icon: "hook", about: t("Any address of yours, as JSON") },
  };

/** A network of a newer launcher has no word here; its own name will do. */
export const networkWord = (network: Network) =>
  networkWords[network] ?? { says: network, icon: "globe" as const, about: "" };

export const visibilityChoices: readonly { readonly value: Visibility; readonly says: string }[] = [
  { value: "public", says: t("Everybody") },
  { value: "unlisted", says: t("Unlisted: whoever looks for it") },
  { value: "followers", says: t("Followers only") },
];

export const attachChoices: readonly { readonly value: Attachment; readonly says: string }[] = [
  { value: "clip", says: t("The clip") },
  { value: "screenshot", says: t("A screenshot") },
  { value: "none", says: t("Nothing") },
];

const visibilityWords: Record<Visibility, string> = {
  public: "",
  unlisted: t("Unlisted"),
  followers: t("Followers only"),
};
export const visibilityWord = (visibility: Visibility): string => visibilityWords[visibility] ?? visibility;

/** What happened, as a person says it. */
export const eventWord = ({ eventId, game }: Pick<Post, "eventId" | "game">): string => eventInWords(eventId, game);

export const postsWord = (count: number): string =>
  t("{{count, number}} posts", { count, defaultValue_one: "{{count, number}} post" });
export const draftsWord = (count: number): string =>
  t("{{count, number}} drafts", { count, defaultValue_one: "{{count, number}} draft" });

/** What each answer to an unsure or failed delivery does. */
export const settleWords = {
  sent: { says: t("It arrived"), about: t("You saw it there: it counts as sent.") },
  again: { says: t("Send again"), about: t("It is sent once more.") },
  dropped: { says: t("Give up"), about: t("It is not sent to this account any more.") },
} as const;

/** The same where the first one may be there already. */
export const againIsRisky = t("It is sent once more. If the first one did arrive, it is there twice.");

/** What was done, as the toast says it. */
export const doneWords = {
  approved: (name: string, seconds: number) =>
    seconds > 0
      ? t("Approved: {{name}}. It is sent in {{seconds}} s unless you undo it.", { name, seconds })
      : t("Approved: {{name}}.", { name }),
  approvedAll: (count: number, left: number) =>
    left === 0
      ? t("{{posts}} approved.", { posts: postsWord(count) })
      : t("{{posts}} approved, {{left}} still to decide.", { posts: postsWord(count), left }),
  skipped: (name: string) => t("Skipped: {{name}}.", { name }),
  undone: (name: string) => t("A draft again: {{name}}.", { name }),
  undoneAll: (count: number) =>
    t("{{count, number}} posts are drafts again.", {
      count,
      defaultValue_one: "{{count, number}} post is a draft again.",
    }),
  kept: (name: string) => t("Kept: {{name}}.", { name }),
  settled: { sent: t("Counted as sent."), again: t("It is sent again."), dropped: t("Given up.") },
} as const;

/** Where a link leads, for who is about to follow it; undefined for what is no link to a page. */
export function pageOf(link: string): { readonly href: string; readonly host: string } | undefined {
  const url = URL.parse(link);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;
  return { href: url.href, host: url.host };
}
