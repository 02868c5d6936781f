// What a browser shows where it cannot send the token: a pass for pictures and videos, a link for one download. Both
// stand in an address, and both count only beside the cookie of the session that asked for them. Their time is the one that
// passes while the launcher runs; a pass outlives a restart, so it names its end by the clock of the start, moved on by that time.
import { createHash, createHmac, randomBytes } from "node:crypto";
import { linkMember, passMember } from "@kit/contract";
import { sameText } from "../../secret.ts";

const passMs = 3_600_000;
const linkMs = 60_000;
const linksMax = 20;

const passPattern = new RegExp(`[?&]${passMember}=(\\d{1,15})\\.([\\w-]{43})(?:&|$)`);
const linkPattern = new RegExp(`^(.+)[?&]${linkMember}=([\\w-]{43})$`);
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

type Link = { readonly cookieHash: string; readonly address: string; readonly made: number };

export type Passes = {
  /** Opens pictures and videos for an hour. Nothing of it is kept: it is proved by its signature. */
  createPass(cookie: string): { pass: string; expiresAtMs: number };
  /** `target`: path and query of the request. */
  holdsPass(cookie: string, target: string): boolean;
  /** `address` (path and query) with a key that opens exactly it, once. */
  createLink(cookie: string, address: string): { address: string; expiresAtMs: number };
  /** True for the first request with that link, which spends it. */
  spendLink(cookie: string, target: string): boolean;
};

/**
 * The caller makes sure that `cookie` is one of an open session: what it opened dies with it. `elapsed`: milliseconds that
 * passed; no setting of the clock changes it.
 */
export function createPasses(
  secret: string,
  now: () => number,
  elapsed: () => number = () => performance.now(),
): Passes {
  // Made of the install secret: the pictures of an open page outlive a restart of the launcher.
  const key = createHmac("sha256", Buffer.from(secret, "hex")).update("media-pass").digest();
  const links = new Map<string, Link>();
  const began = now() - elapsed();
  const steady = () => Math.round(began + elapsed());
  const sign = (cookie: string, ends: number) =>
    createHmac("sha256", key).update(`${ends}:${cookie}`).digest("base64url");
  return {
    createPass(cookie) {
      const ends = steady() + passMs;
      return { pass: `${ends}.${sign(cookie, ends)}`, expiresAtMs: now() + passMs };
    },
    holdsPass(cookie, target) {
      const [, ends, signature] = passPattern.exec(target) ?? [];
      if (ends === undefined || signature === undefined) return false;
      const left = Number(ends) - steady();
      // More than an hour is left where the clock was set back between two runs.
      return left > 0 && left <= passMs && sameText(signature, sign(cookie, Number(ends)));
    },
    createLink(cookie, address) {
      const linkKey = randomBytes(32).toString("base64url");
      links.set(hashOf(linkKey), { cookieHash: hashOf(cookie), address, made: elapsed() });
      const [oldest] = links.keys();
      if (links.size > linksMax && oldest !== undefined) links.delete(oldest);
      return {
        address: `${address}${address.includes("?") ? "&" : "?"}${linkMember}=${linkKey}`,
        expiresAtMs: now() + linkMs,
      };
    },
    spendLink(cookie, target) {
      const [, address, linkKey] = linkPattern.exec(target) ?? [];
      if (linkKey === undefined) return false;
      const link = links.get(hashOf(linkKey));
      links.delete(hashOf(linkKey));
      return link?.address === address && link?.cookieHash === hashOf(cookie) && elapsed() - link.made < linkMs;
    },
  };
}
