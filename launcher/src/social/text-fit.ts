// Measures text as a network counts it, and says by how much it is too long.
import {
  type Account,
  type AccountLimits,
  type Attachment,
  formatCount,
  type Message,
  type MessageOrText,
  type Network as NetworkKind,
  networkDescriptions,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Network, PostWords } from "./networks/network.ts";

/** How each network counts texts, and its default limits. Known without asking a server. */
export type NetworkTextRules = Readonly<Record<NetworkKind, Pick<Network, "textLength" | "compose" | "limits">>>;

/** An account that a post goes to, with its limits. */
export type TextTarget = Pick<Account, "network" | "name" | "limits">;

/** Returns what to call a network: its name, or its title, which is also the code of its translation. */
export function networkTitle(network: NetworkKind): MessageOrText {
  const { name, title } = networkDescriptions[network];
  return title === undefined ? name : { text: title, code: title };
}

export const attachmentName = (attach: Attachment): Message =>
  message(attach === "clip" ? "attachment.clip" : "attachment.screenshot");

function countWithUnit(count: number, { counts }: AccountLimits): Message {
  if (count === 1) return message(counts === "graphemes" ? "count.grapheme" : "count.character");
  const code = counts === "graphemes" ? "count.graphemes" : "count.characters";
  return message(code, { count: formatCount(count) });
}

/** Returns the text as it is sent, and the length of the post as the network counts it. */
export function measureText(counting: NetworkTextRules, { network, limits }: TextTarget, words: PostWords) {
  const { compose, textLength } = counting[network];
  return { composed: compose(words.text, words.contentWarning), length: textLength(words, limits) };
}

/** Returns why the text is too long for a network, or undefined if it fits. */
export function tooLongMessage(counting: NetworkTextRules, target: TextTarget, words: PostWords): Message | undefined {
  const { network, name, limits } = target;
  const { length } = measureText(counting, target, words);
  const over = length - limits.textMax;
  if (over <= 0) return undefined;
  return message("post.text_too_long", {
    account: name,
    over: countWithUnit(over, limits),
    network: networkTitle(network),
    most: countWithUnit(limits.textMax, limits),
  });
}

let segmenter: Intl.Segmenter | undefined;

/**
 * Counts graphemes: each is what people see as one character. The segmenter is made for the first text, because many launchers
 * never post.
 */
export function countGraphemes(text: string): number {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  let count = 0;
  for (const _ of segmenter.segment(text)) count += 1;
  return count;
}
