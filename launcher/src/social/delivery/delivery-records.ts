// Writes the end of a delivery together with what follows from it: the states of its account and post, and the receipt.
import type { Message, PostState, ReceiptState } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Serialize } from "../../async.ts";
import type { Statement } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import { type ReceiptStateStatement, receiptOwner } from "../posts/receipts.ts";
import {
  type Delivery,
  type DeliveryEnd,
  type DeliveryStore,
  endDelivery,
  requeueDelivery,
  updatePostState,
} from "./delivery-store.ts";

export type DeliveryRecordsDeps = {
  readonly store: Pick<DeliveryStore, "ofPost">;
  readonly storage: Pick<Storage, "write">;
  readonly stateReached: ReceiptStateStatement;
  readonly now: () => number;
  /** Runs one write after another: of two deliveries that end at the same time, each would find the other one running. */
  readonly serialize: Serialize;
  readonly onChanged: (what: "accounts" | "posts") => void;
  readonly onReceipts: () => void;
};

type DeliveryEnding = { readonly delivery: Delivery; readonly end: DeliveryEnd };

type Standing = Pick<Delivery, "name" | "state" | "says" | "demo">;

const underWay: ReadonlySet<string> = new Set(["waiting", "preparing", "sending"]);

/** Returns the state of a post that follows from its deliveries. Undefined while one of them is not finished. */
export function postStateOf(deliveries: readonly Pick<Delivery, "state">[]): PostState | undefined {
  const has = (state: Delivery["state"]) => deliveries.some((one) => one.state === state);
  if (deliveries.some(({ state }) => underWay.has(state))) return undefined;
  if (has("failed")) return "failed";
  if (has("maybe")) return "unsure";
  // Dropped deliveries do not count. If there are no others, the post is skipped.
  return has("sent") ? "sent" : "skipped";
}

const countAccounts = (count: number): Message =>
  count === 1 ? message("count.account") : message("count.accounts", { count });

/** Returns why a post failed: each account's problem, how many accounts have the post, and how many deliveries were dropped. */
function failureReason(told: readonly Standing[], sent: number, dropped: number, isUnsure: boolean): Message {
  const each = told.map(({ name, says }) => message("join.reason", { what: name, why: says ?? "" }));
  let problems = each.reduce((first, second) => message("join.sentences", { first, second }));
  if (isUnsure) problems = message("post.not_confirmed", { problems });
  if (sent > 0) problems = message("post.sent_partly", { accounts: countAccounts(sent), problems });
  return dropped > 0 ? message("post.given_up_partly", { problems, accounts: countAccounts(dropped) }) : problems;
}

function receiptOf(state: PostState, deliveries: readonly Standing[]): readonly [ReceiptState, Message] {
  const these = (wanted: Delivery["state"]) => deliveries.filter((one) => one.state === wanted);
  const sent = these("sent").filter(({ demo }) => !demo).length;
  const dropped = these("dropped").length;
  if (state === "skipped") return ["ignored", message("post.given_up")];
  if (state !== "sent")
    return ["failed", failureReason([...these("failed"), ...these("maybe")], sent, dropped, state === "unsure")];
  if (sent === 0) return ["approved", message("post.in_demo")];
  const accounts = countAccounts(sent);
  return dropped === 0
    ? ["sent", message("post.sent_to", { accounts })]
    : ["sent", message("post.sent_to_some", { accounts, dropped: countAccounts(dropped) })];
}

export type DeliveryRecords = ReturnType<typeof createDeliveryRecords>;

export function createDeliveryRecords({
  store,
  storage,
  stateReached,
  now,
  serialize,
  onChanged,
  onReceipts,
}: DeliveryRecordsDeps) {
  /** Returns the statements that update the posts of these deliveries. Several of them may belong to one post. */
  const postUpdates = async (endings: readonly DeliveryEnding[]): Promise<Statement[]> => {
    const statements: Statement[] = [];
    for (const [postSeq, ofPost] of Map.groupBy(endings, ({ delivery }) => delivery.postSeq)) {
      const [{ postState, eventSeq }] = ofPost.map(({ delivery }) => delivery) as [Delivery];
      if (postState === "draft" || postState === "approved") continue;
      const ends = new Map(ofPost.map(({ delivery, end }) => [delivery.seq, end]));
      const all = (await store.ofPost(postSeq)).map((one) => ({ ...one, ...ends.get(one.seq) }));
      const state = postStateOf(all);
      if (state === undefined) continue;
      const [said, why] = receiptOf(state, all);
      statements.push(
        updatePostState(postSeq, state),
        stateReached(receiptOwner(eventSeq), said, "social", now(), why),
      );
    }
    return statements;
  };
  const commit = async (endings: readonly DeliveryEnding[], more: readonly Statement[]) => {
    const ends = endings.map(({ delivery, end }) => endDelivery(delivery.seq, end));
    const posts = await postUpdates(endings);
    if (ends.length + more.length === 0) return;
    await storage.write(...ends, ...more, ...posts);
    onChanged("posts");
    onChanged("accounts");
    if (posts.length > 0) onReceipts();
  };
  return {
    /** Ends a delivery, with further statements in the same commit. */
    endDelivery: (delivery: Delivery, end: DeliveryEnd, ...more: Statement[]) =>
      serialize(() => commit([{ delivery, end }], more)),
    /** Like `endDelivery`, for a caller that already runs in the serial queue. */
    endDeliveryInTurn: (delivery: Delivery, end: DeliveryEnd) => commit([{ delivery, end }], []),
    /** Finds deliveries and ends them, in one task of the serial queue. A delivery without an end waits for another attempt. */
    endAll: (
      find: () => Promise<Delivery[]>,
      endOf: (delivery: Delivery) => DeliveryEnd | undefined,
      ...more: Statement[]
    ) =>
      serialize(async () => {
        const found = (await find()).map((delivery) => ({ delivery, end: endOf(delivery) }));
        const requeued = found.flatMap(({ delivery, end }) => (end ? [] : [requeueDelivery(delivery.seq, delivery)]));
        const endings = found.flatMap(({ delivery, end }) => (end ? [{ delivery, end }] : []));
        await commit(endings, [...requeued, ...more]);
      }),
    /** Writes changes of a delivery that has not ended. */
    async writeProgress(...statements: Statement[]): Promise<void> {
      await storage.write(...statements);
      onChanged("posts");
      onChanged("accounts");
    },
  };
}
