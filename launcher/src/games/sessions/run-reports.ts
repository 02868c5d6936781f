// Handles what `kit run` reports: saves the session of the run, decides how it ended, and sends a crash as an error report.
import { randomUUIDv7 } from "node:crypto";
import { type GameSession, type RunReport, toShortLine } from "@kit/contract";
import type { SenderRegistry } from "../senders.ts";
import type { ProcessLife } from "./process-life.ts";
import type { GameSessionStore } from "./session-store.ts";
import type { SessionTracker } from "./session-tracker.ts";
import { newSessionDefaults, type StoredGameSession, toGameSession } from "./stored-session.ts";

type ProcessExit = { readonly exitCode: number | null; readonly signal: string | null };

type ExitVerdict =
  | { readonly ending: "exited" | "killed"; readonly signal: string | null }
  | { readonly ending: "crashed"; readonly signal: string | null; readonly description: string };

/** Signals with which a person, a shell or the system ends a program. The system also sends SIGKILL when memory runs out. */
const endingSignals = new Set(["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGPIPE", "SIGKILL"]);

const crashSignals: Readonly<Record<string, string>> = {
  SIGSEGV: "invalid memory access",
  SIGBUS: "access to memory that does not exist",
  SIGABRT: "the program aborted itself",
  SIGFPE: "arithmetic error",
  SIGILL: "illegal instruction",
  SIGTRAP: "breakpoint or failed assertion",
  SIGSYS: "forbidden system call",
};
/** Exit codes of a shell that started the game: 128 plus the number of the signal that ended the game. */
const shellCodes: Readonly<Record<number, string>> = {
  132: "SIGILL",
  133: "SIGTRAP",
  134: "SIGABRT",
  136: "SIGFPE",
  139: "SIGSEGV",
};
/** NTSTATUS codes with which Windows ends a process. */
const statuses: Readonly<Record<number, string>> = {
  2147483651: "breakpoint or failed assertion",
  3221225477: "access violation",
  3221225501: "illegal instruction",
  3221225620: "division by zero",
  3221225725: "stack overflow",
  3221226356: "heap corruption",
  3221226505: "the program aborted itself",
  3762504530: "unhandled .NET exception",
  3765269347: "unhandled C++ exception",
};
const controlC = 0xc000_013a;

const isStatus = (code: number) => code in statuses || (code >= 0xc000_0000 && code <= 0xcfff_ffff);
const hex = (code: number) => `0x${code.toString(16).toUpperCase().padStart(8, "0")}`;

/** Decides by exit code and signal whether a process crashed, was ended from outside, or exited normally. */
export function classifyExit({ exitCode, signal }: ProcessExit): ExitVerdict {
  if (signal !== null && endingSignals.has(signal)) return { ending: "killed", signal };
  if (signal !== null) {
    const cause = crashSignals[signal];
    return { ending: "crashed", signal, description: cause === undefined ? signal : `${signal}, ${cause}` };
  }
  // Node may report a status of Windows as a negative number.
  const code = exitCode === null ? 0 : exitCode < 0 ? exitCode + 2 ** 32 : exitCode;
  if (code === controlC) return { ending: "killed", signal: null };
  const shellSignal = shellCodes[code];
  if (shellSignal !== undefined) {
    return {
      ending: "crashed",
      signal: shellSignal,
      description: `exit code ${code}, with which a shell reports ${shellSignal}`,
    };
  }
  if (!isStatus(code)) return { ending: "exited", signal: null };
  const name = statuses[code];
  return { ending: "crashed", signal: null, description: name === undefined ? hex(code) : `${hex(code)}, ${name}` };
}

export type RunReportsDeps = {
  readonly tracker: Pick<SessionTracker, "updateSession">;
  readonly store: Pick<GameSessionStore, "findByRun">;
  readonly senders: Pick<SenderRegistry, "startRun" | "gameOf">;
  readonly life: Pick<ProcessLife, "findProcess" | "noteRun">;
  readonly now: () => number;
  /** Registers the game that a person named. */
  readonly register: (game: string) => Promise<unknown>;
  /** Called when a run of a known game was reported to run: its first event may be long after. */
  readonly onRunStarted: (game: string, pid: number) => void;
  readonly onRunEnded: (game: string) => void;
  /** Stores an error report as if the run had sent it. Resolves with its id once it is durable. */
  readonly reportCrash: (sender: number, crash: Crash) => Promise<{ readonly id: string }>;
};

type Crash = { readonly message: string; readonly stackTrace: string; readonly timestamp: string };

/** The returned function is idempotent: a repeated report of a run changes nothing, and its crash is reported once. */
export function createRunReports({ tracker, store, senders, life, now, register, ...needs }: RunReportsDeps) {
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
    const running = ended === undefined ? await life.findProcess(pid) : undefined;
    if (running !== undefined) life.noteRun(run, running);
    if (runReport.game !== undefined) await register(runReport.game);
    const {
      id: sender,
      writes,
      committed,
    } = senders.startRun(run, likeness, runReport.game ?? null, runReport.build ?? null);
    const session = await tracker.updateSession(
      () => store.findByRun(run),
      (known = { ...newSessionDefaults, id: randomUUIDv7(), startedMs: reportedMs }) => {
        const startedMs = Math.min(known.startedMs, reportedMs);
        const process = running ?? known.process;
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
    const { ended, pid } = runReport;
    if (session.game !== null && ended !== undefined) needs.onRunEnded(session.game);
    else if (session.game !== null && pid !== undefined) needs.onRunStarted(session.game, pid);
    const verdict = ended && classifyExit(ended);
    if (ended === undefined || verdict?.ending !== "crashed" || session.crashEvent !== null)
      return toGameSession(session);
    // The game's name is in the message, so that equal crashes of different games become different issues.
    const name = toShortLine(senders.gameOf(sender) ?? session.game ?? runReport.program);
    const { at: timestamp, output: stackTrace = "" } = ended;
    const message = `${name} crashed: ${verdict.description}`;
    const { id: crashEvent } = await needs.reportCrash(sender, { message, stackTrace, timestamp });
    const find = () => store.findByRun(runReport.run);
    const updated = await tracker.updateSession(find, (known = session) => ({ session: { ...known, crashEvent } }));
    return toGameSession(updated);
  };
}
