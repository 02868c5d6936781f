// One connection to OBS: opened, authenticated, and every question answered or given up within seconds.
import { connect } from "node:net";
import type { OBSRequestTypes, OBSResponseTypes, OBSWebSocket } from "obs-websocket-js/json";

/** OBS cannot be spoken with; the message says why and what to do, for a person. */
export class ObsUnreachable extends Error {
  override name = "ObsUnreachable";
}

/** The connection ended, or OBS did not answer on it: nothing is known about what was asked. */
export class ObsSilent extends Error {
  override name = "ObsSilent";
}

/** OBS answered that it will not. */
export class ObsRefused extends Error {
  override name = "ObsRefused";
  readonly code: number;

  constructor(code: number, comment: string) {
    super(comment === "" ? `OBS answered with status ${code}` : comment);
    this.code = code;
  }
}

/** Statuses of obs-websocket 5 that say something to Kit. */
export const obsStatus = { outputRunning: 500, outputNotRunning: 501, notThere: 604 } as const;
const authenticationFailed = 4009;
/** Event category "Outputs": what its replay buffer does. Nothing else is sent to us. */
const outputEvents = 64;

export type ObsLink = {
  /** E.g. 29.0.2. */
  readonly version: string;
  /** Rejects with ObsRefused or ObsSilent. */
  call<Name extends keyof OBSRequestTypes>(name: Name, data?: OBSRequestTypes[Name]): Promise<OBSResponseTypes[Name]>;
  /** Called with the path of each file OBS has written its replay buffer to, until what it returns is called. */
  onSaved(listener: (path: string) => void): () => void;
  /** Ends it at once, also when OBS hangs. `onClosed` is not called. */
  close(): void;
};

export type OpenLink = {
  readonly url: string;
  readonly password: string | null;
  readonly timeoutMs: number;
  /** The replay buffer runs now, or does no longer; not called while it starts or stops. */
  readonly onReplayBuffer: (isActive: boolean) => void;
  readonly onClosed: () => void;
};

const loopbackNames = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** Rejects with ObsUnreachable. The library is loaded only once something listens: most players have no OBS running. */
export async function openLink(options: OpenLink): Promise<ObsLink> {
  const { url, password, timeoutMs } = options;
  const { hostname, port } = new URL(url);
  if (!loopbackNames.has(hostname))
    throw new ObsUnreachable(`Kit speaks with an OBS on this machine only, not at ${url}.`);
  if (!(await listens(hostname.replace(/[[\]]/g, ""), Number(port), timeoutMs)))
    throw new ObsUnreachable(notThere(url));
  const { OBSWebSocket } = await import("obs-websocket-js/json");
  const socket = new OBSWebSocket();
  try {
    const identity = { rpcVersion: 1, eventSubscriptions: outputEvents };
    await within(timeoutMs, socket.connect(url, password ?? undefined, identity));
    const { obsVersion } = await within(timeoutMs, socket.call("GetVersion"));
    return follow(socket, options, obsVersion);
  } catch (failure) {
    terminate(socket);
    throw new ObsUnreachable(whyNot(failure, url, password !== null));
  }
}

function follow(socket: OBSWebSocket, options: OpenLink, version: string): ObsLink {
  const closed = Promise.withResolvers<never>();
  closed.promise.catch(() => undefined);
  const onClosed = () => {
    closed.reject(new ObsSilent("the connection to OBS ended"));
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
        // The library forgets the questions of a closed connection: they would wait for ever.
        return await within(options.timeoutMs, Promise.race([socket.call(name, data), closed.promise]));
      } catch (failure) {
        if (failure instanceof ObsSilent) throw failure;
        throw isCoded(failure) ? new ObsRefused(failure.code, failure.message) : new ObsSilent(String(failure));
      }
    },
    onSaved(listener) {
      const onEvent = ({ savedReplayPath }: { savedReplayPath: string }) => listener(savedReplayPath);
      socket.on("ReplayBufferSaved", onEvent);
      return () => socket.off("ReplayBufferSaved", onEvent);
    },
    close() {
      socket.off("ConnectionClosed", onClosed);
      closed.reject(new ObsSilent("Kit ended the connection to OBS"));
      terminate(socket);
    },
  };
}

/** Quicker and cheaper than a WebSocket that fails. */
function listens(host: string, port: number, timeoutMs: number): Promise<boolean> {
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

/** The library only says goodbye and waits for an answer, half a minute where OBS hangs. */
function terminate(socket: OBSWebSocket): void {
  const { socket: inner } = socket as unknown as { socket?: { terminate?: () => void } };
  inner?.terminate?.();
}

async function within<Value>(timeoutMs: number, answer: Promise<Value>): Promise<Value> {
  answer.catch(() => undefined);
  const timer = Promise.withResolvers<never>();
  const handle = setTimeout(() => timer.reject(new ObsSilent("OBS did not answer")), timeoutMs);
  try {
    return await Promise.race([answer, timer.promise]);
  } finally {
    clearTimeout(handle);
  }
}

function isCoded(failure: unknown): failure is Error & { code: number } {
  return failure instanceof Error && "code" in failure && typeof failure.code === "number";
}

const notThere = (url: string) =>
  `OBS does not answer at ${url}. Start OBS; in OBS, Tools → WebSocket Server Settings → Enable WebSocket server, with the port that Kit is set to.`;

function whyNot(failure: unknown, url: string, hasPassword: boolean): string {
  if (isCoded(failure) && failure.code === authenticationFailed) {
    const where = "It stands in OBS under Tools → WebSocket Server Settings → Show Connect Info.";
    return hasPassword
      ? `OBS does not take the password that Kit has. ${where} Set it in Kit again.`
      : `OBS asks for a password and Kit has none. ${where} Set it in Kit.`;
  }
  const what = failure instanceof ObsSilent ? "does not answer as OBS does" : "ended the connection";
  return `What listens at ${url} ${what}. Is it OBS 28 or newer? Restart OBS, or correct the port.`;
}
