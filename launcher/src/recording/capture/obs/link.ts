// The connection to OBS. Every request is answered, or fails within seconds.

import { connect } from "node:net";
import { type Message, MessageError, textOf } from "@kit/contract";
import { message, reasonOf, toMessage } from "@kit/contract/messages";
import type { OBSRequestTypes, OBSResponseTypes, OBSWebSocket } from "obs-websocket-js/json";
import { NoFootage } from "../../plans/plan.ts";

/** There is no connection to OBS. The message tells a person why, and what to do. */
class ObsUnreachable extends MessageError {
  override name = "ObsUnreachable";
}

/** The connection ended, or OBS did not answer, so the result of the request is unknown. */
export class ObsSilent extends MessageError {
  override name = "ObsSilent";
}

/** OBS refused the request. */
export class ObsRefused extends MessageError {
  override name = "ObsRefused";
  readonly code: number;

  constructor(code: number, comment: string) {
    super(comment === "" ? message("obs.answered_status", { code }) : comment);
    this.code = code;
  }
}

/** Status codes of obs-websocket 5 that Kit treats specially. */
export const obsStatusCodes = { outputRunning: 500, outputNotRunning: 501, notFound: 604 } as const;
const authenticationFailed = 4009;
/** Event category "Outputs", which includes the replay buffer. Kit subscribes to no other events. */
const outputEvents = 64;

export type ObsLink = {
  /** Version of OBS, such as 29.0.2. */
  readonly version: string;
  /** Rejects with ObsRefused or ObsSilent. */
  call<Name extends keyof OBSRequestTypes>(name: Name, data?: OBSRequestTypes[Name]): Promise<OBSResponseTypes[Name]>;
  /** Calls the listener with the path of each saved replay. Returns a function that removes the listener. */
  onSaved(listener: (path: string) => void): () => void;
  /** Closes the connection at once, even if OBS hangs. Does not call `onClosed`. */
  close(): void;
};

type LinkOptions = {
  readonly url: string;
  readonly password: string | null;
  readonly timeoutMs: number;
  /** Called when the replay buffer has started or stopped. */
  readonly onReplayBuffer: (isActive: boolean) => void;
  readonly onClosed: () => void;
};

const loopbackNames = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** Connects. Rejects with ObsUnreachable. Loads the library only if a program listens, because most players do not run OBS. */
async function openLink(options: LinkOptions): Promise<ObsLink> {
  const { url, password, timeoutMs } = options;
  const { hostname, port } = new URL(url);
  if (!loopbackNames.has(hostname)) throw new ObsUnreachable(message("obs.only_this_machine", { url }));
  if (!(await isListening(hostname.replace(/[[\]]/g, ""), Number(port), timeoutMs)))
    throw new ObsUnreachable(notReachableMessage(url));
  const { OBSWebSocket } = await import("obs-websocket-js/json");
  const socket = new OBSWebSocket();
  try {
    const identity = { rpcVersion: 1, eventSubscriptions: outputEvents };
    await withTimeout(timeoutMs, socket.connect(url, password ?? undefined, identity));
    const { obsVersion } = await withTimeout(timeoutMs, socket.call("GetVersion"));
    return wrapSocket(socket, options, obsVersion);
  } catch (failure) {
    terminate(socket);
    throw new ObsUnreachable(connectFailureMessage(failure, url, password !== null));
  }
}

function wrapSocket(socket: OBSWebSocket, options: LinkOptions, version: string): ObsLink {
  const closed = Promise.withResolvers<never>();
  closed.promise.catch(() => undefined);
  const onClosed = () => {
    closed.reject(new ObsSilent(message("obs.connection_ended")));
    options.onClosed();
  };
  socket.once("ConnectionClosed", onClosed);
  socket.on("ReplayBufferStateChanged", ({ outputState }) => {
    if (outputState === "OBS_WEBSOCKET_OUTPUT_STARTED") options.onReplayBuffer(true);
    if (outputState === "OBS_WEBSOCKET_OUTPUT_STOPPED") options.onReplayBuffer(false);
  });
  return {
    version,
    async call(name, data) {
      try {
        // The library never settles the requests of a closed connection.
        return await withTimeout(options.timeoutMs, Promise.race([socket.call(name, data), closed.promise]));
      } catch (failure) {
        if (failure instanceof ObsSilent) throw failure;
        throw hasCode(failure) ? new ObsRefused(failure.code, failure.message) : new ObsSilent(String(failure));
      }
    },
    onSaved(listener) {
      const onEvent = ({ savedReplayPath }: { savedReplayPath: string }) => listener(savedReplayPath);
      socket.on("ReplayBufferSaved", onEvent);
      return () => socket.off("ReplayBufferSaved", onEvent);
    },
    close() {
      socket.off("ConnectionClosed", onClosed);
      closed.reject(new ObsSilent(message("obs.connection_ended_by_kit")));
      terminate(socket);
    },
  };
}

