// Compiles the shim, and says which environment loads it into a launcher.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathOf } from "../../tools/engines/locate.ts";

const source = join(import.meta.dirname, "shim.c");

/** Lets calls of one kind fail, while it is armed: every n-th (`every`), or each with a probability (`share`). */
export type Fault = {
  readonly call: "open" | "write" | "read" | "sync" | "truncate" | "rename" | "unlink";
  /** An errno, or "short": half of what was asked is done. */
  readonly what: number | "short";
  readonly when: { readonly every: number } | { readonly share: number };
  readonly seed: number;
};

export type Watch = {
  readonly dataDir: string;
  /** The file that the record is appended to. */
  readonly record: string;
  readonly fault?: Fault;
};

/** Files that tell the shim something by being there, beside the record. */
export const armedAt = (record: string) => `${record}.armed`;
export const killAt = (record: string) => `${record}.kill`;

/** Throws, with what the compiler says, when it cannot be made. */
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

export function environmentOf(library: string, { dataDir, record, fault }: Watch) {
  return {
    LD_PRELOAD: library,
    // libuv would change files past libc.
    UV_USE_IO_URING: "0",
    KIT_SOAK_DIR: dataDir,
    KIT_SOAK_RECORD: record,
    KIT_SOAK_KILL: killAt(record),
    ...(fault && { KIT_SOAK_FAULT: wordsOf(fault), KIT_SOAK_ARMED: armedAt(record) }),
  };
}
