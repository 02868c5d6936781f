// Has OBS save its replay buffer once, and finds out which file that made: OBS's answer names none.
import { stat } from "node:fs/promises";
import { NoFootage } from "../capture/backend.ts";
import { type ObsLink, ObsRefused, obsStatus } from "./link.ts";

/** A file that OBS wrote. */
export type ReplaySave = {
  readonly path: string;
  /** When OBS was asked for it: what its last picture showed was on the screen then. */
  readonly askedMs: number;
};

export type SaveTimes = {
  /** How long a file may take to be written. */
  readonly saveTimeoutMs: number;
  /** How often OBS is asked for its last file, in case its event did not come. */
  readonly pollMs: number;
};

/** A file's times come from a clock that ticks in steps, or from that of another machine. */
const fileClockMs = 250;

/** Rejects with NoFootage when OBS cannot, and with ObsSilent when the connection ended: then nothing is known. */
export async function saveReplay(link: ObsLink, times: SaveTimes): Promise<ReplaySave> {
  try {
    const before = await lastReplay(link);
    const beganMs = Date.now();
    const watch = watchReplays(link, { ...times, before, beganMs });
    try {
      await link.call("SaveReplayBuffer");
      const askedMs = (beganMs + Date.now()) / 2;
      return { path: await watch.named, askedMs };
    } finally {
      watch.end();
    }
  } catch (failure) {
    throw failure instanceof ObsRefused ? new NoFootage(whyRefused(failure)) : failure;
  }
}

/** The path of its last replay, empty before the first. */
async function lastReplay(link: ObsLink): Promise<string> {
  const { savedReplayPath } = await link.call("GetLastReplayBufferReplay");
  // Before the first, OBS sends none, whatever the library's types say.
  return savedReplayPath ?? "";
}

type Watch = { readonly named: Promise<string>; end(): void };

/**
 * Waits for the first file that was begun after OBS was asked: one the person's own hotkey asked for a moment before
 * may be announced later than our request.
 */
function watchReplays(link: ObsLink, options: SaveTimes & { before: string; beganMs: number }): Watch {
  const { before, beganMs, pollMs, saveTimeoutMs } = options;
  const { promise: named, resolve, reject } = Promise.withResolvers<string>();
  named.catch(() => undefined);
  const consider = async (path: string) => {
    if (path !== "" && (await isNewer(path, { wasThere: path === before, momentMs: beganMs }))) resolve(path);
  };
  const forget = link.onSaved((path) => void consider(path));
  // Asked for its last file, OBS says nothing about whether a file of the same name is written once more.
  const ask = async () => {
    const path = await lastReplay(link);
    if (path !== before) await consider(path);
  };
  const poll = setInterval(() => ask().catch(reject), pollMs);
  const says = `OBS was asked for its replay and wrote no file within ${saveTimeoutMs / 1_000} s. Is its disk full, or its folder gone?`;
  const deadline = setTimeout(() => reject(new NoFootage(says)), saveTimeoutMs);
  return {
    named,
    end() {
      forget();
      clearInterval(poll);
      clearTimeout(deadline);
    },
  };
}

/** True as well when the file cannot be looked at: whoever reads it says so. */
async function isNewer(
  path: string,
  { wasThere, momentMs }: { wasThere: boolean; momentMs: number },
): Promise<boolean> {
  try {
    const { birthtimeMs, mtimeMs } = await stat(path);
    // A file that OBS writes over keeps its birth, and not every file system keeps one.
    const newMs = wasThere || birthtimeMs === 0 ? mtimeMs : birthtimeMs;
    return newMs >= momentMs - fileClockMs;
  } catch {
    return true;
  }
}

function whyRefused({ code, message }: ObsRefused): string {
  if (code === obsStatus.outputNotRunning) return "OBS's replay buffer did not run.";
  if (code === obsStatus.notThere) return "OBS has no replay buffer.";
  return `OBS did not save its replay: ${message}.`;
}
