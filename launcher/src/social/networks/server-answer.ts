// Reads the answers of servers, for all networks: makes a message safe to show, and recognises answers of a proxy.

const wordsMax = 200;

const tag = /<[/!]?[a-z][^>]*>/i;

/**
 * Makes a server's message safe to show: one short line without URLs, which may contain credentials. Returns an empty string for
 * a value that is not text, and for a web page.
 */
export function plainServerMessage(said: unknown): string {
  if (typeof said !== "string" || tag.test(said)) return "";
  const line = said
    .slice(0, 4 * wordsMax)
    .replace(/[\p{C}\s]+/gu, " ")
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/\S*/gi, "…")
    .trim();
  return line.length > wordsMax ? `${line.slice(0, wordsMax).toWellFormed()}…` : line;
}

/**
 * Cloudflare's statuses for a server that never got the request: it refused or did not answer the connection, or TLS or DNS
 * failed (https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors/).
 */
const unreached = new Set([521, 522, 523, 525, 526, 530]);

/** Whether a server answered with a web page, as for a person: it has no such endpoint, or something in front of it answered. */
export const isWebPage = (headers: Headers): boolean =>
  /^\s*(?:text\/html|application\/xhtml)/i.test(headers.get("content-type") ?? "");

/** Whether something in front of the server takes Kit for a robot: the server itself says 403 in JSON, not as a web page. */
export const isTurnedAway = (status: number, headers: Headers): boolean => status === 403 && isWebPage(headers);

/** Whether something in front of the server responded, without passing the request on. */
export const isGatewayFailure = (status: number, headers: Headers): boolean =>
  unreached.has(status) || isTurnedAway(status, headers);

/** Returns whose requests were too many (429): those of the account, or all to this host if something in front of it says so. */
export const limitedBy = (headers: Headers): "destination" | "host" => (isWebPage(headers) ? "host" : "destination");

const tooLarge =
  /too[ _](?:large|big)|(?:file|size)\b.*\b(?:less|smaller|greater|larger|bigger) than|exceeds?\b.*\bsize|size\b.*\bexceed/i;

/** Whether a refusal of a file is because of its size. */
export const saysTooLarge = (reason: string): boolean => tooLarge.test(reason);
