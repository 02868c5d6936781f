// What becomes of deliveries whose account or launcher ended: they go on where that makes no second post, else a person looks.
import type { Network as NetworkKind } from "@kit/contract";
import type { Network } from "../networks/network.ts";
import type { Delivery } from "./outbox-store.ts";
import type { Ending, Left } from "./records.ts";
import { lookThere, mayRepeat, unanswered } from "./repeats.ts";
import { waitsAgain } from "./step-store.ts";

/** Of what a launcher left under way that was not stopped. */
export function leftUnderWay(
  left: readonly Delivery[],
  networks: Readonly<Record<NetworkKind, Pick<Network, "repeatsForMs">>>,
  nowMs: number,
): Left {
  const goesOn = ({ committedMs, network }: Delivery) => mayRepeat(committedMs, networks[network].repeatsForMs, nowMs);
  return {
    endings: left
      .filter((delivery) => !goesOn(delivery))
      .map((delivery) => ({ delivery, end: { state: "maybe", says: unanswered } })),
    goingOn: left.filter(goesOn).map((delivery) => waitsAgain(delivery.seq, delivery)),
  };
}

/** Of what waits for an account that was removed. */
export const leftByAccount = (left: readonly Delivery[]): Left => {
  const endOf = ({ committedMs }: Delivery): Ending["end"] =>
    committedMs === null
      ? { state: "dropped", says: "Its account was removed." }
      : { state: "maybe", says: `Its account was removed while a request was out. ${lookThere}` };
  return { endings: left.map((delivery) => ({ delivery, end: endOf(delivery) })), goingOn: [] };
};

/** Of what was begun with the account that was there before: a repeat goes to another one, and is no repeat. */
export const leftElsewhere = (left: readonly Delivery[]): Left => ({
  endings: left
    .filter(({ committedMs }) => committedMs !== null)
    .map((delivery) => ({ delivery, end: { state: "maybe", says: unanswered } })),
  goingOn: [],
});
