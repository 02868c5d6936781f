// Checks of the launcher itself: its ports, its data folder, and whether it knows who sends an event.
import { statSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { listLibrary, listSessions } from "@kit/contract";
import { readersOnWindows } from "../../storage/windows-permissions.ts";
import { failed, impossible, type Outcome, passed } from "../check.ts";
import type { OwnLauncher } from "../own-launcher.ts";
import { selftestGame } from "../sender.ts";

/** Says what the usual port is used for, and on which addresses the launcher of the self-test answers. */
export async function checkPorts(launcher: OwnLauncher, usualPort: number, startedMs: number): Promise<Outcome> {
  const usual = await fetch(`http://127.0.0.1:${usualPort}/api/health`, { signal: AbortSignal.timeout(3_000) }).then(
    async (answer) => ((await answer.json().catch(() => ({}))) as { product?: string }).product ?? "another program",
    (error: Error) => ((error.cause as NodeJS.ErrnoException)?.code === "ECONNREFUSED" ? "free" : "another program"),
  );
  const families = [...new Set(launcher.addresses.map((address) => (address.includes("[") ? "IPv6" : "IPv4")))];
  const figures = {
    usualPort: usual === "kit" ? "Kit runs on it" : usual,
    addresses: families.join(" and "),
    startMs: Math.round(startedMs),
  };
  if (!families.includes("IPv4")) return failed("The launcher does not listen on 127.0.0.1.", figures);
  if (usual !== "another program") return passed(figures);
  return failed(`Port ${usualPort} is used by another program: \`kit doctor\` names it.`, figures);
}

/** The data folder was made a moment ago. */
export function checkPermissions(dataDir: string): Outcome {
  if (process.platform !== "win32") {
    const mode = statSync(dataDir).mode & 0o777;
    const figures = { mode: mode.toString(8) };
    return (mode & 0o077) === 0 ? passed(figures) : failed("Other users can read a new data folder.", figures);
  }
  const readers = readersOnWindows(dataDir);
  if (readers === undefined) return impossible("Windows did not say who may read a folder.");
  const figures = { otherReaders: readers.others.length };
  if (readers.others.length === 0) return passed(figures);
  return failed(
    `A new data folder can be read by ${readers.others.join(", ")}: \`kit doctor\` says what to do.`,
    figures,
  );
}

const knownWithinMs = 15_000;
const namedWithinMs = 6_000;
const pollMs = 200;
const normalize = (path: string) => (process.platform === "win32" ? path.toLowerCase() : path);

/**
 * Waits until the launcher knows the process that sent the event of the self-test, and a little longer until it names the program as
 * the game's. It does not name one in a temporary folder, nor one whose command line the system does not tell, as Wine does not.
 */
export async function checkSender({ client }: OwnLauncher, signal: AbortSignal): Promise<Outcome> {
  const beganMs = performance.now();
  let named: string | undefined;
  let isKnown = false;
  const elapsedMs = () => performance.now() - beganMs;
  while (named === undefined && elapsedMs() < (isKnown ? namedWithinMs : knownWithinMs) && !signal.aborted) {
    const [{ games }, { sessions }] = await Promise.all([
      client.call(listLibrary),
      client.call(listSessions, { query: {} }),
    ]);
    named = games.find(({ game }) => game === selftestGame)?.command?.program;
    isKnown = sessions.some(({ game, knownBy }) => game === selftestGame && knownBy === "program");
    if (named === undefined) await pause(pollMs);
  }
  const program = named === undefined ? (isKnown ? "known, not named" : "unknown") : basename(named);
  const figures = { program, afterMs: Math.round(elapsedMs()) };
  if (!isKnown) return failed("The launcher does not know which program sent an event.", figures);
  if (named === undefined) return passed(figures);
  if (normalize(named) === normalize(process.execPath)) return passed(figures);
  return failed("The launcher took another program for the one that sent an event.", figures);
}
