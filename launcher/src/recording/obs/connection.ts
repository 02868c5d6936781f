// Keeps the connection to OBS: looks for it every few seconds, follows its end, and opens anew when it is back.
import { NoFootage } from "../capture/backend.ts";
import { type ObsLink, ObsUnreachable, openLink } from "./link.ts";

export type ConnectionNeeds = {
  readonly url: () => string;
  readonly password: () => Promise<string | null>;
  readonly times: ConnectionTimes;
  readonly onReplayBuffer: (isActive: boolean) => void;
  readonly onOpen: (link: ObsLink) => void;
  /** It ended, or could not be opened for another reason than the last time. */
  readonly onAway: () => void;
};

export type ConnectionTimes = {
  /** Between two looks while there is no OBS. */
  readonly lookEveryMs: number;
  /** After it went away, and each time longer until `lookEveryMs`. */
  readonly firstLookMs: number;
  /** For every question, and for opening. */
  readonly answerMs: number;
};

export type Connection = {
  link(): ObsLink | undefined;
  /** The open link, or the next one when it opens within `waitMs`. Rejects with NoFootage. */
  linkWithin(waitMs: number): Promise<ObsLink>;
  /** Why there is no link, for a person. */
  why(): string;
  /** Looks at once and from now on, with the address and password of now. A connection to that address stays. */
  look(): void;
  /** The link is dead although nobody said so. */
  lost(): void;
  leave(): void;
};

export function createConnection(needs: ConnectionNeeds): Connection {
  const { lookEveryMs, firstLookMs, answerMs } = needs.times;
  let link: ObsLink | undefined;
  let openUrl = "";
  let why = "Kit does not look for OBS.";
  let timer: NodeJS.Timeout | undefined;
  let waitMs = firstLookMs;
  /** Each look or leave makes what the one before began void. */
  let round = 0;
  const waiting = new Set<() => void>();

  async function open(): Promise<void> {
    const mine = round;
    try {
      const opened = await openLink({
        url: openUrl,
        password: await needs.password(),
        timeoutMs: answerMs,
        onReplayBuffer: needs.onReplayBuffer,
        onClosed: () => onLost(mine, "OBS has ended."),
      });
      if (mine === round) onOpened(opened);
      else opened.close();
    } catch (failure) {
      if (mine === round) onLost(mine, failure instanceof ObsUnreachable ? failure.message : `OBS: ${String(failure)}`);
    }
  }

  function onOpened(opened: ObsLink): void {
    link = opened;
    waitMs = firstLookMs;
    for (const wake of waiting) wake();
    needs.onOpen(opened);
  }

  function onLost(mine: number, reason: string): void {
    if (mine !== round) return;
    const isNews = link !== undefined || reason !== why;
    link = undefined;
    why = reason;
    timer = setTimeout(() => void open(), waitMs).unref();
    waitMs = Math.min(lookEveryMs, waitMs * 2);
    if (isNews) needs.onAway();
  }

  function leave(): void {
    round += 1;
    clearTimeout(timer);
    link?.close();
    link = undefined;
    why = "Kit does not look for OBS.";
  }

  return {
    link: () => link,
    async linkWithin(atMostMs) {
      const deadline = Promise.withResolvers<void>();
      const handle = setTimeout(deadline.resolve, atMostMs);
      waiting.add(deadline.resolve);
      if (link === undefined) await deadline.promise;
      clearTimeout(handle);
      waiting.delete(deadline.resolve);
      if (link === undefined) throw new NoFootage(why);
      return link;
    },
    why: () => why,
    look() {
      const url = needs.url();
      if (link !== undefined && url === openUrl) return;
      leave();
      needs.onAway();
      openUrl = url;
      waitMs = firstLookMs;
      why = "Kit looks for OBS.";
      void open();
    },
    lost() {
      link?.close();
      onLost(round, "OBS does not answer. Does it hang? Kit tries again.");
    },
    leave,
  };
}
