// Signatures as Standard Webhooks has them (https://www.standardwebhooks.com, "Signature scheme"): HMAC-SHA256 over id, time and body.
import { createHmac, randomBytes } from "node:crypto";
import { KitError } from "@kit/contract";

const prefix = "whsec_";
/** What the specification asks of a secret. */
const bytesMin = 24;
const bytesMax = 64;

export const newSecret = (): string => prefix + randomBytes(32).toString("base64");

/** Throws KitError for what is no secret. */
export function checkedSecret(text: string, path: string): string {
  const secret = text.trim();
  const key = secret.startsWith(prefix) ? secret.slice(prefix.length) : "";
  const bytes = Buffer.from(key, "base64");
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(key) && bytes.length >= bytesMin && bytes.length <= bytesMax) return secret;
  const message = `must be whsec_ and ${bytesMin} to ${bytesMax} bytes in base64; leave it empty to have one made`;
  throw new KitError("payload_invalid", `${path} ${message}.`, [{ path, message }]);
}

/**
 * The headers of one try. The reference library hashes in JavaScript, from one string: with a video that holds up the thread
 * that games are answered by. OpenSSL takes it in pieces, and the tests verify with the reference library.
 */
export function signed(secret: string, id: string, nowMs: number, body: readonly Buffer[]): Record<string, string> {
  const seconds = Math.floor(nowMs / 1_000);
  const hmac = createHmac("sha256", Buffer.from(secret.slice(prefix.length), "base64"));
  hmac.update(`${id}.${seconds}.`);
  for (const piece of body) hmac.update(piece);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": `v1,${hmac.digest("base64")}`,
  };
}
