// The install secret: proves to the launcher that a caller may read its data directory, and the other way round.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { whenPossible } from "./when-possible.ts";

const secretPattern = /^[0-9a-f]{64}$/;

/** The secret in `path`; undefined when there is none (or not a whole one) yet. */
export function readSecret(path: string): string | undefined {
  try {
    const secret = readFileSync(path, "utf8").trim();
    return secretPattern.test(secret) ? secret : undefined;
  } catch {
    return undefined;
  }
}

/** Never over another's. A file that there was no room for is gone again: an empty one would hold no secret for ever. */
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
 * Reads the secret, or makes one: 32 random bytes, readable by the owner only, never overwriting another's. One that cannot be
 * written down yet is, once it can; `stop` ends the trying. `again` writes it where another file, or none, took its place.
 */
export function ensureSecret(path: string): { readonly secret: string; again(): void; stop(): void } {
  const existing = readSecret(path);
  const again = () => {
    if (readSecret(path) === secret) return;
    rmSync(path, { force: true });
    stop();
    stop = whenPossible(() => writeSecret(path, secret));
  };
  const made = randomBytes(32).toString("hex");
  let secret = existing ?? made;
  let stop = whenPossible(() => {
    if (existing !== undefined) return;
    try {
      writeSecret(path, made);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      secret = readSecret(path) ?? "";
    }
  });
  if (secret === "") throw new Error(`${path} holds no secret. Delete the file and start again.`);
  return { secret, again, stop: () => stop() };
}

/** Shows who answers on `port` without showing the secret. Bound to the port, so that it cannot be relayed from another. */
export function proofOf(secret: string, port: number, challenge: string): string {
  return createHmac("sha256", Buffer.from(secret, "hex")).update(`${port}:${challenge}`).digest("hex");
}

/** Compares without telling by its time where two texts differ. */
export function sameText(one: string, other: string): boolean {
  const a = Buffer.from(one);
  const b = Buffer.from(other);
  return a.length === b.length && timingSafeEqual(a, b);
}
