// The name a post has in its repository: the same for every try at it, so that a second try finds the first.
import { createHash } from "node:crypto";

const digits = "234567abcdefghijklmnopqrstuvwxyz";
/** Microseconds fill 53 bits, the clock's number 10; the first bit is nought. */
const length = 13;
const latestMs = Math.floor(2 ** 53 / 1_000) - 1;

/**
 * A TID (https://atproto.com/specs/tid), as the collection of posts demands one: the event's time, with what follows the
 * milliseconds taken from the key. Two posts of an account collide when they share the millisecond and 20 bits.
 */
export function recordKeyOf(key: string, atMs: number): string {
  const chance = createHash("sha256").update(key).digest().readUInt32BE(0);
  const micros = BigInt(Math.min(Math.max(0, Math.trunc(atMs)), latestMs)) * 1_000n + BigInt((chance >>> 10) % 1_000);
  let rest = (micros << 10n) | BigInt(chance & 1_023);
  let text = "";
  for (let place = 0; place < length; place += 1) {
    text = `${digits[Number(rest & 31n)]}${text}`;
    rest >>= 5n;
  }
  return text;
}