/** Returns true if a program listens. This is quicker than a WebSocket that fails. */
function isListening(host: string, port: number, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const settle = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
    socket.once("timeout", () => settle(false));
  });
}

/** Closes the socket at once. The library's own disconnect waits up to half a minute for OBS. */
function terminate(socket: OBSWebSocket): void {
  const { socket: inner } = socket as unknown as { socket?: { terminate?: () => void } };
  inner?.terminate?.();
}

async function withTimeout<Value>(timeoutMs: number, answer: Promise<Value>): Promise<Value> {
  answer.catch(() => undefined);
  const timer = Promise.withResolvers<never>();
  const handle = setTimeout(() => timer.reject(new ObsSilent(message("obs.did_not_answer"))), timeoutMs);
  try {
    return await Promise.race([answer, timer.promise]);
  } finally {
    clearTimeout(handle);
  }
}

function hasCode(failure: unknown): failure is Error & { code: number } {
  return failure instanceof Error && "code" in failure && typeof failure.code === "number";
}

const notReachableMessage = (url: string) => message("obs.not_reachable", { url });

function connectFailureMessage(failure: unknown, url: string, hasPassword: boolean): Message {
  if (hasCode(failure) && failure.code === authenticationFailed) {
    return hasPassword ? message("obs.password_rejected") : message("obs.password_missing");
  }
  return failure instanceof ObsSilent
    ? message("obs.answers_differently", { url })
    : message("obs.ended_connection", { url });
}

export type ObsConnectionDeps = {
  readonly url: () => string;
  readonly password: () => Promise<string | null>;
  readonly times: ObsConnectionTimes;
  readonly onReplayBuffer: (isActive: boolean) => void;
  readonly onOpen: (link: ObsLink) => void;
  /** Called when the connection has ended, or when connecting fails for another reason than before. */
  readonly onDisconnected: () => void;
};

export type ObsConnectionTimes = {
  /** Maximum time between two connection attempts. */
  readonly searchIntervalMs: number;
  /** Time from the loss of a connection to the next attempt. It doubles with each attempt, up to `searchIntervalMs`. */
  readonly firstRetryMs: number;
  /** Timeout of each request, and of connecting. */
  readonly answerTimeoutMs: number;
};

export type ObsConnection = {
  link(): ObsLink | undefined;
  /** Returns the open link, or waits for it up to `waitMs`. Rejects with NoFootage. */
  linkWithin(waitMs: number): Promise<ObsLink>;
  /** Tells a person why there is no link. */
  disconnectedReason(): Message;
  /** Connects with the current address and password. Keeps an open connection to that address. */
  connect(): void;
  /** Closes a link that no longer answers, and reconnects. */
  dropLink(): void;
  disconnect(): void;
};

export function createObsConnection(deps: ObsConnectionDeps): ObsConnection {
  const { searchIntervalMs, firstRetryMs, answerTimeoutMs } = deps.times;
  let link: ObsLink | undefined;
  let openUrl = "";
  let reason: Message = message("obs.not_searching");
  let timer: NodeJS.Timeout | undefined;
  let retryMs = firstRetryMs;
  /** Increases with each connect and disconnect. An attempt that began earlier is ignored. */
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
        onClosed: () => handleClosed(ownGeneration, message("obs.has_ended")),
      });
      if (ownGeneration === generation) handleOpened(opened);
      else opened.close();
    } catch (failure) {
      handleClosed(
        ownGeneration,
        failure instanceof ObsUnreachable ? reasonOf(failure) : toMessage(`OBS: ${String(failure)}`),
      );
    }
  }

  function handleOpened(opened: ObsLink): void {
    link = opened;
    retryMs = firstRetryMs;
    for (const notify of openListeners) notify();
    deps.onOpen(opened);
  }

  function handleClosed(ownGeneration: number, closeReason: Message): void {
    if (ownGeneration !== generation) return;
    const hasChanged = link !== undefined || textOf(closeReason) !== textOf(reason);
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
    reason = message("obs.not_searching");
  }

  return {
    link: () => link,
    async linkWithin(waitMs) {
      const deadline = Promise.withResolvers<void>();
      const handle = setTimeout(deadline.resolve, waitMs);
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
      reason = message("obs.searching");
      void open();
    },
    dropLink() {
      link?.close();
      handleClosed(generation, message("obs.hangs"));
    },
    disconnect,
  };
}
