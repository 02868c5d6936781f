// Handles what `kit run` reports: saves the session of the run, and sends a crash as an error report.
import { randomUUIDv7 } from "node:crypto";
import { type GameSession, type RunReport, toShortLine } from "@kit/contract";
import type { SenderRegistry } from "../senders.ts";
import { classifyExit } from "./exit-verdict.ts";
import type { ProcessLife } from "./process-life.ts";
import type { GameSessionStore } from "./session-store.ts";
import type { SessionTracker } from "./session-tracker.ts";
import { newSessionDefaults, type StoredGameSession, toGameSession } from "./stored-session.ts";

export type RunReportsDeps = {
  readonly tracker: Pick<SessionTracker, "updateSession">;
  readonly store: Pick<GameSessionStore, "findByRun">;
  readonly senders: Pick<SenderRegistry, "startRun" | "gameOf">;
  readonly life: Pick<ProcessLife, "findProcess">;
  readonly now: () => number;
  /** Registers the game that a person named. */
  readonly register: (game: string) => Promise<unknown>;
  /** Stores an error report as if the run had sent it. Resolves with its id once it is durable. */
  readonly reportCrash: (sender: number, crash: Crash) => Promise<{ readonly id: string }>;
};

type Crash = { readonly message: string; readonly stackTrace: string; readonly timestamp: string };

/** The returned function is idempotent: a repeated report of a run changes nothing, and its crash is reported once. */
export function createRunReports({ tracker, store, senders, life, now, register, reportCrash }: RunReportsDeps) {
  /** Parses a time that `kit run` sent. Its clock may be slightly ahead, so a future time counts as now. */
  const parseTime = (iso: string) => Math.min(Date.parse(iso), now());

  const endMembers = ({ ended }: RunReport, startedMs: number): Partial<StoredGameSession> => {
    if (ended === undefined) return {};
    const { ending, signal } = classifyExit(ended);
    return { endedMs: Math.max(startedMs, parseTime(ended.at)), ending, exitCode: ended.exitCode, signal };
  };
  const saveRun = async (runReport: RunReport) => {
    const { run, program, pid, likeness, ended } = runReport;
    const reportedMs = parseTime(runReport.startedAt);
    if (runReport.game !== undefined) await register(runReport.game);
    const { id: sender, writes, committed } = senders.startRun(run, likeness, runReport.game ?? null);
    const session = await tracker.updateSession(
      () => store.findByRun(run),
      (known = { ...newSessionDefaults, id: randomUUIDv7(), startedMs: reportedMs }) => {
        const startedMs = Math.min(known.startedMs, reportedMs);
        const process = ended === undefined ? (life.findProcess(pid) ?? known.process) : known.process;
        const game = runReport.game ?? known.game ?? senders.gameOf(sender);
        const members = { run, program, game, process, startedMs, ...endMembers(runReport, startedMs) };
        return { session: { ...known, ...members }, sender, writes };
      },
    );
    committed?.();
    return { sender, session };
  };

  return async function saveReport(runReport: RunReport): Promise<GameSession> {
    const { sender, session } = await saveRun(runReport);
    const { ended } = runReport;
    const verdict = ended && classifyExit(ended);
    if (ended === undefined || verdict?.ending !== "crashed" || session.crashEvent !== null)
      return toGameSession(session);
    // The game's name is in the message, so that equal crashes of different games become different issues.
    const name = toShortLine(senders.gameOf(sender) ?? session.game ?? runReport.program);
    const { at: timestamp, output: stackTrace = "" } = ended;
    const message = `${name} crashed: ${verdict.description}`;
    const { id: crashEvent } = await reportCrash(sender, { message, stackTrace, timestamp });
    const find = () => store.findByRun(runReport.run);
    const updated = await tracker.updateSession(find, (known = session) => ({ session: { ...known, crashEvent } }));
    return toGameSession(updated);
  };
}
