// What the end of a process says: whether it crashed, in which words, and whether a person ended it.

type End = { readonly exitCode: number | null; readonly signal: string | null };

export type Verdict =
  | { readonly ending: "exited" | "killed"; readonly signal: string | null }
  | { readonly ending: "crashed"; readonly signal: string | null; readonly says: string };

/** What a person, a shell or the system sends to end a program; the last one also when memory is short. */
const sent = new Set(["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGPIPE", "SIGKILL"]);

const faults: Readonly<Record<string, string>> = {
  SIGSEGV: "it read or wrote memory that is not its own",
  SIGBUS: "it read or wrote memory that is not there",
  SIGABRT: "it gave up by itself",
  SIGFPE: "it calculated what cannot be calculated",
  SIGILL: "it ran what is no instruction",
  SIGTRAP: "it ran into a breakpoint or an assertion",
  SIGSYS: "it asked the system for what is forbidden",
};
/** A shell or a script in between ends with 128 and the number of the signal that ended the game. */
const shellCodes: Readonly<Record<number, string>> = {
  132: "SIGILL",
  133: "SIGTRAP",
  134: "SIGABRT",
  136: "SIGFPE",
  139: "SIGSEGV",
};
/** NTSTATUS, as Windows ends a process with it. */
const statuses: Readonly<Record<number, string>> = {
  2147483651: "a breakpoint or an assertion",
  3221225477: "access violation",
  3221225501: "illegal instruction",
  3221225620: "division by zero",
  3221225725: "stack overflow",
  3221226356: "damaged heap",
  3221226505: "it gave up by itself",
  3762504530: "a .NET exception nobody caught",
  3765269347: "a C++ exception nobody caught",
};
const controlC = 0xc000_013a;

const isStatus = (code: number) => code in statuses || (code >= 0xc000_0000 && code <= 0xcfff_ffff);
const hex = (code: number) => `0x${code.toString(16).toUpperCase().padStart(8, "0")}`;

export function verdictOn({ exitCode, signal }: End): Verdict {
  if (signal !== null && sent.has(signal)) return { ending: "killed", signal };
  if (signal !== null) {
    const fault = faults[signal];
    return { ending: "crashed", signal, says: fault === undefined ? signal : `${signal}, ${fault}` };
  }
  // Node may tell a Windows status as a negative number.
  const code = exitCode === null ? 0 : exitCode < 0 ? exitCode + 2 ** 32 : exitCode;
  if (code === controlC) return { ending: "killed", signal: null };
  const ofShell = shellCodes[code];
  if (ofShell !== undefined) {
    return { ending: "crashed", signal: ofShell, says: `exit code ${code}, as a shell says ${ofShell}` };
  }
  if (!isStatus(code)) return { ending: "exited", signal: null };
  const name = statuses[code];
  return { ending: "crashed", signal: null, says: name === undefined ? hex(code) : `${hex(code)}, ${name}` };
}
