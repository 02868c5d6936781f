// Tests of targets: one report that stands for none, and the server's answer to it.
import { randomUUIDv7 } from "node:crypto";
import { type ForwardTarget, type ForwardTestResult, MessageError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Statement } from "../../storage/sql.ts";
import { delayTarget, recordSentRequest } from "./forwarding-store.ts";
import { nothingDropped, type OutgoingReport, type Sender, type TargetMarks } from "./report.ts";
import { noAnswerMessage } from "./server-connection.ts";
import { targetCredentialsMissing } from "./target-queue.ts";

type TargetTestsDeps = {
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly withinMs: number;
  /** Resolves to undefined if the target has no stored credentials. */
  readonly openSender: (target: ForwardTarget) => Promise<Sender | undefined>;
};

const answerCharsMax = 500;

const testReport = (id: string, atMs: number, { environment, installation }: TargetMarks): OutgoingReport => ({
  environment,
  installation,
  build: "",
  event: id,
  novelty: "new",
  // It stands for no report, so that it does not change the sums.
  reports: 0,
  total: 0,
  series: "",
  seriesTold: 0,
  seriesSinceMs: atMs,
  seriesStartMs: null,
  sinceMs: atMs,
  lastMs: atMs,
  number: 0,
  stripped: false,
  atMs,
  issue: id,
  game: "kit",
  dialect: "text",
  version: 0,
  key: "kit-test",
  type: "KitTest",
  message: "This is a test of Kit's forwarding. Nothing went wrong.",
  frames: [],
  stack: "",
  precedingEvents: [],
  isTest: true,
  video: null,
});

export function createTargetTests({ write, now, withinMs, openSender }: TargetTestsDeps) {
  const running = new Map<string, AbortController>();
  /** Returns a signal for a test of a target, which aborts after `lastsMs` or when the tests of that target are ended. */
  const signalFor = (id: string, lastsMs: number): AbortSignal => {
    const end = running.get(id) ?? new AbortController();
    running.set(id, end);
    return AbortSignal.any([end.signal, AbortSignal.timeout(lastsMs)]);
  };
  return {
    signal: signalFor,
    /** Ends the running tests of a target that was switched off or removed. */
    end(id: string): void {
      running.get(id)?.abort(new MessageError(message("target.test_ended")));
      running.delete(id);
    },
    /** Sends one report marked as a test, and returns the server's answer. */
    async send(target: ForwardTarget): Promise<ForwardTestResult> {
      const { id } = target;
      const failedTest = { ok: false, status: null, answer: null, report: null };
      const report = randomUUIDv7();
      const bodies: string[] = [];
      let ok = false;
      try {
        const sender = await openSender(target);
        if (sender === undefined) return { ...failedTest, says: targetCredentialsMissing };
        const onLeaves = (body: string) => void bodies.push(body);
        const sent = sender
          .send([testReport(report, now(), target)], nothingDropped, signalFor(id, 2 * withinMs), onLeaves)
          .finally(sender.close);
        const { verdict, status, answer, notBeforeMs } = await sent;
        if (notBeforeMs !== null) await write(delayTarget(id, notBeforeMs, "rate-limit"));
        ok = verdict.outcome === "sent" && verdict.rejected === 0;
        const says = verdict.says ?? message("target.test_accepted", { status: status ?? "" });
        return { ok, says, status, answer: answer?.slice(0, answerCharsMax).toWellFormed() ?? null, report };
      } catch (error) {
        return { ...failedTest, says: noAnswerMessage(error, withinMs) };
      } finally {
        const request = { body: bodies.join("\n"), games: [], messages: 1, reports: 0, accepted: ok };
        if (bodies.length > 0) await write(...recordSentRequest(id, request, now()));
      }
    },
  };
}
