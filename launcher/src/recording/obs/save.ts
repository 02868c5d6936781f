// Makes OBS save its replay buffer once, and finds the new file, because OBS's answer does not name it.
import { stat } from "node:fs/promises";
import { NoFootage } from "../capture/backend.ts";
import { type ObsLink, ObsRefused, obsStatus } from "./link.ts";

/** A replay file that OBS wrote. */
export type ReplaySave = {
  readonly path: string;
  /** When OBS was asked to save, which is the time of the file's last picture. */
  readonly askedMs: number;
};

export type SaveTimes = {
  /** Maximum time for OBS to write the file. */
  readonly saveTimeoutMs: number;
  /** How often OBS is asked for its last file, in case its event is lost. */
  readonly pollMs: number;
};

/** Tolerance of file times, which come from a coarse clock or from another machine. */
const fileClockMs = 250;

/** Rejects with NoFootage if OBS cannot save, and with ObsSilent if the connection ended and the result is unknown. */
export async function saveReplay(link: ObsLink, times: SaveTimes): Promise<ReplaySave> {
  try {
    const before = await lastReplay(link);
    const requestedMs = Date.now();
    const watch = waitForReplay(link, { ...times, before, requestedMs });
    try {
      await link.call("SaveReplayBuffer");
      const askedMs = (requestedMs + Date.now()) / 2;
      return { path: await watch.named, askedMs };
    } finally {
      watch.end();
    }
  } catch (failure) {
    throw failure instanceof ObsRefused ? new NoFootage(refusalMessage(failure)) : failure;
  }
}

/** Returns the path of OBS's last replay, or an empty string before the first. */
async function lastReplay(link: ObsLink): Promise<string> {
  const { savedReplayPath } = await link.call("GetLastReplayBufferReplay");
  // Before the first replay, OBS sends no path, contrary to the library's types.
  return savedReplayPath ?? "";
}

type Watch = { readonly named: Promise<string>; end(): void };

/**
 * Waits for the first file created after the request: a replay that a person saved with a hotkey just before may be announced
 * after the request.
 */
function waitForReplay(link: ObsLink, options: SaveTimes & { before: string; requestedMs: number }): Watch {
  const { before, requestedMs, pollMs, saveTimeoutMs } = options;
  const { promise: named, resolve, reject } = Promise.withResolvers<string>();
  named.catch(() => undefined);
  const checkFile = async (path: string) => {
    if (path !== "" && (await isNewer(path, { wasThere: path === before, requestedMs }))) resolve(path);
  };
  const forget = link.onSaved((path) => void checkFile(path));
  // OBS's answer does not show whether a file of the same name was written again.
  const ask = async () => {
    const path = await lastReplay(link);
    if (path !== before) await checkFile(path);
  };
  const poll = setInterval(() => ask().catch(reject), pollMs);
  const timeoutMessage = `OBS wrote no replay within ${saveTimeoutMs / 1_000} s. Its disk may be full, or its folder may be gone.`;
  const deadline = setTimeout(() => reject(new NoFootage(timeoutMessage)), saveTimeoutMs);
  return {
    named,
    end() {
      forget();
      clearInterval(poll);
      clearTimeout(deadline);
    },
  };
}

/** Also returns true if the file cannot be examined: reading it will report the error. */
async function isNewer(
  path: string,
  { wasThere, requestedMs }: { wasThere: boolean; requestedMs: number },
): Promise<boolean> {
  try {
    const { birthtimeMs, mtimeMs } = await stat(path);
    // An overwritten file keeps its birth time, and some file systems have none.
    const newMs = wasThere || birthtimeMs === 0 ? mtimeMs : birthtimeMs;
    return newMs >= requestedMs - fileClockMs;
  } catch {
    return true;
  }
}

function refusalMessage({ code, message }: ObsRefused): string {
  if (code === obsStatus.outputNotRunning) return "OBS's replay buffer was not running.";
  if (code === obsStatus.notFound) return "OBS has no replay buffer.";
  return `OBS did not save its replay: ${message}.`;
}
