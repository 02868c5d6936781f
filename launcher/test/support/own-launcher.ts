// A launcher with its own data folder, called with the install secret as its owner.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Acknowledgement,
  changeRecorder,
  type EventKind,
  getHealth,
  getRecorder,
  type Health,
  ingestOperations,
  type Problem,
  type Receipt,
  type RecorderReport,
  type RecorderSettings,
} from "@kit/contract";
import { afterAll } from "vitest";
import { freePort } from "../../../tools/engines/free-port.ts";
import { ask, launcherCommand, type ServerProcess, startServer } from "./launcher-process.ts";
import { patienceMs } from "./until.ts";

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body as JSON. */
  json<T>(): T;
};

export type OwnLauncher = {
  readonly port: number;
  readonly dataDir: string;
  readonly process: () => ServerProcess;
  /** The install secret. */
  readonly secret: () => string;
  /** Sends an event like a native game; `body` may be anything. */
  send(kind: EventKind, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** Sends a trigger with the current time. Returns the event's id; rejects unless it is accepted. */
  trigger(eventId: string, kind?: "recording" | "social"): Promise<string>;
  /** Sends an error report with the current time. Returns the event's id; rejects unless it is accepted. */
  report(message: string, stackTrace?: string): Promise<string>;
  /** Calls the API with the install secret. */
  api(method: string, path: string, body?: unknown): Promise<Reply>;
  health(): Promise<Health>;
  recorder(): Promise<RecorderReport>;
  /** Changes settings of the recorder. Rejects unless they are accepted. */
  setRecorder(settings: Partial<RecorderSettings>): Promise<void>;
  receipt(id: string): Promise<Receipt>;
  /** Ends the process and starts another on the same port and data; `between` runs while none is running. */
  restart(signal?: "SIGTERM" | "SIGKILL", between?: () => void | Promise<void>): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

type Sending = { method: string; path: string; headers: Readonly<Record<string, string>>; body?: string | undefined };

function exchange(port: number, { method, path, headers, body }: Sending): Promise<Reply> {
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port,
      method,
      path,
      headers: { ...headers, ...length },
      agent: false as const,
    };
    const sent = request({ ...options, signal: AbortSignal.timeout(patienceMs) }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      const status = response.statusCode ?? 0;
      resolve({ status, headers: response.headers, text, json: <T>() => JSON.parse(text) as T });
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

export type OwnStart = {
  readonly dataDir?: string;
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Wraps the command, for example to limit it. */
  readonly within?: (command: readonly string[]) => readonly string[];
};

/** Starts a launcher. Without a given data directory it creates one, and removes it afterwards. */
export async function startOwnLauncher(start: OwnStart = {}): Promise<OwnLauncher> {
  const port = start.port ?? (await freePort());
  const dataDir = start.dataDir ?? join(mkdtempSync(join(tmpdir(), "kit-test-")), "data");
  const isReady = async () => (await ask(port, { method: "GET", path: getHealth.path })).status === 200;
  const env = { CI: "1", ...start.env };
  const begin = () =>
    startServer({
      command: (start.within ?? ((command) => command))(launcherCommand(port, dataDir)),
      port,
      env,
      isReady,
    });
  let running = await begin();
  const secret = () => readFileSync(join(dataDir, "secret"), "utf8").trim();
  const json = { "content-type": "application/json" };

  const api: OwnLauncher["api"] = (method, path, body) =>
    exchange(port, {
      method,
      path,
      headers: { authorization: `Bearer ${secret()}`, ...(body === undefined ? {} : json) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const send: OwnLauncher["send"] = (kind, body, headers = json) =>
    exchange(port, {
      method: "POST",
      path: ingestOperations[kind].path,
      headers,
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  const accepted = async (kind: EventKind, body: object): Promise<string> => {
    const reply = await send(kind, { ...body, timestamp: timestamp() });
    if (reply.status !== 202) throw new Error(`answered ${reply.status}: ${reply.text}`);
    return reply.json<Acknowledgement>().id;
  };
  return {
    port,
    dataDir,
    process: () => running,
    secret,
    send,
    trigger: (eventId, kind = "recording") => accepted(kind, { eventId }),
    report: (message, stackTrace = "") => accepted("monitor", { message, stackTrace }),
    api,
    health: async () => (await api("GET", getHealth.path)).json<Health>(),
    recorder: async () => (await api("GET", getRecorder.path)).json<RecorderReport>(),
    async setRecorder(settings) {
      const reply = await api("PUT", changeRecorder.path, settings);
      if (reply.status !== 200) throw new Error(`answered ${reply.status}: ${reply.text}`);
    },
    async receipt(id) {
      const reply = await api("GET", `/api/events/${id}`);
      if (reply.status !== 200) throw new Error(`no receipt: ${reply.text}`);
      return reply.json<Receipt>();
    },
    async restart(signal = "SIGTERM", between) {
      await running.end(signal);
      await between?.();
      running = await begin();
    },
    async [Symbol.asyncDispose]() {
      await running.end("SIGKILL");
      if (start.dataDir === undefined) rmSync(join(dataDir, ".."), { recursive: true, force: true });
    },
  };
}

/** Starts a launcher that the tests of a file share. It ends with the file. */
export async function launcherOfFile(start?: OwnStart): Promise<OwnLauncher> {
  const launcher = await startOwnLauncher(start);
  afterAll(() => launcher[Symbol.asyncDispose]());
  return launcher;
}

/** The code of a problem document, and the paths of its errors. */
export function problemIn(reply: { readonly text: string } | { readonly body: string }): {
  code: string;
  paths: string[];
} {
  const document = JSON.parse("text" in reply ? reply.text : reply.body) as Problem;
  return {
    code: document.type.replace("urn:kit:problem:", ""),
    paths: (document.errors ?? []).map(({ path }) => path),
  };
}

/** The current time in the format of games. */
export const timestamp = (): string => new Date().toISOString();
