// Checks whether a text fits a network, and explains by how much it is too long.
import { type Account, type AccountLimits, type Network as NetworkKind, networkDescriptions } from "@kit/contract";
import type { Network } from "./networks/network.ts";

/** The rules of each network for texts, known without asking it. */
export type TextRules = Readonly<Record<NetworkKind, Pick<Network, "textLength" | "compose" | "limits">>>;

/** An account that a text goes to, with its limits. */
export type TextTarget = Pick<Account, "network" | "name" | "limits">;

export type PostText = { readonly text: string; readonly contentWarning: string };

export function networkTitle(network: NetworkKind): string {
  const { name, title = name } = networkDescriptions[network];
  return title;
}

const countWithUnit = (n: number, { counts }: AccountLimits) =>
  `${n.toLocaleString("en-US")} ${n === 1 ? counts.slice(0, -1) : counts}`;

/** Returns the text as it is sent, and its length as the network counts it. */
export function measureText(counting: TextRules, network: NetworkKind, { text, contentWarning }: PostText) {
  const composed = counting[network].compose(text, contentWarning);
  return { composed, length: counting[network].textLength(composed) };
}

/** Returns why the text is too long for a network, or undefined if it fits. */
export function tooLongMessage(
  counting: TextRules,
  { network, name, limits }: TextTarget,
  words: PostText,
): string | undefined {
  const { length } = measureText(counting, network, words);
  const over = length - limits.textMax;
  if (over <= 0) return undefined;
  const takes = `${networkTitle(network)} takes ${countWithUnit(limits.textMax, limits)}`;
  return `For ${name} the text is ${countWithUnit(over, limits)} too long (${takes}): shorten it.`;
}
