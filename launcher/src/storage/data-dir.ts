// The data directory: where everything lies, for its owner's eyes only.
import { chmodSync, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { failureOf, systemCodeOf } from "./failure.ts";
import { trialIn } from "./room.ts";

export type DataDir = {
  readonly path: string;
  readonly database: string;
  /** Copies of the open database; nothing while no launcher runs. */
  readonly liveCopy: string;
  readonly backups: string;
  readonly quarantine: string;
  /** What was set aside by a restore, a wipe of all or a repair, a folder each. */
  readonly aside: string;
  /** What is to be set aside at the next opening, and what takes its place. */
  readonly reopening: string;
  /** Where a database is made ready that will take the present one's place. */
  readonly incoming: string;
  /** What is left to do of a wipe whose rows are gone. */
  readonly wiping: string;
  readonly lock: string;
  /** Exists while the database is open: found at a start, the last end was not clean. */
  readonly openMarker: string;
  readonly secret: string;
  /** Which launcher uses this directory and on which port. */
  readonly running: string;
  /** Room that is given up once the disk is full. */
  readonly reserve: string;
  /** Short-lived pages that carry a ticket to the browser. */
  readonly tickets: string;
  /** OBS's WebSocket password. */
  readonly obsPassword: string;
  /** Which process captures. */
  readonly capture: string;
  /** Copies of clips that were made to fit where they are posted. */
  readonly fitted: string;
  /** What a person entrusted to Kit: passwords, keys of servers. */
  readonly entrusted: string;
};

/** Names the files below `path`; touches nothing. */
export function dataDirAt(path: string): DataDir {
  return {
    path,
    database: join(path, "kit.db"),
    liveCopy: join(path, "live-copy"),
    backups: join(path, "backups"),
    quarantine: join(path, "quarantine"),
    aside: join(path, "aside"),
    reopening: join(path, "reopening.json"),
    incoming: join(path, "incoming"),
    wiping: join(path, "wiping.json"),
    lock: join(path, "lock.db"),
    openMarker: join(path, "open"),
    secret: join(path, "secret"),
    running: join(path, "running.json"),
    reserve: join(path, "reserve"),
    tickets: join(path, "tickets"),
    obsPassword: join(path, "obs-password"),
    capture: join(path, "capture.json"),
    fitted: join(path, "fitted"),
    entrusted: join(path, "secrets"),
  };
}

/** The nearest folder that is there, at or above it. */
const nearest = (path: string): string => (existsSync(path) || dirname(path) === path ? path : nearest(dirname(path)));

/**
 * Creates the directory with mode 0700, or narrows an existing one to it. One that is there and cannot be written to is used as
 * far as that goes, and one that a full disk has no room for is made later. Throws with what to do where there can be none.
 */
export function ensureDataDir(dir: DataDir): void {
  try {
    mkdirSync(dir.path, { recursive: true, mode: 0o700 });
    if (process.platform !== "win32" && (statSync(dir.path).mode & 0o077) !== 0) chmodSync(dir.path, 0o700);
  } catch (error) {
    // On a read-only disk Node says that the folder above is not there.
    const code = systemCodeOf(error) ?? trialIn(nearest(dirname(dir.path)));
    if (code === undefined) throw error;
    const { reason, isFull } = failureOf(Object.assign(error as Error, { code }), dir.path);
    if (!isFull && !existsSync(dir.path)) throw new Error(reason, { cause: error });
  }
}
