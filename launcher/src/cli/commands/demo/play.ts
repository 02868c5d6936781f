// Plays the demo game: draws its window, sends its events on time, and reports what the receipts say became of them.
import { setTimeout as pause } from "node:timers/promises";
import {
  addAccount,
  addPostRule,
  type Client,
  changeAccount,
  changeLibraryGame,
  changeRecordingRule,
  createClient,
  type DemoOutcome,
  type DemoPhase,
  type DemoStep,
  demoAccountName,
  demoGame,
  demoGameName,
  demoSocialId,
  getReceipt,
  getRecorder,
  hasCode,
  ingestOperations,
  issueIdInReceipt,
  KitError,
  listAccounts,
  listClips,
  listPostRules,
  listPosts,
  listSessions,
  type Receipt,
  type ReceiptEntry,
  type ReceiptState,
  registerGame,
  startDemoWebhook,
  textOf,
} from "@kit/contract";
import type { LauncherConnection } from "../../connection.ts";
import { demoRecordingRules, demoStory, type StoryStep } from "./story.ts";
import type { DemoWindow } from "./window.ts";

export type DemoReporter = {
  phase(phase: DemoPhase, says: string): void;
  /** Called about once a second, with the seconds since the story started. */
  second(second: number): void;
  receipt(part: DemoStep, entry: ReceiptEntry): void;
  ended(end: DemoEnd): void;
};

export type DemoEnd = {
  readonly says: string;
  readonly outcomes: readonly DemoOutcome[];
  readonly session: string | null;
};

const userAgent = "KitDemo/1.0";
const pollMs = 1_000;
/** How long to wait for the recorder. It first probes inputs and encoders, which takes long on a busy computer. */
const recorderWithinMs = 45_000;
/** How long to wait for outcomes after the story, because the last clip is cut only then. */
const outcomesWithinMs = 60_000;
/** How much footage must exist before the story starts, so that the first clip shows something. */
const bufferedMsMin = 2_000;
/** States of a receipt after which nothing happens unless a person does something. */
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

/** An acknowledged event. `seen` is how many states of its receipt were reported. */
type SentEvent = { outcome: DemoOutcome; seen: number };

type DemoRun = {
  readonly connection: LauncherConnection;
  readonly seconds: number;
  readonly window: DemoWindow | undefined;
  readonly tell: DemoReporter;
  /** Aborts when a person ends the demo. */
  readonly stop: AbortSignal;
};

// What the launcher needs for the demo: its game, its rules, and a local account whose posts need approval.

async function ensureDemoAccount(client: Client): Promise<string> {
  const [{ url }, { accounts }] = await Promise.all([client.call(startDemoWebhook), client.call(listAccounts)]);
  const existing = accounts.find(({ demo }) => demo);
  if (existing === undefined) {
    const body = { network: "webhook" as const, name: demoAccountName, fields: { url }, demo: true };
    return (await client.call(addAccount, { body })).account.id;
  }
  // The URL changes if the launcher restarted, because the demo's webhook may get another port.
  if (existing.host !== new URL(url).host)
    await client.call(changeAccount, { params: { id: existing.id }, body: { fields: { url } } });
  return existing.id;
}

/** Adds a rule that asks before posting. Without it, a person's own rule for all events might post the demo automatically. */
async function ensurePostRule(client: Client): Promise<void> {
  const { rules } = await client.call(listPostRules);
  if (rules.some(({ pattern }) => pattern === demoSocialId)) return;
  const body = {
    pattern: demoSocialId,
    accounts: [await ensureDemoAccount(client)],
    text: "A new high score in {{game}}: {{event}}!",
    approval: "ask" as const,
    cooldownSeconds: 30,
  };
  await client.call(addPostRule, { body });
}

/** Prepares the post. Returns why the demo has to do without it, or undefined. */
async function prepareSocial(client: Client): Promise<string | undefined> {
  try {
    await ensurePostRule(client);
    return undefined;
  } catch (error) {
    if (!(error instanceof KitError)) throw error;
    return `The demo skips its post: ${error.message}`;
  }
}

