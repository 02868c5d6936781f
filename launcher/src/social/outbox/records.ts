// Writes how a delivery ended, and in the same commit how its post fares by that and what the receipt of its event says.
import type { PostState, ReceiptState } from "@kit/contract";
import type { Serialize } from "../../async/serial.ts";
import type { Statement } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Delivery, OutboxStore } from "./outbox-store.ts";
import { type End, ended, postReached } from "./step-store.ts";

export type RecordsNeeds = {
  readonly store: Pick<OutboxStore, "ofPost">;
  readonly storage: Pick<Storage, "write">;
  readonly stateReached: (
    events: readonly { readonly seq: number }[],
    state: ReceiptState,
    by: string,
    atMs: number,
    reason: string | null,
  ) => Statement;
  readonly now: () => number;
  /** Of two deliveries that end at once, each would find the other under way. */
  readonly serialize: Serialize;
  readonly onChanged: (what: "accounts" | "posts") => void;
  readonly onReceipts: () => void;
};

/** A delivery that ended, and how. */
export type Ending = { readonly delivery: Delivery; readonly end: End };
export type Left = { readonly endings: readonly Ending[]; readonly goingOn: readonly Statement[] };

type Standing = Pick<Delivery, "name" | "state" | "says">;

const underWay: ReadonlySet<string> = new Set(["waiting", "preparing", "sending"]);

/** What a post is by its deliveries; undefined while one is under way. */
export function postStateOf(deliveries: readonly Pick<Delivery, "state">[]): PostState | undefined {
  const has = (state: Delivery["state"]) => deliveries.some((one) => one.state === state);
  if (deliveries.some(({ state }) => underWay.has(state))) return undefined;
  if (has("failed")) return "failed";
  if (has("maybe")) return "unsure";
  // What was given up is nobody's concern any more.
  return has("sent") ? "sent" : "skipped";
}

const accounts = (count: number) => `${count} ${count === 1 ? "account" : "accounts"}`;

function receiptOf(state: PostState, deliveries: readonly Standing[]): readonly [ReceiptState, string] {
  const these = (wanted: Delivery["state"]) => deliveries.filter((one) => one.state === wanted);
  const sent = these("sent").length;
  const dropped = these("dropped").length;
  const rest = dropped > 0 ? `; ${accounts(dropped)} given up` : "";
  const first = sent > 0 ? `posted to ${accounts(sent)}; ` : "";
  if (state === "sent") return ["sent", `to ${accounts(sent)}${rest}`];
  if (state === "skipped") return ["ignored", "given up on every account"];
  const told = [...these("failed"), ...these("maybe")].map(({ name, says }) => `${name}: ${says}`);
  return ["failed", `${first}${state === "unsure" ? "not confirmed, " : ""}${told.join(" ")}${rest}`];
}

export type Records = ReturnType<typeof createRecords>;

export function createRecords({ store, storage, stateReached, now, serialize, onChanged, onReceipts }: RecordsNeeds) {
  /** What follows for the posts whose deliveries these are: several may be of one. */
  const following = async (endings: readonly Ending[]): Promise<Statement[]> => {
    const statements: Statement[] = [];
    for (const [postSeq, ofPost] of Map.groupBy(endings, ({ delivery }) => delivery.postSeq)) {
      const [{ postState, eventSeq }] = ofPost.map(({ delivery }) => delivery) as [Delivery];
      if (postState === "draft" || postState === "approved") continue;
      const ends = new Map(ofPost.map(({ delivery, end }) => [delivery.seq, end]));
      const all = (await store.ofPost(postSeq)).map((one) => ({ ...one, ...ends.get(one.seq) }));
      const state = postStateOf(all);
      if (state === undefined) continue;
      const [said, why] = receiptOf(state, all);
      statements.push(postReached(postSeq, state), stateReached([{ seq: eventSeq }], said, "social", now(), why));
    }
    return statements;
  };
  const commit = async (endings: readonly Ending[], more: readonly Statement[]) => {
    const ends = endings.map(({ delivery, end }) => ended(delivery.seq, end));
    const posts = await following(endings);
    if (ends.length + more.length === 0) return;
    await storage.write(...ends, ...more, ...posts);
    onChanged("posts");
    onChanged("accounts");
    if (posts.length > 0) onReceipts();
  };
  return {
    /** With whatever has to be written together with it. */
    ended: (delivery: Delivery, end: End, ...more: Statement[]) => serialize(() => commit([{ delivery, end }], more)),
    /** The same for whoever has the turn. */
    endedInTurn: (delivery: Delivery, end: End) => commit([{ delivery, end }], []),
    /** What `find` gives, found and written in one turn. */
    all: (find: () => Promise<Left>, ...more: Statement[]) =>
      serialize(async () => {
        const { endings, goingOn } = await find();
        await commit(endings, [...goingOn, ...more]);
      }),
    /** Not ended: it moves on. */
    async moved(...statements: Statement[]): Promise<void> {
      await storage.write(...statements);
      onChanged("posts");
      onChanged("accounts");
    },
  };
}
