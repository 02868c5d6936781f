// Decides by exit code and signal whether a process crashed, was ended from outside, or exited normally.

type ProcessExit = { readonly exitCode: number | null; readonly signal: string | null };

export type ExitVerdict =
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
