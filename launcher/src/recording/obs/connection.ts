// Keeps a connection to OBS: searches for OBS every few seconds, and reconnects when it is back.
import { NoFootage } from "../capture/backend.ts";
import { type ObsLink, ObsUnreachable, openLink } from "./link.ts";

export type ConnectionDeps = {
  readonly url: () => string;
  readonly password: () => Promise<string | null>;
  readonly times: ConnectionTimes;
  readonly onReplayBuffer: (isActive: boolean) => void;
  readonly onOpen: (link: ObsLink) => void;
  /** Called if the connection ended, or if connecting failed for a new reason. */
  readonly onDisconnected: () => void;
};

export type ConnectionTimes = {
  /** Maximum time between two connection attempts. */
  readonly searchIntervalMs: number;
  /** Time to the first attempt after OBS is gone. It doubles up to `searchIntervalMs`. */
  readonly firstRetryMs: number;
  /** Timeout of each request, and of connecting. */
  readonly answerTimeoutMs: number;
};

export type Connection = {
  link(): ObsLink | undefined;
  /** Returns the open link, or waits for it up to `waitMs`. Rejects with NoFootage. */
  linkWithin(retryMs: number): Promise<ObsLink>;
  /** Explains to a person why there is no link. */
  disconnectedReason(): string;
  /** Starts connecting with the current address and password. An open connection to that address is kept. */
  connect(): void;
  /** Closes a link that no longer answers, and reconnects. */
  dropLink(): void;
  disconnect(): void;
};

export function createConnection(deps: ConnectionDeps): Connection {
  const { searchIntervalMs, firstRetryMs, answerTimeoutMs } = deps.times;
  let link: ObsLink | undefined;
  let openUrl = "";
  let reason = "Kit does not search for OBS.";
  let timer: NodeJS.Timeout | undefined;
  let retryMs = firstRetryMs;
  /** Incremented by each connect and disconnect, so that earlier attempts are ignored. */
  let generation = 0;
  const openListeners = new Set<() => void>();

  async function open(): Promise<void> {
    const ownGeneration = generation;
    try {
      const opened = await openLink({
        url: openUrl,
        password: await deps.password(),
        timeoutMs: answerTimeoutMs,
        onReplayBuffer: deps.onReplayBuffer,
        onClosed: () => handleClosed(ownGeneration, "OBS has ended."),
      });
      if (ownGeneration === generation) handleOpened(opened);
      else opened.close();
    } catch (failure) {
      handleClosed(ownGeneration, failure instanceof ObsUnreachable ? failure.message : `OBS: ${String(failure)}`);
    }
  }

  function handleOpened(opened: ObsLink): void {
    link = opened;
    retryMs = firstRetryMs;
    for (const notify of openListeners) notify();
    deps.onOpen(opened);
  }

  function handleClosed(ownGeneration: number, closeReason: string): void {
    if (ownGeneration !== generation) return;
    const hasChanged = link !== undefined || closeReason !== reason;
    link = undefined;
    reason = closeReason;
    timer = setTimeout(() => void open(), retryMs).unref();
    retryMs = Math.min(searchIntervalMs, retryMs * 2);
    if (hasChanged) deps.onDisconnected();
  }

  function disconnect(): void {
    generation += 1;
    clearTimeout(timer);
    link?.close();
    link = undefined;
    reason = "Kit does not search for OBS.";
  }

  return {
    link: () => link,
    async linkWithin(atMostMs) {
      const deadline = Promise.withResolvers<void>();
      const handle = setTimeout(deadline.resolve, atMostMs);
      openListeners.add(deadline.resolve);
      if (link === undefined) await deadline.promise;
      clearTimeout(handle);
      openListeners.delete(deadline.resolve);
      if (link === undefined) throw new NoFootage(reason);
      return link;
    },
    disconnectedReason: () => reason,
    connect() {
      const url = deps.url();
      if (link !== undefined && url === openUrl) return;
      disconnect();
      deps.onDisconnected();
      openUrl = url;
      retryMs = firstRetryMs;
      reason = "Kit is searching for OBS.";
      void open();
    },
    dropLink() {
      link?.close();
      handleClosed(generation, "OBS does not answer. It may hang; Kit tries again.");
    },
    disconnect,
  };
}
