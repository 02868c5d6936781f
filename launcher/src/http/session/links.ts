// Links for requests in which a browser cannot send the token because it saves the file. A link counts only together with the
// cookie of the session that requested it. Lifetimes use a monotonic clock.
import { randomBytes } from "node:crypto";
import { linkParameter } from "@kit/contract";
import { hashSecret } from "../admission-store.ts";

const linkMs = 60_000;
const linksMax = 20;

const linkPattern = new RegExp(`^(.+)[?&]${linkParameter}=([\\w-]{43})$`);

type Link = { readonly cookieHash: string; readonly address: string; readonly made: number };

export type DownloadLinks = {
  /** Returns `address` (path and query) with a key that opens this address once. */
  create(cookie: string, address: string): { address: string; expiresAtMs: number };
  /** Returns true for the first request with this link, and invalidates the link. `target`: path and query of the request. */
  spend(cookie: string, target: string): boolean;
};

/** The caller must check that `cookie` belongs to an open session. `elapsed`: a monotonic clock in milliseconds. */
export function createDownloadLinks(now: () => number, elapsed: () => number = () => performance.now()): DownloadLinks {
  const links = new Map<string, Link>();
  return {
    create(cookie, address) {
      const linkKey = randomBytes(32).toString("base64url");
      links.set(hashSecret(linkKey), { cookieHash: hashSecret(cookie), address, made: elapsed() });
      const [oldest] = links.keys();
      if (links.size > linksMax && oldest !== undefined) links.delete(oldest);
      return {
        address: `${address}${address.includes("?") ? "&" : "?"}${linkParameter}=${linkKey}`,
        expiresAtMs: now() + linkMs,
      };
    },
    spend(cookie, target) {
      const [, address, linkKey] = linkPattern.exec(target) ?? [];
      if (linkKey === undefined) return false;
      const link = links.get(hashSecret(linkKey));
      links.delete(hashSecret(linkKey));
      return link?.address === address && link?.cookieHash === hashSecret(cookie) && elapsed() - link.made < linkMs;
    },
  };
}
