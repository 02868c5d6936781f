// Reads a response: at most so many bytes of its body, for so long, and from its headers when the server accepts the next request.

type ResponseLimits = {
  readonly bytesMax: number;
  readonly withinMs: number;
  /** Closes the connection. */
  giveUp(): void;
};

/** Returns the response with a body that ends after `bytesMax`. Calls `giveUp` if the body is not complete after `withinMs`. */
export function limitResponse(answer: Response, { bytesMax, withinMs, giveUp }: ResponseLimits): Response {
  const { body, status, statusText, headers } = answer;
  if (body === null) return answer;
  const timer = setTimeout(giveUp, withinMs).unref();
  let left = bytesMax;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left > 0) return;
      clearTimeout(timer);
      controller.terminate();
    },
    flush: () => clearTimeout(timer),
    cancel: () => clearTimeout(timer),
  });
  return new Response(body.pipeThrough(bound), { status, statusText, headers });
}

/** Reads the text, or the part that arrived if the connection fails. */
export async function readResponseText(answer: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of answer.body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch {
    // Status and headers have arrived, so the response is usable.
  }
  return text + decoder.decode();
}

/** Returns undefined if the body is not a complete JSON object. */
export async function readJsonObject(answer: Response): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const value: unknown = JSON.parse(await readResponseText(answer));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The longest wait that a server can cause. If it asks for a longer one, Kit asks it again after this time. */
export const namedWaitMaxMs = 86_400_000;
/** A server's clock that differs by more from this computer's is not believed: 100 years. */
const clockDifferenceMaxMs = 100 * 365.25 * 86_400_000;

/**
 * Returns the end of a wait that another computer named, as a whole number; null if it named none. Every such wait comes from here, so that
 * each can be stored, read again and shown.
 */
export function namedWaitEndMs(waitMs: number, nowMs: number): number | null {
  // Also if it is not a number.
  if (!(waitMs > 0)) return null;
  return Math.ceil(nowMs + Math.min(waitMs, namedWaitMaxMs));
}

/** Returns how far a server's clock is ahead by its header `Date`; undefined if that is no time, or not believed. */
export function clockAheadByDateMs(date: string | null | undefined, nowMs: number): number | undefined {
  const aheadMs = Date.parse(date ?? "") - nowMs;
  return Math.abs(aheadMs) <= clockDifferenceMaxMs ? aheadMs : undefined;
}

/** Parses `120`, `1.5` or `350ms`. Returns undefined for other texts. */
function durationMs(text: string): number | undefined {
  const match = /^(\d{1,15}(?:\.\d{1,9})?) ?(ms|s)?$/.exec(text.trim());
  if (match === null) return undefined;
  return Number(match[1]) * (match[2] === "ms" ? 1 : 1_000);
}

/** Parses an HTTP date, ISO 8601, or seconds or milliseconds since 1970. */
function instantMs(text: string): number | undefined {
  if (/^\d{9,11}(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  if (/^\d{12,14}$/.test(text)) return Number(text);
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

/**
 * Reads Retry-After in seconds, milliseconds or as a date, or the reset time of an exhausted rate limit. Subtracts the
 * server's own time from a date if the server sends it. Returns null if the server asks for no delay.
 */
export function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const serverMs = nowMs + (clockAheadByDateMs(headers.get("date"), nowMs) ?? 0);
  const sinceMs = (text: string) => {
    const untilMs = instantMs(text.trim());
    return untilMs === undefined ? undefined : untilMs - serverMs;
  };
  const waits = [headers.get("retry-after")].map((text) =>
    text === null ? undefined : (durationMs(text) ?? sinceMs(text)),
  );
  const inMs = headers.get("retry-after-ms");
  if (inMs !== null && /^\d{1,15}(\.\d+)?$/.test(inMs)) waits.push(Number(inMs));
  for (const prefix of ["x-ratelimit", "ratelimit"]) {
    if (!/^0+$/.test(headers.get(`${prefix}-remaining`) ?? "")) continue;
    const after = headers.get(`${prefix}-reset-after`);
    const reset = headers.get(`${prefix}-reset`);
    // Small numbers are seconds from now, as in the draft standard.
    if (after !== null) waits.push(durationMs(after));
    else if (reset !== null) waits.push(sinceMs(reset) ?? durationMs(reset));
  }
  return namedWaitEndMs(Math.max(0, ...waits.filter((wait) => wait !== undefined)), nowMs);
}
