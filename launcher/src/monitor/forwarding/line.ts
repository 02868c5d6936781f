// One target's line: sends what waits for it, the oldest first, one request at a time, and waits as it is told to.
import type { ForwardKind } from "@kit/contract";
import type { Statement } from "../../storage/sql.ts";
import { delivered, givenUp, type OutboxStore, refusedOnce } from "./outbox-store.ts";
import { faultOf } from "./post.ts";
import { batchMax, type OutgoingReport, type Send, type Tried, type Waiting } from "./report.ts";
import { failed, stoppedFor, waits } from "./target-store.ts";
import { backoffMs } from "./verdict.ts";

/** A server that asks for more is asked again then. */
const longestWaitMs = 86_400_000;
const storageRetryMs = 10_000;

export type LineNeeds = {
  readonly id: string;
  readonly kind: ForwardKind;
  /** Nothing is sent before; from an earlier start. */
  readonly notBeforeMs: number;
  readonly store: OutboxStore;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Undefined when the target's address is not there. */
  readonly open: () => Promise<Send | undefined>;
  readonly tell: (report: Waiting) => Promise<OutgoingReport>;
  /** Its address cannot be had, or the server said no for good: it ends by itself. */
  readonly onStopped: () => void;
  readonly onFailure: (error: unknown) => void;
  readonly withinMs: number;
};

export type Line = {
  /** There may be something new. */
  wake(): void;
  /** Ends the request under way: what it sent is sent again. */
  stop(): Promise<void>;
};

export const withoutAddress = "Its address and key are not there. Give them again, or delete the target.";

export function startLine(needs: LineNeeds): Line {
  const { id, kind, store, write, now, random } = needs;
  const stopping = new AbortController();
  let signal = Promise.withResolvers<void>();
  let { notBeforeMs } = needs;
  let failures = 0;
  let size = batchMax[kind];
  let send: Send | undefined;
  let isStopped = false;

  const stopFor = async (why: string) => {
    await write(stoppedFor(id, why, now()));
    isStopped = true;
  };
  const wait = (untilMs: number, because: "rate-limit" | "failure") => {
    notBeforeMs = Math.min(untilMs, now() + longestWaitMs);
    return waits(id, { untilMs: notBeforeMs, because });
  };
  const putOff = async (says: string, untilMs: number | null) => {
    failures += 1;
    const waiting =
      untilMs === null ? wait(now() + backoffMs(failures, random()), "failure") : wait(untilMs, "rate-limit");
    await write(failed(id, says, now()), waiting);
  };
  const giveUp = async (seqs: readonly number[], says: string) => {
    if (seqs.length > 1) size = Math.ceil(seqs.length / 2);
    else await write(...givenUp(id, seqs), failed(id, says, now()));
  };
  const record = async (reports: readonly Waiting[], { verdict, notBeforeMs: untilMs, status }: Tried) => {
    const seqs = reports.map(({ seq }) => seq);
    const limit = untilMs === null ? [] : [wait(untilMs, "rate-limit")];
    if (verdict.outcome === "later") return putOff(verdict.says, untilMs);
    if (verdict.outcome === "unreadable") return giveUp(seqs, verdict.says);
    if (verdict.outcome === "stopped") {
      // A report that was the reason twice does not hold up the others for ever.
      if (status === 400 && reports.every(({ refused }) => refused > 0)) return giveUp(seqs, verdict.says);
      if (status === 400) await write(refusedOnce(seqs));
      return stopFor(verdict.says);
    }
    failures = 0;
    size = batchMax[kind];
    const rejected = verdict.outcome === "partly" ? verdict.rejected : 0;
    const fault = verdict.outcome === "partly" ? [failed(id, verdict.says, now())] : [];
    await write(...delivered(id, seqs, now(), Math.min(rejected, seqs.length)), ...fault, ...limit);
  };
  /** How long there is nothing to do; null until woken. */
  const step = async (): Promise<number | null> => {
    if (notBeforeMs > now()) return notBeforeMs - now();
    const reports = await store.next(id, size);
    if (reports.length === 0) return null;
    try {
      send ??= await needs.open();
    } catch (error) {
      await putOff(`Its key cannot be read now. ${(error as Error).message}`, null);
      return 0;
    }
    if (send === undefined) {
      await stopFor(withoutAddress);
      return 0;
    }
    const tried = await send(await Promise.all(reports.map(needs.tell)), stopping.signal).catch((error: unknown) =>
      stopping.signal.aborted ? undefined : faultOf(error, needs.withinMs),
    );
    if (typeof tried === "string") await putOff(tried, null);
    else if (tried !== undefined) await record(reports, tried);
    return 0;
  };
  const run = async () => {
    while (!stopping.signal.aborted && !isStopped) {
      signal = Promise.withResolvers();
      const restMs = await step().catch((error: unknown) => {
        if (!stopping.signal.aborted) needs.onFailure(error);
        return storageRetryMs;
      });
      if (isStopped) return needs.onStopped();
      if (restMs !== 0) await rest(restMs, stopping.signal, signal.promise);
    }
  };
  const ended = run();
  return {
    wake: () => signal.resolve(),
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

const timerMsMax = 2 ** 31 - 1;

/** Until the time is over, it is stopped or, when there was nothing to do, woken. */
function rest(ms: number | null, stopped: AbortSignal, woken: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = ms === null ? undefined : setTimeout(resolve, Math.min(ms, timerMsMax)).unref();
  const end = () => resolve();
  if (stopped.aborted) end();
  stopped.addEventListener("abort", end, { once: true });
  if (ms === null) void woken.then(resolve);
  return promise.finally(() => {
    clearTimeout(timer);
    stopped.removeEventListener("abort", end);
  });
}
