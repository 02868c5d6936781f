// Labels for the states, networks and actions of posts.
import {
  type Attachment,
  type Delivery,
  type DeliveryState,
  type Network,
  type NetworkDescription,
  networkDescriptions,
  type Post,
  type PostFootage,
  type PostState,
  type Visibility,
} from "@kit/contract";
import { t } from "../../language/language.ts";
import type { BadgeTone } from "../event-text.ts";
import { formatClock, formatDateAndMinute, formatMinute } from "../format.ts";
import { iconPaths } from "../icon.tsx";
import { eventName } from "../names.ts";

type Word = { readonly says: string; readonly tone: BadgeTone };

const postWords: Record<PostState, Word> = {
  draft: { says: t("Draft"), tone: "plain" },
  held: { says: t("Held back"), tone: "quiet" },
  approved: { says: t("Approved"), tone: "moving" },
  sending: { says: t("Sending"), tone: "moving" },
  sent: { says: t("Sent"), tone: "good" },
  unsure: { says: t("Unconfirmed"), tone: "warn" },
  failed: { says: t("Failed"), tone: "bad" },
  skipped: { says: t("Skipped"), tone: "quiet" },
  expired: { says: t("Expired"), tone: "quiet" },
};

/** Returns label and colour of a state. A state that only a newer launcher knows is shown by its code. */
export const postStateLabel = (state: PostState): Word => postWords[state] ?? { says: state, tone: "plain" };

/** Shown instead of "Sent" for what the demo's account received, because nobody else can see it. */
const inDemo: Word = { says: t("In the demo only"), tone: "quiet" };

export function postLabel({ state, deliveries }: Pick<Post, "state" | "deliveries">): Word {
  const sent = deliveries.filter((delivery) => delivery.state === "sent");
  return state === "sent" && sent.length > 0 && sent.every(({ demo }) => demo) ? inDemo : postStateLabel(state);
}

const deliveryWords: Record<DeliveryState, Word> = {
  waiting: { says: t("Queued"), tone: "quiet" },
  preparing: { says: t("Converting the footage"), tone: "moving" },
  sending: { says: t("Sending"), tone: "moving" },
  sent: { says: t("Sent"), tone: "good" },
  maybe: { says: t("Possibly sent"), tone: "warn" },
  failed: { says: t("Failed"), tone: "bad" },
  dropped: { says: t("Given up"), tone: "quiet" },
};

const dayMs = 24 * 3_600_000;

/** Formats a future time: as the time of day if it is within 24 hours, otherwise with the date. */
export function formatDueTime(at: string, nowMs: number): string {
  return Date.parse(at) - nowMs < dayMs ? formatMinute(at) : formatDateAndMinute(at);
}

export function deliveryStateLabel({ state, nextTryAt, demo }: Delivery, nowMs: number): Word {
  if (state === "sent" && demo) return inDemo;
  const word = deliveryWords[state] ?? ({ says: state, tone: "plain" } as const);
  if (state !== "waiting" || nextTryAt === null) return word;
  return { says: t("Next attempt at {{time}}", { time: formatDueTime(nextTryAt, nowMs) }), tone: "warn" };
}

type NetworkLabel = {
  readonly says: string;
  readonly icon: string;
  readonly about: string;
  /** What the test of an account posted, for example "Nothing was posted." */
  readonly tested: string;
};

/** Returns the texts for a network. A network that only a newer launcher knows is shown by its code. */
export function networkLabel(network: Network): NetworkLabel {
  const described: NetworkDescription | undefined = networkDescriptions[network];
  const nothing = t("Nothing was posted.");
  if (described === undefined) return { says: network, icon: iconPaths.globe, about: "", tested: nothing };
  const { name, icon, about, testSays } = described;
  return { says: t(name), icon, about: t(about), tested: testSays === undefined ? nothing : t(testSays) };
}

export const visibilityOptions: readonly { readonly value: Visibility; readonly says: string }[] = [
  { value: "public", says: t("Everyone") },
  { value: "unlisted", says: t("Unlisted: not in public feeds") },
  { value: "followers", says: t("Followers only") },
];

export const attachmentOptions: readonly { readonly value: Attachment; readonly says: string }[] = [
  { value: "clip", says: t("The clip") },
  { value: "screenshot", says: t("A screenshot") },
  { value: "none", says: t("Nothing") },
];

const visibilityWords: Record<Visibility, string> = {
  public: "",
  unlisted: t("Unlisted"),
  followers: t("Followers only"),
};
export const visibilityLabel = (visibility: Visibility): string => visibilityWords[visibility] ?? visibility;

/** Returns what a post is about: the title of its clip, or the name of its event. */
export const postEventName = ({ title, eventId, game }: Pick<Post, "title" | "eventId" | "game">): string =>
  title ?? eventName(eventId ?? "", game);

/** Returns which part of its clip a post carries; the length of the clip if it carries all of it. */
export function partText({ part, clipSeconds }: Pick<PostFootage, "part" | "clipSeconds">): string {
  const length = formatClock(clipSeconds ?? 0);
  if (part === null) return length;
  const [from, to] = [part.fromSeconds, part.toSeconds].map(formatClock);
  return t("{{from}} to {{to}} of {{length}}", { from, to, length });
}

export const postCountText = (count: number): string =>
  t("{{count, number}} posts", { count, defaultValue_one: "{{count, number}} post" });
export const draftCountText = (count: number): string =>
  t("{{count, number}} drafts", { count, defaultValue_one: "{{count, number}} draft" });

/** The decisions that a person can make about an unconfirmed or failed delivery. */
export const settleChoices = {
  sent: {
    says: t("It was posted"),
    about: t("Choose this if you can see the post on the network. Kit marks it as sent."),
  },
  again: { says: t("Send again"), about: t("Kit sends the post once more.") },
  dropped: { says: t("Give up"), about: t("Kit will not send the post to this account again.") },
} as const;

/** Shown before a person sends again, because the first attempt may have succeeded. */
export const resendWarning = t("Kit sends the post once more. If the first attempt succeeded, the post appears twice.");

/** Texts of the toasts that confirm an action on posts. */
export const postToasts = {
  approved: (name: string, seconds: number) =>
    seconds > 0
      ? t("Approved: {{name}}. It will be sent in {{seconds}} s unless you undo.", { name, seconds })
      : t("Approved: {{name}}.", { name }),
  approvedAll: (count: number, left: number) =>
    left === 0
      ? t("{{posts}} approved.", { posts: postCountText(count) })
      : t("{{posts}} approved, {{left}} still waiting for a decision.", { posts: postCountText(count), left }),
  skipped: (name: string) => t("Skipped: {{name}}.", { name }),
  undone: (name: string) => t("Back to draft: {{name}}.", { name }),
  undoneAll: (count: number) =>
    t("{{count, number}} posts are drafts again.", {
      count,
      defaultValue_one: "{{count, number}} post is a draft again.",
    }),
  kept: (name: string) => t("Saved: {{name}}.", { name }),
  settled: { sent: t("Marked as sent."), again: t("Kit is sending the post again."), dropped: t("Given up.") },
} as const;

/** Returns an http or https link together with its host; undefined for any other URL. */
export function toWebLink(link: string): { readonly href: string; readonly host: string } | undefined {
  const url = URL.parse(link);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;
  return { href: url.href, host: url.host };
}
