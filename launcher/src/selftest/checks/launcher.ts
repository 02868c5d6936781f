// Checks of the launcher itself: its ports, its data folder, and whether it knows who sends an event.
import { chmodSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { getHealth, listLibrary, listSessions } from "@kit/contract";
import { dataDirAt, ensureDataDir } from "../../storage/data-dir.ts";
import { findReadersOf } from "../../storage/permissions.ts";
import { shareOnWindows } from "../../storage/windows-permissions.ts";
import { type Bench, failed, impossible, lacksFfi, needsNewerNode, type Outcome, passed, reportIt } from "../check.ts";
import type { OwnLauncher } from "../own-launcher.ts";
import { selftestGame } from "../sender.ts";

/** Returns which product answers on this address, as its health names it, or why nothing did. */
const productAt = (host: string, port: number) =>
  fetch(`http://${host}:${port}${getHealth.path}`, { signal: AbortSignal.timeout(3_000) }).then(
    async (answer) => ((await answer.json().catch(() => ({}))) as { product?: string }).product ?? "another program",
    (error: Error) => ((error.cause as NodeJS.ErrnoException)?.code === "ECONNREFUSED" ? "free" : "another program"),
  );

/** Says what the usual port is used for, and on which addresses the launcher of the self-test answers. */
export async function checkPorts({ port }: OwnLauncher, usualPort: number, startedMs: number): Promise<Outcome> {
  const [usual, onIpv6] = await Promise.all([productAt("127.0.0.1", usualPort), productAt("[::1]", port)]);
  const figures = {
    usualPort: usual === "kit" ? "Kit runs on it" : usual,
    // Without an answer over IPv4, the launcher would not count as started.
    addresses: onIpv6 === "kit" ? "IPv4 and IPv6" : "IPv4",
    startMs: Math.round(startedMs),
  };
  if (usual !== "another program") return passed(figures);
  return failed(
    `Another program uses port ${usualPort}, to which games send.`,
    "`kit doctor` names it, and says what to do.",
    figures,
  );
}

/** Makes a folder that all users may read, as on another drive. */
function makeSharedFolder(folder: string): string {
  const shared = join(folder, "shared");
  mkdirSync(shared);
  if (process.platform === "win32") shareOnWindows(shared);
  else chmodSync(shared, 0o755);
  return shared;
}

/** The number of an account is personal. */
const withoutSid = (who: string) => (who.startsWith("S-1-") ? "another user" : who);

/** Says who may read the data folder of the launcher, and a new one in a folder that all users may read. */
export function checkPermissions(dataDir: string, folder: string): Outcome {
  let shared: string;
  try {
    shared = makeSharedFolder(folder);
  } catch {
    return impossible("The system did not let the self-test share a folder with all users, so it could not compare.");
  }
  const made = dataDirAt(join(shared, "data"));
  ensureDataDir(made);
  const found = [dataDirAt(dataDir), made].map(findReadersOf);
  const readable = found.flatMap((each) => each.readable);
  const figures = { folders: found.length, readableByOthers: readable.length };
  if (readable.length > 0) {
    const who = [...new Set(readable.flatMap(({ by }) => by.map(withoutSid)))].join(", ") || "other users";
    return failed(
      `A new data folder of Kit can be read by ${who}.`,
      "`kit doctor` says whether yours can, too, and what to do.",
      figures,
    );
  }
  if (found.some(({ unknown }) => unknown.length > 0))
    return impossible("Windows did not say who may read the folders.");
  return passed(figures);
}

const knownWithinMs = 15_000;
const namedWithinMs = 6_000;
const pollMs = 200;
const normalize = (path: string) => (process.platform === "win32" ? path.toLowerCase() : path);

/**
 * Waits until the launcher knows the process that sent the event of the self-test, and a little longer until it names the program as
 * the game's. It does not name one in a temporary folder, nor one whose command line the system does not tell, as Wine does not.
 */
export async function checkSender(
  { client }: OwnLauncher,
  { config, signal }: Pick<Bench, "config" | "signal">,
): Promise<Outcome> {
  if (!config.findSenders)
    return impossible(
      "Kit does not look for senders, because KIT_SENDERS is off. Unset it, and run the self-test again.",
    );
  if (lacksFfi) return needsNewerNode;
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
  if (!isKnown) return failed("The launcher did not find out which program sent an event.", reportIt, figures);
  if (named === undefined) return passed(figures);
  if (normalize(named) === normalize(process.execPath)) return passed(figures);
  return failed("The launcher took another program for the one that sent an event.", reportIt, figures);
}
