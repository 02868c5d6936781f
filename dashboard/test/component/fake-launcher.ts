// A launcher for component tests: a client whose replies a test decides. The compiler checks each reply against the contract.
import {
  allSwitchesOn,
  type Client,
  callAddress,
  type FeedItem,
  type Given,
  getCommandOptions,
  getHealth,
  getRecorder,
  KitError,
  listAccounts,
  listEvents,
  listGames,
  listIssues,
  listNotices,
  listOrigins,
  listPosts,
  listSessions,
  listWipes,
  type Operation,
  type ReplyOf,
  streamFeed,
} from "@kit/contract";
import { reportOf } from "../clip-samples.ts";

type Answer<O extends Operation> = (given: Given<O>) => ReplyOf<O> | Promise<ReplyOf<O>>;
type AnyAnswer = (given: never) => unknown;
type Topic = Extract<FeedItem, { type: "changed" }>["what"];

export type FakeLauncher = {
  readonly client: Client;
  /** Decides the reply to an operation from now on. `reply` may throw a `KitError`. */
  when<O extends Operation>(declared: O): { reply(answer: Answer<O>): void };
  /** Refuses the next call of an operation with this sentence. */
  refuseNext(declared: Operation, detail: string): void;
  /** The requested changes, in order, as `PUT /api/posts/1 {"text":"x"}`. A test may empty it. */
  readonly changes: string[];
  /** The requests that only read, in order, as `/api/posts?limit=1`. A test may empty it. */
  readonly asked: string[];
  /** Operations whose reply the test decides; the others are those of a launcher on which nothing has happened. */
  readonly decided: ReadonlySet<string>;
  /** Operations that were called although the test gives no reply to them. They fail the test. */
  readonly unanswered: Set<string>;
  /** The addresses of the open feeds, such as `/api/feed?game=mygame`. */
  followed(): string[];
  /** Sends an item to every open feed. */
  send(item: FeedItem): void;
  /** Tells every open feed what has changed. */
  tell(what: Topic): void;
  /** Breaks every feed, and fails every request as the browser does without a launcher, until `start`. */
  stop(): void;
  start(): void;
};

/** What the frame of every page asks of a launcher on which nothing has happened yet. */
function answerFrame(when: FakeLauncher["when"]): void {
  when(getHealth).reply(() => ({
    product: "kit",
    version: "1.0.0",
    capabilities: [],
    storage: { state: "ok", notices: [] },
    dropped: { evicted: 0, refusals: 0, events: 0 },
  }));
  when(getCommandOptions).reply(() => ({ program: "npx kit", options: "" }));
  when(getRecorder).reply(() => reportOf());
  when(listAccounts).reply(() => ({ accounts: [] }));
  when(listEvents).reply(() => ({ events: [], cursor: "0", more: false }));
  when(listGames).reply(() => ({ services: allSwitchesOn, games: [], rules: [] }));
  when(listIssues).reply(() => ({ issues: [], more: false, forgotten: { issues: 0, reports: 0 } }));
  when(listNotices).reply(() => ({ notices: [], more: false, unseen: 0, gone: 0 }));
  when(listOrigins).reply(() => ({ origins: [], dropped: 0 }));
  when(listPosts).reply(() => ({ posts: [], more: false, drafts: 0, held: 0 }));
  when(listSessions).reply(() => ({ sessions: [], more: false, forgotten: 0 }));
  when(listWipes).reply(() => ({ wipes: [] }));
}

export function createFakeLauncher(): FakeLauncher {
  const answers = new Map<string, AnyAnswer>();
  const refusals = new Map<string, string>();
  const feeds = new Map<ReadableStreamDefaultController<Uint8Array>, string>();
  const [changes, asked, unanswered]: [string[], string[], Set<string>] = [[], [], new Set()];
  let sent = 0;
  let isStopped = false;

  const failIfStopped = () => {
    if (isStopped) throw new TypeError("Failed to fetch");
  };
  const openFeed = (address: string, signal?: AbortSignal) =>
    new Response(
      new ReadableStream<Uint8Array>({
        start(feed) {
          feeds.set(feed, address);
          signal?.addEventListener("abort", () => feeds.delete(feed) && feed.error(signal.reason));
        },
      }),
    );
  const ask = async (declared: Operation, given: object = {}) => {
    failIfStopped();
    const body = "body" in given ? ` ${JSON.stringify(given.body)}` : "";
    const address = `${callAddress(declared, given)}${body}`;
    if (declared.method === "GET") asked.push(address);
    else changes.push(`${declared.method} ${address}`);
    const refusal = refusals.get(declared.id);
    refusals.delete(declared.id);
    if (refusal !== undefined) throw new KitError("payload_invalid", refusal);
    const answer = answers.get(declared.id);
    if (answer !== undefined) return await answer(given as never);
    unanswered.add(declared.id);
    throw new Error(`this test gives no reply to ${declared.id}`);
  };
  const decided = new Set<string>();
  const when: FakeLauncher["when"] = ({ id }) => ({
    reply: (answer) => {
      answers.set(id, answer as AnyAnswer);
      decided.add(id);
    },
  });
  const send = (item: FeedItem) => {
    sent += 1;
    const bytes = new TextEncoder().encode(`id: ${sent}\ndata: ${JSON.stringify(item)}\n\n`);
    for (const feed of feeds.keys()) feed.enqueue(bytes);
  };
  answerFrame(when);
  decided.clear();
  return {
    client: {
      call: (declared, given) => ask(declared, given) as never,
      open: async (declared, given, init) => {
        failIfStopped();
        if (declared.id === streamFeed.id) return openFeed(callAddress(declared, given ?? {}), init?.signal);
        return (await ask(declared, given)) as Response;
      },
    },
    ...{ when, changes, asked, decided, unanswered, send },
    refuseNext: ({ id }, detail) => void refusals.set(id, detail),
    followed: () => [...feeds.values()],
    tell: (what) => send({ type: "changed", what }),
    stop() {
      isStopped = true;
      for (const feed of feeds.keys()) feed.error(new TypeError("network error"));
      feeds.clear();
    },
    start() {
      isStopped = false;
    },
  };
}
