// What one run of `kit` reads and writes. Each run has its own, so that several runs in one process share nothing.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Readable, Writable } from "node:stream";
import { textOf } from "@kit/contract";
import { type Config, namedLocale } from "../config.ts";
import { languageOf, type Say, sayIn } from "../reader-language.ts";

export type Terminal = {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean };
};

type Run = Terminal & {
  /** Translates a message of the launcher into the user's language. */
  readonly say: Say;
  /** The launcher that printed commands reach. */
  command: Pick<Config, "dataDirOption">;
  exitCode: number;
};

// Every command prints, and so does what it calls: an argument for that would be in hundreds of calls.
const runs = new AsyncLocalStorage<Run>();

/** Code that runs outside of a command, such as that of a unit test, has the process's streams and no environment. */
const outside: Run = {
  env: {},
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  say: textOf,
  command: { dataDirOption: "" },
  exitCode: 0,
};

export const terminal = (): Run => runs.getStore() ?? outside;

export const setExitCode = (code: number): void => {
  terminal().exitCode = code;
};

/** Runs a command in a terminal. Returns its exit code: 0 unless it sets another one. */
export async function runIn(given: Terminal, command: () => Promise<void>): Promise<number> {
  const say = await sayIn(languageOf(namedLocale(given.env)));
  const run: Run = { ...given, say, command: { dataDirOption: "" }, exitCode: 0 };
  await runs.run(run, command);
  return run.exitCode;
}
