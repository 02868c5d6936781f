// Compiles the shim, and builds the environment that loads it into a launcher.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathOf } from "../../tools/engines/locate.ts";

const source = join(import.meta.dirname, "shim.c");

/** Makes one kind of call fail while the arm file exists: every n-th call (`every`), or each with a probability (`share`). */
export type Fault = {
  readonly call: "open" | "write" | "read" | "sync" | "truncate" | "rename" | "unlink";
  /** An errno, or "short" to process only half of the requested bytes. */
  readonly what: number | "short";
  readonly when: { readonly every: number } | { readonly share: number };
  readonly seed: number;
};

export type Watch = {
  readonly dataDir: string;
  /** The file to which the shim appends its record. */
  readonly record: string;
  readonly fault?: Fault;
};

/** Files beside the record whose existence arms the faults, or asks the shim to kill the launcher. */
export const armFile = (record: string) => `${record}.armed`;
export const killFile = (record: string) => `${record}.kill`;

/** Compiles the shim into the folder. Throws with the compiler's output on failure. */
export function compileShim(folder: string): string {
  const library = join(folder, "shim.so");
  const words = ["-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, source, "-lpthread"];
  const made = spawnSync(pathOf("gcc"), words, { encoding: "utf8" });
  if (made.status !== 0) throw new Error(`gcc could not compile ${source}:\n${made.stderr}`);
  return library;
}

function wordsOf({ call, what, when, seed }: Fault): string {
  return `${call} ${what} ${"every" in when ? `n ${when.every}` : `p ${when.share}`} ${seed}`;
}

export function shimEnvironment(library: string, { dataDir, record, fault }: Watch) {
  return {
    LD_PRELOAD: library,
    // With io_uring, libuv would bypass libc, and the shim would miss changes.
    UV_USE_IO_URING: "0",
    KIT_SOAK_DIR: dataDir,
    KIT_SOAK_RECORD: record,
    KIT_SOAK_KILL: killFile(record),
    ...(fault && { KIT_SOAK_FAULT: wordsOf(fault), KIT_SOAK_ARMED: armFile(record) }),
  };
}
