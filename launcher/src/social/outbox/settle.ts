// What a person decides on a delivery that may have arrived or has failed: it arrived, it is sent again, or it is given up.
import { randomUUIDv7 } from "node:crypto";
import { type BodyOf, KitError, type settleDelivery } from "@kit/contract";
import type { Statement } from "../../storage/sql.ts";
import type { Delivery, OutboxStore } from "./outbox-store.ts";
import type { Records, RecordsNeeds } from "./records.ts";
import { anew, type End, postReached } from "./step-store.ts";

export type SettleNeeds = Pick<RecordsNeeds, "stateReached" | "now" | "inTurn" | "onReceipts"> & {
  readonly store: Pick<OutboxStore, "find">;
  readonly records: Pick<Records, "endedInTurn" | "moved">;
  readonly isConnected: (account: string) => Promise<boolean>;
};

export type SettledAs = BodyOf<typeof settleDelivery>["as"];

const endOf = (as: "sent" | "dropped", nowMs: number): End =>
  as === "sent"
    ? { state: "sent", says: "You saw it there.", sentMs: nowMs }
    : { state: "dropped", says: "You gave it up." };

export function createSettle({ store, records, stateReached, now, inTurn, onReceipts, isConnected }: SettleNeeds) {
  const again = async ({ seq, postSeq, eventSeq, account, name }: Delivery) => {
    if (!(await isConnected(account)))
      throw new KitError("payload_invalid", `${name} is not connected any more. Give this delivery up.`);
    const said: Statement = stateReached([{ seq: eventSeq }], "approved", "social", now(), `sent again to ${name}`);
    await records.moved(anew(seq, randomUUIDv7()), postReached(postSeq, "sending"), said);
    onReceipts();
  };
  return (post: string, account: string, as: SettledAs): Promise<void> =>
    inTurn(async () => {
      const delivery = await store.find(post, account);
      if (delivery === undefined) throw new KitError("not_found", "There is no such delivery.");
      if (delivery.state !== "maybe" && delivery.state !== "failed")
        throw new KitError("payload_invalid", `There is nothing to decide: the delivery is ${delivery.state}.`);
      if (as === "again") await again(delivery);
      else await records.endedInTurn(delivery, endOf(as, now()));
    });
}
