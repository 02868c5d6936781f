// Tracks the outcome of each event of the demo game, from the launcher's receipts.
import {
  type Client,
  type DemoOutcome,
  type DemoPart,
  demoGame,
  getReceipt,
  listClips,
  listPosts,
  listSessions,
  type Receipt,
  type ReceiptEntry,
  type ReceiptState,
} from "@kit/contract";

/** States after which nothing more happens without a person. */
const finalStates: ReadonlySet<ReceiptState> = new Set([
  "ignored",
  "saved",
  "marked",
  "grouped",
  "drafted",
  "approved",
  "sent",
  "failed",
]);

const issueInReason = /^issue ([\w-]{1,64})(?::|$)/u;

export type Outcomes = {
  /** Tracks an event that the launcher acknowledged. */
  addEvent(part: DemoPart, event: string): void;
  /** Reads all receipts once, and calls `onState` for each new state in order. */
  poll(onState: (part: DemoPart, entry: ReceiptEntry) => void): Promise<void>;
  /** Whether all receipts are final and no clip is pending. */
  isSettled(): Promise<boolean>;
  all(): DemoOutcome[];
};

type TrackedEvent = { outcome: DemoOutcome; seen: number };

/** The id of the event's saved clip, or null while there is none. */
const savedClipId = async (client: Client, event: string): Promise<string | null> =>
  (await client.call(listClips, { query: { event } })).clips.find(({ state }) => state === "saved")?.id ?? null;

const findPostId = async (client: Client, event: string): Promise<string | null> =>
  (await client.call(listPosts, { query: { game: demoGame } })).posts.find((post) => post.event === event)?.id ?? null;

async function updateOutcome(client: Client, before: DemoOutcome, { event, states }: Receipt): Promise<DemoOutcome> {
  const last = states.at(-1);
  const grouped = states.findLast(({ state }) => state === "grouped");
  const isDrafted = states.some(({ state }) => state === "drafted");
  return {
    ...before,
    state: event.state,
    reason: last?.reason ?? null,
    clip: await savedClipId(client, event.id),
    issue: issueInReason.exec(grouped?.reason ?? "")?.[1] ?? null,
    post: isDrafted ? await findPostId(client, event.id) : null,
  };
}

export function createOutcomes(client: Client): Outcomes {
  const followed = new Map<string, TrackedEvent>();
  const pollEvent = async (one: TrackedEvent, onState: (part: DemoPart, entry: ReceiptEntry) => void) => {
    const { part, event: id } = one.outcome;
    const receipt = await client.call(getReceipt, { params: { id } });
    for (const entry of receipt.states.slice(one.seen)) onState(part, entry);
    if (receipt.states.length > one.seen) one.outcome = await updateOutcome(client, one.outcome, receipt);
    one.seen = receipt.states.length;
  };
  return {
    addEvent(part, event) {
      const none = { clip: null, issue: null, post: null, reason: null };
      followed.set(event, { outcome: { part, event, state: "accepted", ...none }, seen: 0 });
    },
    async poll(onState) {
      for (const one of followed.values()) await pollEvent(one, onState);
    },
    async isSettled() {
      if (![...followed.values()].every(({ outcome }) => finalStates.has(outcome.state))) return false;
      const { clips } = await client.call(listClips, { query: { game: demoGame, state: "pending", limit: 1 } });
      if (clips.length > 0) return false;
      // The clip of an error can be saved after the last state of its receipt, so look for clips again.
      for (const one of followed.values())
        one.outcome = { ...one.outcome, clip: await savedClipId(client, one.outcome.event) };
      return true;
    },
    all: () => [...followed.values()].map(({ outcome }) => outcome),
  };
}

/** The id of the demo's newest session if it was active since `atMs`, otherwise null. */
export async function sessionSince(client: Client, atMs: number): Promise<string | null> {
  const { sessions } = await client.call(listSessions, { query: { game: demoGame, limit: 1 } });
  const [newest] = sessions;
  return newest !== undefined && Date.parse(newest.lastEventAt ?? newest.startedAt) >= atMs ? newest.id : null;
}
