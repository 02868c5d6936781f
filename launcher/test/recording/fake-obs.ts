// Support: a fake OBS that implements the part of obs-websocket 5 that Kit uses, and misbehaves on request.
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";

/** The used part of the WebSocket library that comes with obs-websocket-js. */
type Socket = {
  send(text: string): void;
  close(code: number, reason: string): void;
  terminate(): void;
  on(event: "message", listener: (data: Buffer) => void): void;
};
type Server = {
  readonly clients: Set<Socket>;
  address(): AddressInfo;
  close(): void;
  on(event: "connection", listener: (socket: Socket) => void): void;
};
const { WebSocketServer } = createRequire(createRequire(import.meta.url).resolve("obs-websocket-js"))("ws") as {
  WebSocketServer: new (options: { host: string; port: number; handleProtocols: () => string }) => Server;
};

export type FakeObs = {
  readonly url: string;
  readonly port: number;
  /** The names of the requests, in order. */
  readonly requests: string[];
  /** Can be changed while it runs. */
  readonly does: FakeObsBehaviour;
  /** Tells every client that OBS wrote a file. */
  announce(path: string): void;
  /** Sets the replay buffer's state and tells every client. */
  runs(isActive: boolean): void;
  /** Ends every connection without a close frame, and accepts new ones. */
  drop(): void;
  close(): Promise<void>;
};

export type FakeObsBehaviour = {
  password: string;
  /** "off" is an OBS without a replay buffer. */
  replayBuffer: "off" | "stopped" | "running";
  replaySeconds: number;
  lastReplay: string;
  /** Accepts requests and never answers. */
  isSilent: boolean;
  /** Writes a file and returns its path, or `null` for no event. */
  onSave: (count: number) => Promise<string | null>;
};

const hash = (text: string) => createHash("sha256").update(text).digest("base64");
const ok = (responseData?: object) => ({ requestStatus: { result: true, code: 100 }, responseData });
const no = (code: number) => ({ requestStatus: { result: false, code } });

export async function openFakeObs(behaviour: Partial<FakeObsBehaviour> = {}, port = 0): Promise<FakeObs> {
  const does: FakeObsBehaviour = {
    password: "secret",
    replayBuffer: "stopped",
    replaySeconds: 30,
    lastReplay: "",
    isSilent: false,
    onSave: async () => null,
    ...behaviour,
  };
  const requests: string[] = [];
  let saves = 0;
  const server = new WebSocketServer({ host: "127.0.0.1", port, handleProtocols: () => "obswebsocket.json" });
  await once(server as never, "listening");

  const event = (eventType: string, eventData: object) => {
    for (const client of server.clients)
      client.send(JSON.stringify({ op: 5, d: { eventType, eventIntent: 64, eventData } }));
  };
  const announce = (savedReplayPath: string) => {
    does.lastReplay = savedReplayPath;
    event("ReplayBufferSaved", { savedReplayPath });
  };
  const runs = (isActive: boolean) => {
    does.replayBuffer = isActive ? "running" : "stopped";
    const outputState = `OBS_WEBSOCKET_OUTPUT_${isActive ? "STARTED" : "STOPPED"}`;
    event("ReplayBufferStateChanged", { outputActive: isActive, outputState });
  };
  const later = (work: () => void) => setImmediate(work);

  const answers: Record<string, (data: Record<string, string>) => object> = {
    GetVersion: () => ok({ obsVersion: "29.0.2" }),
    GetReplayBufferStatus: () =>
      does.replayBuffer === "off" ? no(604) : ok({ outputActive: does.replayBuffer === "running" }),
    GetProfileParameter: ({ parameterName }) =>
      ok({
        parameterValue: parameterName === "Mode" ? "Simple" : String(does.replaySeconds),
        defaultParameterValue: null,
      }),
    GetVideoSettings: () => ok({ outputWidth: 256, outputHeight: 144 }),
    GetStats: () => ok({ activeFps: 20 }),
    GetCurrentProgramScene: () => ok({ currentProgramSceneName: "Scene" }),
    StartReplayBuffer() {
      if (does.replayBuffer !== "stopped") return no(does.replayBuffer === "off" ? 604 : 500);
      later(() => runs(true));
      return ok();
    },
    StopReplayBuffer() {
      later(() => runs(false));
      return ok();
    },
    SaveReplayBuffer() {
      if (does.replayBuffer !== "running") return no(501);
      saves += 1;
      void does.onSave(saves).then((path) => path !== null && announce(path));
      return ok();
    },
    GetLastReplayBufferReplay: () => ok(does.lastReplay === "" ? {} : { savedReplayPath: does.lastReplay }),
  };

  server.on("connection", (socket) => {
    const salt = randomBytes(8).toString("hex");
    const challenge = randomBytes(8).toString("hex");
    const send = (op: number, d: object) => socket.send(JSON.stringify({ op, d }));
    if (!does.isSilent) send(0, { obsWebSocketVersion: "5.1.0", rpcVersion: 1, authentication: { salt, challenge } });
    socket.on("message", (data) => {
      const { op, d } = JSON.parse(data.toString());
      if (does.isSilent) requests.push(d.requestType);
      else if (op === 1) {
        if (d.authentication === hash(hash(does.password + salt) + challenge)) send(2, { negotiatedRpcVersion: 1 });
        else socket.close(4009, "Authentication failed.");
      } else if (op === 6) {
        requests.push(d.requestType);
        const answer = answers[d.requestType]?.(d.requestData ?? {}) ?? no(204);
        send(7, { requestType: d.requestType, requestId: d.requestId, ...answer });
      }
    });
  });

  const drop = () => {
    for (const client of server.clients) client.terminate();
  };
  return {
    url: `ws://127.0.0.1:${server.address().port}`,
    port: server.address().port,
    requests,
    does,
    announce,
    runs,
    drop,
    async close() {
      drop();
      const closed = once(server as never, "close");
      server.close();
      await closed;
    },
  };
}