/** Prepares everything. Returns why the demo has to do without its post, or undefined. */
async function prepareDemo(client: Client, seconds: number): Promise<string | undefined> {
  await client.call(registerGame, { body: { game: demoGame } });
  // Naming the game may fail without harm: the game is then shown with its prefix.
  await client.call(changeLibraryGame, { body: { game: demoGame, name: demoGameName } }).catch(() => undefined);
  for (const rule of demoRecordingRules(seconds)) await client.call(changeRecordingRule, { body: rule });
  return prepareSocial(client);
}

export class DemoPlayer {
  readonly #run: DemoRun;
  readonly #client: Client;
  /** Sends events as a game does, without credentials. */
  readonly #game: Client;
  readonly #sent: SentEvent[] = [];
  /** When the story began. Undefined until the first event was sent and the recorder is ready. */
  #begunMs: number | undefined;

  constructor(run: DemoRun) {
    this.#run = run;
    this.#client = run.connection.client;
    this.#game = createClient(run.connection.baseUrl, () => ({ "user-agent": userAgent }));
  }

  /** Plays the whole demo. If the launcher stops, throws the error of `fetch`. */
  async play(): Promise<void> {
    const { seconds, window, tell, stop } = this.#run;
    const openedMs = performance.now();
    const startedAtMs = Date.now();
    const noPostReason = await prepareDemo(this.#client, seconds);
    const clock = () => (performance.now() - openedMs) / 1_000;
    const drawing = window?.play(() => ({ clock: clock(), second: this.#second(), seconds }));
    try {
      await this.#playStory(noPostReason);
      window?.close();
      if (!stop.aborted) tell.phase("telling", "The story is over. Waiting for the last clips and posts.");
      const says = await this.#waitForOutcomes();
      const session = await this.#sessionSince(startedAtMs);
      tell.ended({ says, outcomes: this.#sent.map(({ outcome }) => outcome), session });
    } finally {
      window?.close();
      await drawing;
    }
  }

  /** Returns the seconds since the story began, at most its length. */
  #second(): number {
    if (this.#begunMs === undefined) return 0;
    return Math.min(this.#run.seconds, (performance.now() - this.#begunMs) / 1_000);
  }

  #sleep(ms: number): Promise<unknown> {
    return pause(Math.max(0, ms), undefined, { signal: this.#run.stop }).catch(() => undefined);
  }

  async #playStory(noPostReason: string | undefined): Promise<void> {
    const { seconds, tell, stop } = this.#run;
    const [first, ...rest] = demoStory;
    if (first !== undefined) await this.#playStep(first, noPostReason);
    tell.phase("waiting", "Waiting for Kit's recorder.");
    tell.phase("waiting", await this.#waitForRecorder());
    this.#begunMs = performance.now();
    for (const step of rest) {
      await this.#followUntil(step.at * seconds);
      if (stop.aborted) return;
      await this.#playStep(step, noPostReason);
    }
    await this.#followUntil(seconds);
  }

  async #playStep(step: StoryStep, noPostReason: string | undefined): Promise<void> {
    const { tell } = this.#run;
    if (step.sends.kind === "social" && noPostReason !== undefined) return tell.phase(step.name, noPostReason);
    tell.phase(step.name, step.says);
    try {
      const event = await this.#send(step);
      const outcome = { part: step.name, event, state: "accepted" as const, reason: null };
      this.#sent.push({ outcome: { ...outcome, clip: null, issue: null, post: null }, seen: 0 });
    } catch (error) {
      if (!(error instanceof KitError)) throw error;
      tell.phase(step.name, `The launcher refused the event: ${error.message}`);
    }
  }

  /** Sends an event as a binding does, in one POST without credentials. Returns its id. */
  async #send({ sends: { kind, ...payload } }: StoryStep): Promise<string> {
    const body = { ...payload, timestamp: new Date().toISOString() };
    return ((await this.#game.call(ingestOperations[kind], { body } as never)) as { id: string }).id;
  }

  /** Waits until the recorder has footage or cannot record. Returns a sentence about the recorder's state. */
  async #waitForRecorder(): Promise<string> {
    const endMs = performance.now() + recorderWithinMs;
    let recordingSinceMs: number | undefined;
    for (;;) {
      const { state } = await this.#client.call(getRecorder);
      const isRecording = state.state === "recording" && !hasCode(state.detail, "recorder.still_probing");
      recordingSinceMs = isRecording ? (recordingSinceMs ?? performance.now()) : undefined;
      if (recordingSinceMs !== undefined && performance.now() - recordingSinceMs >= bufferedMsMin)
        return `The recorder has footage. ${textOf(state.detail)}`;
      if (this.#run.stop.aborted) return "The demo was ended before the recorder was ready.";
      if (state.state === "off" || state.state === "broken")
        return `There will be no footage: ${textOf(state.detail)} Moments become markers without video.`;
      if (performance.now() > endMs)
        return `The recorder is not ready yet: ${textOf(state.detail)} The story starts anyway.`;
      await this.#sleep(pollMs / 2);
    }
  }

  /** Reports new states of receipts once a second, until this second of the story. */
  async #followUntil(second: number): Promise<void> {
    const { tell, stop } = this.#run;
    for (let left = second - this.#second(); left > 0 && !stop.aborted; left = second - this.#second()) {
      await this.#sleep(Math.min(pollMs, left * 1_000));
      await this.#pollReceipts();
      tell.second(this.#second());
    }
  }

  /** Waits until all outcomes are final, but not longer than `outcomesWithinMs`. Returns the sentence that ends the demo. */
  async #waitForOutcomes(): Promise<string> {
    const endMs = performance.now() + outcomesWithinMs;
    for (;;) {
      await this.#pollReceipts();
      const isSettled = await this.#isSettled();
      if (this.#run.stop.aborted) return "The demo was ended early. The events it sent are stored.";
      if (isSettled) return "The demo is over. These are the outcomes.";
      if (performance.now() > endMs)
        return "The demo is over. Some events are still in progress; their receipts show the outcome later.";
      await this.#sleep(pollMs);
    }
  }

  /** Reads all receipts once, and reports each new state in order. */
  async #pollReceipts(): Promise<void> {
    for (const sent of this.#sent) {
      const { part, event: id } = sent.outcome;
      const receipt = await this.#client.call(getReceipt, { params: { id } });
      for (const entry of receipt.states.slice(sent.seen)) this.#run.tell.receipt(part, entry);
      if (receipt.states.length > sent.seen) sent.outcome = await this.#outcomeOf(sent.outcome, receipt);
      sent.seen = receipt.states.length;
    }
  }

  async #outcomeOf(before: DemoOutcome, { event, states }: Receipt): Promise<DemoOutcome> {
    return {
      ...before,
      state: event.state,
      reason: states.at(-1)?.reason ?? null,
      clip: await this.#savedClipId(event.id),
      issue: issueIdInReceipt(states) ?? null,
      post: states.some(({ state }) => state === "drafted") ? await this.#postId(event.id) : null,
    };
  }

  /** Whether all receipts are final and no clip is pending. */
  async #isSettled(): Promise<boolean> {
    if (!this.#sent.every(({ outcome }) => finalStates.has(outcome.state))) return false;
    const { clips } = await this.#client.call(listClips, { query: { game: demoGame, state: "pending", limit: 1 } });
    if (clips.length > 0) return false;
    // An error's clip can be saved after the last state of its receipt, so the clips are looked for again.
    for (const sent of this.#sent)
      sent.outcome = { ...sent.outcome, clip: await this.#savedClipId(sent.outcome.event) };
    return true;
  }

  /** Returns the id of the event's clip, or null if none is saved yet. */
  async #savedClipId(event: string): Promise<string | null> {
    const { clips } = await this.#client.call(listClips, { query: { event } });
    return clips.find(({ state }) => state === "saved")?.id ?? null;
  }

  async #postId(event: string): Promise<string | null> {
    const { posts } = await this.#client.call(listPosts, { query: { game: demoGame } });
    return posts.find((post) => post.event === event)?.id ?? null;
  }

  /** Returns the id of the demo's newest session, or null if it was not active since `atMs`. */
  async #sessionSince(atMs: number): Promise<string | null> {
    const { sessions } = await this.#client.call(listSessions, { query: { game: demoGame, limit: 1 } });
    const [newest] = sessions;
    return newest !== undefined && Date.parse(newest.lastEventAt ?? newest.startedAt) >= atMs ? newest.id : null;
  }
}
