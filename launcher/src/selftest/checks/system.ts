// Checks of the system: autostart, a rename of a file that is in use, and the clocks.
import { closeSync, openSync, renameSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { getAutostart, setAutostart, textOf } from "@kit/contract";
import { renameWithRetry } from "../../renames.ts";
import type { Bench } from "../bench.ts";
import { failed, impossible, type Outcome, passed, rounded } from "../check.ts";
import type { OwnLauncher } from "../own-launcher.ts";

/** Switches autostart on and off again. Leaves alone what is on already. */
export async function checkAutostart({ client }: OwnLauncher): Promise<Outcome> {
  const before = await client.call(getAutostart);
  const by = before.by ?? "none";
  if (before.on) return impossible("Autostart is on already, and Kit leaves it as it is.", { by, on: true });
  if (!before.can) return impossible(textOf(before.detail), { by });
  try {
    const on = await client.call(setAutostart, { body: { on: true } });
    if (!on.on) return failed("Autostart was switched on, and the system says that it is off.", { by });
  } finally {
    await client.call(setAutostart, { body: { on: false } });
  }
  const after = await client.call(getAutostart);
  if (after.on) return failed("Autostart could not be switched off again: use `kit autostart off`.", { by });
  return passed({ by, restored: true });
}

const heldMs = 400;

/** Replaces a file that is open, as a virus scanner opens it. Only Windows refuses that, and Kit waits. */
export async function checkRename({ folder }: Bench): Promise<Outcome> {
  const [from, to] = [join(folder, "new"), join(folder, "old")];
  writeFileSync(from, "new");
  writeFileSync(to, "old");
  const handle = openSync(to, "r");
  let refused = "no";
  try {
    renameSync(from, to);
    writeFileSync(from, "new");
  } catch (error) {
    refused = (error as NodeJS.ErrnoException).code ?? "yes";
  }
  const beganMs = performance.now();
  const release = pause(heldMs).then(() => closeSync(handle));
  const failure = await renameWithRetry(from, to).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  );
  const waitedMs = Math.round(performance.now() - beganMs);
  await release;
  const figures = { refusedWhileOpen: refused, waitedMs };
  if (failure === undefined && (await readFile(to, "utf8")) === "new") return passed(figures);
  return failed(
    `A file that was in use could not be replaced later (${failure ?? "it has the old contents"}).`,
    figures,
  );
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
    return failed("The clock was set, or the computer slept, during the test. Start it once more.", figures);
  const isSteady = Math.abs(figures.driftPpm) <= driftPpmMax || Math.abs(driftMs) < 50;
  return isSteady ? passed(figures) : failed("The clock of this computer runs wrong.", figures);
}
