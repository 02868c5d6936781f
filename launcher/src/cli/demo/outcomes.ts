// What became of each event the made-up game sent, read from receipts: nothing is said here that no receipt says.
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

/** Nothing more comes of it by itself. */
const settled: ReadonlySet<ReceiptState> = new Set([
  "ignored",
  "saved",
  "marked",
  "grouped",
  "drafted",
  "approved",
  "sent",
  "failed",
]);

const inReason = /^issue ([\w-]{1,64})(?::|$)/u;

export type Outcomes = {
  /** It was acknowledged under that id. */
  sent(part: DemoPart, event: string): void;
  /** Looks once; calls `onState` for each state that is new, in order. */
  look(onState: (part: DemoPart, entry: ReceiptEntry) => void): Promise<void>;
  /** Nothing is under way any more, as far as receipts and clips say. */
  isSettled(): Promise<boolean>;
  all(): DemoOutcome[];
};

type Followed = { outcome: DemoOutcome; seen: number };

/** Only what can be shown: one that is still being cut is none yet. */
const clipOf = async (client: Client, event: string): Promise<string | null> =>
  (await client.call(listClips, { query: { event } })).clips.find(({ state }) => state === "saved")?.id ?? null;

const postOf = async (client: Client, event: string): Promise<string | null> =>
  (await client.call(listPosts, { query: { game: demoGame } })).posts.find((post) => post.event === event)?.id ?? null;

async function told(client: Client, before: DemoOutcome, { event, states }: Receipt): Promise<DemoOutcome> {
  const last = states.at(-1);
  const grouped = states.findLast(({ state }) => state === "grouped");
  const isDrafted = states.some(({ state }) => state === "drafted");
  return {
    ...before,
    state: event.state,
    reason: last?.reason ?? null,
    clip: await clipOf(client, event.id),
    issue: inReason.exec(grouped?.reason ?? "")?.[1] ?? null,
    post: isDrafted ? await postOf(client, event.id) : null,
  };
}

export function createOutcomes(client: Client): Outcomes {
  const followed = new Map<string, Followed>();
  const lookAt = async (one: Followed, onState: (part: DemoPart, entry: ReceiptEntry) => void) => {
    const { part, event: id } = one.outcome;
    const receipt = await client.call(getReceipt, { params: { id } });
    for (const entry of receipt.states.slice(one.seen)) onState(part, entry);
    if (receipt.states.length > one.seen) one.outcome = await told(client, one.outcome, receipt);
    one.seen = receipt.states.length;
  };
  return {
    sent(part, event) {
      const none = { clip: null, issue: null, post: null, reason: null };
      followed.set(event, { outcome: { part, event, state: "accepted", ...none }, seen: 0 });
    },
    async look(onState) {
      for (const one of followed.values()) await lookAt(one, onState);
    },
    async isSettled() {
      if (![...followed.values()].every(({ outcome }) => settled.has(outcome.state))) return false;
      const { clips } = await client.call(listClips, { query: { game: demoGame, state: "pending", limit: 1 } });
      if (clips.length > 0) return false;
      // A clip may be finished later than the last that its events' receipts say, as that of an error is.
      for (const one of followed.values())
        one.outcome = { ...one.outcome, clip: await clipOf(client, one.outcome.event) };
      return true;
    },
    all: () => [...followed.values()].map(({ outcome }) => outcome),
  };
}

/** The run's session: the newest of the game that has begun since. Null while there is none. */
export async function sessionSince(client: Client, atMs: number): Promise<string | null> {
  const { sessions } = await client.call(listSessions, { query: { game: demoGame, limit: 1 } });
  const [newest] = sessions;
  return newest !== undefined && Date.parse(newest.lastEventAt ?? newest.startedAt) >= atMs ? newest.id : null;
}
