// Keeps the live feed open: reads it, notices silence, comes back where it stopped. Knows no page.
import { type FeedItem, KitError } from "@kit/contract";
import { createParser } from "eventsource-parser";

/** The launcher sends a comment every 15 s; three missed ones mean nobody is there. */
const silenceMsMax = 45_000;
const retryMsMin = 300;
const retryMsMax = 8_000;

export type Connection =
  | { readonly state: "connecting" }
  | { readonly state: "live" }
  | { readonly state: "reconnecting"; readonly attempt: number }
  | { readonly state: "ended"; readonly why: "unauthorized" | "cursor_lost" };

export type FeedNeeds = {
  /** Opens the stream after the item with this id. */
  open(lastEventId: string, signal: AbortSignal): Promise<Response>;
  onItem(item: FeedItem): void;
  onConnection(connection: Connection): void;
  /** Resolves after a time, or sooner when there is a reason to try at once. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  signal: AbortSignal;
  silenceMs?: number;
};

/** Doubling pauses up to a bound, spread so that several pages do not come back in step. */
export function retryDelayMs(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(retryMsMax, retryMsMin * 2 ** (attempt - 1));
  return full * (0.75 + random() / 4);
}

/** Answers no retry can better. */
function endOf(error: unknown): "unauthorized" | "cursor_lost" | undefined {
  if (!(error instanceof KitError)) return undefined;
  if (error.code === "unauthorized") return "unauthorized";
  return error.code === "payload_invalid" || error.code === "not_found" ? "cursor_lost" : undefined;
}

/** Follows the feed from `cursor` until `signal` aborts or the launcher gives an answer that ends it. */
export async function followFeed(needs: FeedNeeds, cursor: string): Promise<void> {
  let lastEventId = cursor;
  let attempt = 0;
  needs.onConnection({ state: "connecting" });
  while (!needs.signal.aborted) {
    try {
      await readOnce(needs, lastEventId, {
        onOpen: () => {
          attempt = 0;
          needs.onConnection({ state: "live" });
        },
        onId: (id) => {
          lastEventId = id;
        },
      });
    } catch (error) {
      const why = endOf(error);
      if (why) return needs.onConnection({ state: "ended", why });
    }
    if (needs.signal.aborted) return;
    attempt += 1;
    needs.onConnection({ state: "reconnecting", attempt });
    await needs.wait(retryDelayMs(attempt), needs.signal);
  }
}

type Progress = { onOpen(): void; onId(id: string): void };

/** One connection, to its end: by the launcher, by silence, or by `signal`. */
async function readOnce(needs: FeedNeeds, lastEventId: string, progress: Progress): Promise<void> {
  const silence = new AbortController();
  const signal = AbortSignal.any([needs.signal, silence.signal]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), needs.silenceMs ?? silenceMsMax);
  };
  try {
    heard();
    const response = await needs.open(lastEventId, signal);
    if (response.body === null) return;
    progress.onOpen();
    const parser = createParser({
      onEvent: ({ id, data }) => {
        needs.onItem(JSON.parse(data) as FeedItem);
        // Only now: an item that could not be handled is asked for again.
        if (id !== undefined) progress.onId(id);
      },
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      heard();
      if (signal.aborted) return;
      parser.feed(part.value);
    }
  } finally {
    clearTimeout(timer);
  }
}
