// Checks of the system: autostart, a rename of a file that is in use, long paths, and the clocks.
import { closeSync, mkdirSync, openSync, renameSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { getBuiltinModule } from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { getAutostart, setAutostart, textOf } from "@kit/contract";
import { renameWithRetry } from "../../renames.ts";
import { type Bench, failed, impossible, type Outcome, passed, reportIt, rounded } from "../check.ts";
import type { OwnLauncher } from "../own-launcher.ts";

/** Switches autostart on and off again. Leaves alone what is on already. */
export async function checkAutostart({ client }: OwnLauncher): Promise<Outcome> {
  const before = await client.call(getAutostart);
  const by = before.by ?? "none";
  if (before.on) return impossible("Autostart is on already, and the self-test leaves it as it is.", { by, on: true });
  if (!before.can) return impossible(textOf(before.detail), { by });
  try {
    const on = await client.call(setAutostart, { body: { on: true } });
    if (!on.on) return failed("Kit switched autostart on, but the system says that it is off.", reportIt, { by });
  } finally {
    await client.call(setAutostart, { body: { on: false } });
  }
  const after = await client.call(getAutostart);
  if (after.on) return failed("Kit could not switch autostart off again.", "Run `kit autostart off`.", { by });
  return passed({ by, restored: true });
}

const heldMs = 400;

const readAccess = 0x8000_0000;
/** Others may read and write the file, and nobody may rename or remove it: FILE_SHARE_DELETE is missing. */
const sharedWithoutDelete = 3;
const existing = 3;
const noHandle = 0xffff_ffff_ffff_ffffn;

/** Opens a file as a virus scanner does. Returns what closes it. */
function hold(path: string): () => void {
  const ffi = process.platform === "win32" ? getBuiltinModule("node:ffi") : undefined;
  if (ffi === undefined) {
    const handle = openSync(path, "r");
    return () => closeSync(handle);
  }
  const { functions } = ffi.dlopen("kernel32.dll", {
    CreateFileW: { arguments: ["buffer", "u32", "u32", "pointer", "u32", "u32", "pointer"], return: "u64" },
    CloseHandle: { arguments: ["u64"], return: "i32" },
  });
  const name = Buffer.from(`${path}\0`, "utf16le");
  const handle = functions.CreateFileW(name, readAccess, sharedWithoutDelete, 0n, existing, 0, 0n);
  if (handle === noHandle) throw new Error("Windows did not open a file of the self-test");
  return () => functions.CloseHandle(handle);
}

/** Replaces a file that is open, as a virus scanner opens it. Only Windows refuses that, and Kit waits. */
export async function checkRename({ folder }: Bench): Promise<Outcome> {
  const from = join(folder, "new");
  const to = join(folder, "old");
  writeFileSync(from, "new");
  writeFileSync(to, "old");
  const close = hold(to);
  let refused = "no";
  try {
    renameSync(from, to);
    writeFileSync(from, "new");
  } catch (error) {
    refused = (error as NodeJS.ErrnoException).code ?? "yes";
  }
  const beganMs = performance.now();
  const release = pause(heldMs).then(close);
  const failure = await renameWithRetry(from, to).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  );
  const waitedMs = Math.round(performance.now() - beganMs);
  await release;
  const figures = { refusedWhileOpen: refused, waitedMs };
  if (failure === undefined && (await readFile(to, "utf8")) === "new") return passed(figures);
  if (failure === undefined) return failed("A file has other contents than Kit wrote.", reportIt, figures);
  return failed(
    `Kit could not replace a file after another program had closed it (${failure}).`,
    "If you use a virus scanner, exclude Kit's data folder from it.",
    figures,
  );
}

/** Some programs and settings of Windows do not allow longer paths. */
const usualCharsMax = 260;

/** Writes, renames and reads a file whose path is longer than what Windows allows by default. */
export async function checkLongPaths({ folder }: Bench): Promise<Outcome> {
  let deep = folder;
  while (deep.length <= usualCharsMax) deep = join(deep, "a folder with a long name ".repeat(3).trim());
  const from = join(deep, "new");
  const to = join(deep, "old");
  const figures = { characters: to.length };
  try {
    mkdirSync(deep, { recursive: true });
    writeFileSync(from, "new");
    await renameWithRetry(from, to);
    if ((await readFile(to, "utf8")) === "new") return passed(figures);
    return failed("A file with a long path has other contents than Kit wrote.", reportIt, figures);
  } catch (error) {
    const { code = "no reason" } = error as NodeJS.ErrnoException;
    return failed(
      `Kit could not write and rename a file with a long path (${code}).`,
      "Keep your clips in a folder with a short path.",
      figures,
    );
  }
}

/** If the clocks differ by more after a few minutes, one was set, or the computer slept. */
const jumpMsMax = 1_000;
const driftPpmMax = 1_000;

export type ClockStart = { readonly wallMs: number; readonly steadyMs: number };
export const startClocks = (): ClockStart => ({ wallMs: Date.now(), steadyMs: performance.now() });

/** Compares the time of day with the monotonic clock, since the start of the self-test. */
export function checkClocks({ wallMs, steadyMs }: ClockStart, now = startClocks()): Outcome {
  const seconds = (now.steadyMs - steadyMs) / 1_000;
  const driftMs = now.wallMs - wallMs - (now.steadyMs - steadyMs);
  const figures = {
    seconds: rounded(seconds),
    driftMs: rounded(driftMs),
    driftPpm: Math.round((driftMs / Math.max(seconds, 1)) * 1_000),
  };
  if (Math.abs(driftMs) > jumpMsMax)
    return failed("The clock was set, or the computer slept, during the test.", "Run it again.", figures);
  const isSteady = Math.abs(figures.driftPpm) <= driftPpmMax || Math.abs(driftMs) < 50;
  if (isSteady) return passed(figures);
  return failed(
    "The time of day does not go as fast as the computer's steady clock.",
    "Let the system set the time automatically, and run the self-test again.",
    figures,
  );
}
