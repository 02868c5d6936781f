// What networks may get: posts by their text, whether the last decision is to send them, and how often the network made each.
import assert from "node:assert/strict";
import type { Post } from "@kit/contract";
import type { Arrival } from "./network-here.ts";

export type NetworkKind = Arrival["network"];
const placeOf = (network: string, text: string) => `${network}: ${text}`;

export class PostLedger {
  readonly accountsOn = new Set<NetworkKind>();
  readonly #approved = new Set<string>();
  readonly #made = new Map<string, number>();
  readonly #mayBeMade = new Map<string, number>();
  readonly #keys = new Set<string>();
  readonly #saidSent = new Set<string>();
  #wrong: string | undefined;

  /** A person, or a rule for them, decided that these networks get it once more. Returns a function that takes that back. */
  approve(text: string, networks: readonly NetworkKind[]): () => void {
    const wasApproved = this.#approved.has(text);
    this.#approved.add(text);
    for (const network of networks) {
      const place = placeOf(network, text);
      this.#mayBeMade.set(place, (this.#made.get(place) ?? 0) + 1);
    }
    return () => void (wasApproved || this.#approved.delete(text));
  }

  withdraw(text: string): void {
    this.#approved.delete(text);
  }

  /** No decision from before a restore lets a post go out. */
  withdrawAll(): void {
    this.#approved.clear();
  }

  /** A person says that the network has it. */
  saySent(network: NetworkKind, text: string): void {
    this.#saidSent.add(placeOf(network, text));
  }

  arrived({ network, text, key, isMade }: Arrival): void {
    const place = placeOf(network, text);
    if (!this.#approved.has(text)) this.#wrong ??= `sent without an approval: ${place}`;
    if (!this.accountsOn.has(network)) this.#wrong ??= `sent to an account that is off: ${place}`;
    if (!isMade || (key !== null && this.#keys.has(key))) return;
    if (key !== null) this.#keys.add(key);
    const made = (this.#made.get(place) ?? 0) + 1;
    this.#made.set(place, made);
    if (made > (this.#mayBeMade.get(place) ?? 0)) this.#wrong ??= `sent twice: ${place}`;
  }

  checkArrivals(): void {
    if (this.#wrong !== undefined) assert.fail(this.#wrong);
  }

  checkSent(posts: readonly Post[]): void {
    for (const { text, deliveries } of posts)
      for (const { network, state } of deliveries) {
        const place = placeOf(network, text);
        const isSent = (this.#made.get(place) ?? 0) > 0 || this.#saidSent.has(place);
        assert.ok(state !== "sent" || isSent, `called sent, and was not: ${place}`);
      }
  }
}
