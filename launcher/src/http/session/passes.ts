// Credentials in a URL, for requests in which a browser cannot send the token: a pass for pictures and videos, a link for
// one download. Both count only together with the cookie of the session that requested them. Lifetimes use a monotonic
// clock; a pass outlives a restart, so its end is stored as wall-clock time at the start plus elapsed time.
import { createHmac, randomBytes } from "node:crypto";
import { linkParameter, passParameter } from "@kit/contract";
import { isEqualInConstantTime } from "../../own-files.ts";
import { hashSecret } from "../admission-store.ts";

const passMs = 3_600_000;
const linkMs = 60_000;
const linksMax = 20;

const passPattern = new RegExp(`[?&]${passParameter}=(\\d{1,15})\\.([\\w-]{43})(?:&|$)`);
const linkPattern = new RegExp(`^(.+)[?&]${linkParameter}=([\\w-]{43})$`);

type Link = { readonly cookieHash: string; readonly address: string; readonly made: number };

export type UrlCredentials = {
  /** Creates a pass for pictures and videos, valid for an hour. Kit does not store it; its signature proves it. */
  createPass(cookie: string): { pass: string; expiresAtMs: number };
  /** `target`: path and query of the request. */
  isValidPass(cookie: string, target: string): boolean;
  /** Returns `address` (path and query) with a key that opens this address once. */
  createLink(cookie: string, address: string): { address: string; expiresAtMs: number };
  /** Returns true for the first request with this link, and invalidates the link. */
  spendLink(cookie: string, target: string): boolean;
};

/** The caller must check that `cookie` belongs to an open session. `elapsed`: a monotonic clock in milliseconds. */
export function createUrlCredentials(
  secret: string,
  now: () => number,
  elapsed: () => number = () => performance.now(),
): UrlCredentials {
  // The key is derived from the install secret, so that the pictures of an open page still load after a restart.
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
    isValidPass(cookie, target) {
      const [, ends, signature] = passPattern.exec(target) ?? [];
      if (ends === undefined || signature === undefined) return false;
      const left = Number(ends) - steady();
      // More than an hour remains if the clock was set back between two runs; such a pass is invalid.
      return left > 0 && left <= passMs && isEqualInConstantTime(signature, sign(cookie, Number(ends)));
    },
    createLink(cookie, address) {
      const linkKey = randomBytes(32).toString("base64url");
      links.set(hashSecret(linkKey), { cookieHash: hashSecret(cookie), address, made: elapsed() });
      const [oldest] = links.keys();
      if (links.size > linksMax && oldest !== undefined) links.delete(oldest);
      return {
        address: `${address}${address.includes("?") ? "&" : "?"}${linkParameter}=${linkKey}`,
        expiresAtMs: now() + linkMs,
      };
    },
    spendLink(cookie, target) {
      const [, address, linkKey] = linkPattern.exec(target) ?? [];
      if (linkKey === undefined) return false;
      const link = links.get(hashSecret(linkKey));
      links.delete(hashSecret(linkKey));
      return link?.address === address && link?.cookieHash === hashSecret(cookie) && elapsed() - link.made < linkMs;
    },
  };
}
