// Small files in the data folder, outside the database: the install secret, and the file that names the running launcher.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const againMs = 1_000;

/** Writes now, or retries until a full or read-only disk accepts it. Returns a function that stops retrying. */
function retryUntilWritten(write: () => void): () => void {
  try {
    write();
    return () => undefined;
  } catch {
    const timer = setInterval(() => {
      try {
        write();
        clearInterval(timer);
      } catch {
        // The next try may succeed. The storage reports a full disk.
      }
    }, againMs).unref();
    return () => clearInterval(timer);
  }
}

// The install secret: a caller and the launcher use it to prove to each other that they can read the data folder.

const secretPattern = /^[0-9a-f]{64}$/;

/** Returns the secret in the file, or undefined if it is absent or incomplete. */
export function readInstallSecret(path: string): string | undefined {
  try {
    const secret = readFileSync(path, "utf8").trim();
    return secretPattern.test(secret) ? secret : undefined;
  } catch {
    return undefined;
  }
}

const incompleteMaxMs = 2_000;

/** Waits for the secret of another launcher that has created the file but not written it yet. Throws if it stays incomplete. */
function waitForSecret(path: string): string {
  const endsMs = performance.now() + incompleteMaxMs;
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    const secret = readInstallSecret(path);
    if (secret !== undefined) return secret;
    if (performance.now() > endsMs) throw new Error(`${path} holds no secret. Delete the file and start again.`);
    Atomics.wait(never, 0, 0, 10);
  }
}

/** Creates the file; fails if it exists. Removes it on error, because an incomplete file would never get a secret. */
function writeSecret(path: string, secret: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeFileSync(file, secret);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * Reads the secret, or creates one of 32 random bytes, readable by the owner only. A file that appears meanwhile is used, not
 * overwritten. A write that fails is repeated until `stop`. `restore` writes the secret again if the file was removed or replaced.
 */
export function ensureInstallSecret(path: string): { readonly secret: string; restore(): void; stop(): void } {
  const existing = readInstallSecret(path);
  const restore = () => {
    if (readInstallSecret(path) === secret) return;
    rmSync(path, { force: true });
    stop();
    stop = retryUntilWritten(() => writeSecret(path, secret));
  };
  let secret = existing ?? randomBytes(32).toString("hex");
  let exists = existing !== undefined;
  let stop = retryUntilWritten(() => {
    if (exists) return;
    try {
      writeSecret(path, secret);
    } catch (error) {
      exists = (error as NodeJS.ErrnoException).code === "EEXIST";
      if (!exists) throw error;
    }
  });
  if (exists) secret = waitForSecret(path);
  return { secret, restore, stop: () => stop() };
}

/** Proves that the listener knows the secret, without revealing it. Includes the port, so that the proof cannot be relayed. */
export function listenerProof(secret: string, port: number, challenge: string): string {
  return createHmac("sha256", Buffer.from(secret, "hex")).update(`${port}:${challenge}`).digest("hex");
}

/** Compares in constant time, so that the duration does not reveal where the texts differ. */
export function isEqualInConstantTime(one: string, other: string): boolean {
  const a = Buffer.from(one);
  const b = Buffer.from(other);
  return a.length === b.length && timingSafeEqual(a, b);
}

// The file that tells the command line which launcher uses a data folder, and on which port.

type RunningLauncher = { readonly pid: number; readonly port: number; readonly version: string };

/** Writes the file as soon as there is space, and again after the data folder was reopened. Returns a function that removes it. */
export function writeRunningFile(
  path: string,
  { port, version }: { port: number; version: string },
  whenReopened: (listener: () => void) => void,
): () => void {
  const running: RunningLauncher = { pid: process.pid, port, version };
  const write = () => retryUntilWritten(() => writeFileSync(path, `${JSON.stringify(running)}\n`, { mode: 0o600 }));
  let stop = write();
  whenReopened(() => {
    stop();
    stop = write();
  });
  return () => {
    stop();
    try {
      rmSync(path, { force: true });
    } catch {
      // A file that cannot be removed does no harm: readers check which launcher answers on the port.
    }
  };
}

/** Returns which launcher wrote the file last; it may have ended since. Returns undefined if the file is missing or damaged. */
export function readRunningFile(path: string): RunningLauncher | undefined {
  try {
    const { pid, port, version } = JSON.parse(readFileSync(path, "utf8")) as Partial<RunningLauncher>;
    if (!Number.isInteger(pid) || !Number.isInteger(port)) return undefined;
    return { pid: pid as number, port: port as number, version: String(version) };
  } catch {
    return undefined;
  }
}
