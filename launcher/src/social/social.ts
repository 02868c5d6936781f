// What becomes of a social event. Until it makes posts it records that the event reached it, and claims nothing more.
import type { Statement } from "../storage/sql.ts";

type Reached = { readonly seq: number };

export type SocialNeeds = {
  /** Writes a state into the receipts of events. */
  readonly handedOver: (events: readonly Reached[], by: string) => Statement;
};

export type Social = {
  readonly kind: "social";
  /** Idempotent by event id: the statements are committed together with its place in the journal. */
  receive(events: readonly Reached[]): { readonly statements: readonly Statement[] };
};

export function createSocial({ handedOver }: SocialNeeds): Social {
  return { kind: "social", receive: (events) => ({ statements: [handedOver(events, "social")] }) };
}
