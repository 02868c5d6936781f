// When a server wants to be asked again, in whichever of the usual ways it says so.

/** A server that names a time beyond this is asked after it all the same. */
const longestMs = 86_400_000;

/** `120`, `1.5`, `350ms`, or undefined where it is none of these. */
function spanMs(text: string): number | undefined {
  const match = /^(\d{1,15}(?:\.\d{1,9})?) ?(ms|s)?$/.exec(text.trim());
  if (match === null) return undefined;
  return Number(match[1]) * (match[2] === "ms" ? 1 : 1_000);
}

/** An HTTP date, ISO 8601, or seconds or milliseconds since 1970. */
function instantMs(text: string): number | undefined {
  if (/^\d{9,11}(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  if (/^\d{12,14}$/.test(text)) return Number(text);
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

/**
 * Retry-After in seconds, with fractions, in milliseconds or as a date; or, when nothing remains of a rate limit, when that
 * begins anew. Times are taken by the server's own clock where it shows it. null: it asks for nothing.
 */
export function restUntilMs(headers: Headers, nowMs: number): number | null {
  const shown = instantMs(headers.get("date") ?? "");
  const sinceMs = (text: string) => {
    const untilMs = instantMs(text.trim());
    return untilMs === undefined ? undefined : untilMs - (shown ?? nowMs);
  };
  const waits = [headers.get("retry-after")].map((text) =>
    text === null ? undefined : (spanMs(text) ?? sinceMs(text)),
  );
  const inMs = headers.get("retry-after-ms");
  if (inMs !== null && /^\d{1,15}(\.\d+)?$/.test(inMs)) waits.push(Number(inMs));
  for (const prefix of ["x-ratelimit", "ratelimit"]) {
    if (!/^0+$/.test(headers.get(`${prefix}-remaining`) ?? "")) continue;
    const after = headers.get(`${prefix}-reset-after`);
    const reset = headers.get(`${prefix}-reset`);
    // Small numbers are seconds from now, as the draft of the standard has them.
    if (after !== null) waits.push(spanMs(after));
    else if (reset !== null) waits.push(sinceMs(reset) ?? spanMs(reset));
  }
  const longest = Math.max(0, ...waits.filter((wait) => wait !== undefined));
  return longest === 0 ? null : nowMs + Math.min(Math.ceil(longest), longestMs);
}
