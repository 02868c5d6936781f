// Whether a network would take a text as it is, and if not: which one, by how much, and what to do.
import type { Account, AccountLimits, Network as NetworkKind } from "@kit/contract";
import type { Network } from "./networks/network.ts";

/** Of each network what is known of it without asking it. */
export type Counting = Readonly<Record<NetworkKind, Pick<Network, "length" | "composed" | "limits">>>;

/** Where a text goes to, and what is taken there. */
export type Target = Pick<Account, "network" | "name" | "limits">;

export type Words = { readonly text: string; readonly contentWarning: string };

const titles: Readonly<Record<NetworkKind, string>> = {
  discord: "Discord",
  bluesky: "Bluesky",
  mastodon: "Mastodon",
  webhook: "the webhook",
};
export const titleOf = (network: NetworkKind): string => titles[network];

const counted = (n: number, { counts }: AccountLimits) =>
  `${n.toLocaleString("en-US")} ${n === 1 ? counts.slice(0, -1) : counts}`;

/** As it would be sent, and how long the network says that is. */
export function measured(counting: Counting, network: NetworkKind, { text, contentWarning }: Words) {
  const composed = counting[network].composed(text, contentWarning);
  return { composed, length: counting[network].length(composed) };
}

/** What a network would say no to; undefined when it fits. */
export function tooLong(counting: Counting, { network, name, limits }: Target, words: Words): string | undefined {
  const { length } = measured(counting, network, words);
  const over = length - limits.textMax;
  if (over <= 0) return undefined;
  const takes = `${titleOf(network)} takes ${counted(limits.textMax, limits)}`;
  return `For ${name} the text is ${counted(over, limits)} too long (${takes}): shorten it.`;
}
