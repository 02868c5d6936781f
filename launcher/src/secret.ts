// The install secret: proves to the launcher that a caller may read its data directory, and the other way round.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

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

/** Reads the secret, or makes one: 32 random bytes, readable by the owner only, never overwriting another's. */
export function ensureSecret(path: string): string {
  const existing = readSecret(path);
  if (existing !== undefined) return existing;
  const secret = randomBytes(32).toString("hex");
  try {
    writeFileSync(path, secret, { mode: 0o600, flag: "wx" });
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const raced = readSecret(path);
    if (raced !== undefined) return raced;
    throw new Error(`${path} holds no secret. Delete the file and start again.`, { cause: error });
  }
}

/** Shows who answers on `port` without showing the secret. Bound to the port, so that it cannot be relayed from another. */
export function proofOf(secret: string, port: number, challenge: string): string {
  return createHmac("sha256", Buffer.from(secret, "hex")).update(`${port}:${challenge}`).digest("hex");
}

/** Compares without telling by its time where two texts differ. */
export function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
