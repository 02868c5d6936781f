// A launcher with its own data folder, called with the install secret as its owner: in the process of the test, or as a process
// of its own for tests that kill it, send it signals, limit it or read what it prints.
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
import type { Config } from "../../src/config.ts";
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
  /** The newest part of its output. One in the process of the test shares its log with the others there, and prints nothing. */
  output(): string;
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
  /** Ends it cleanly, as a signal does. */
  stop(): Promise<void>;
  /** Ends it and starts another on the same port and data; `between` runs while none is running. */
  restart(signal?: "SIGTERM", between?: () => void | Promise<void>): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

export type LauncherProcess = Omit<OwnLauncher, "restart"> & {
  readonly process: () => ServerProcess;
  restart(signal?: "SIGTERM" | "SIGKILL", between?: () => void | Promise<void>): Promise<void>;
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
};
type Place = { readonly port: number; readonly dataDir: string };

/** Calls a launcher as its owner, and like a game. */
export function callsOf({ port, dataDir }: Place) {
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
    secret,
    send,
    trigger: (eventId: string, kind: "recording" | "social" = "recording") => accepted(kind, { eventId }),
    report: (message: string, stackTrace = "") => accepted("monitor", { message, stackTrace }),
    api,
    health: async () => (await api("GET", getHealth.path)).json<Health>(),
    recorder: async () => (await api("GET", getRecorder.path)).json<RecorderReport>(),
    async setRecorder(settings: Partial<RecorderSettings>) {
      const reply = await api("PUT", changeRecorder.path, settings);
      if (reply.status !== 200) throw new Error(`answered ${reply.status}: ${reply.text}`);
    },
    async receipt(id: string) {
      const reply = await api("GET", `/api/events/${id}`);
      if (reply.status !== 200) throw new Error(`no receipt: ${reply.text}`);
      return reply.json<Receipt>();
    },
  };
}

/** The port and the data directory of a start. A new data directory is removed when the launcher is disposed of. */
async function placeFor({ port, dataDir }: OwnStart): Promise<Place & Disposable> {
  const folder = dataDir === undefined ? mkdtempSync(join(tmpdir(), "kit-test-")) : undefined;
  return {
    port: port ?? (await freePort()),
    dataDir: dataDir ?? join(folder ?? "", "data"),
    [Symbol.dispose]: () => folder && rmSync(folder, { recursive: true, force: true }),
  };
}

/** No test opens a window on a person's desktop, or uses their keyring. */
const testEnv = { CI: "1", KIT_SECRETS: "file" };

let logged = "";

/** Opens a launcher in this process, and returns a function that ends it. */
async function openHere({ port, dataDir }: Place, { env, now, settings }: HereStart): Promise<() => Promise<void>> {
  // Loaded here, because processes that only send to a launcher import this file too.
  const [{ startLauncher }, { superviseLauncher }, { readConfig }, { logOutput }] = await Promise.all([
    import("../../src/launcher.ts"),
    import("../../src/cli/supervised-launcher.ts"),
    import("../../src/config.ts"),
    import("../../src/log.ts"),
  ]);
  logOutput.write = (line) => {
    logged += line;
  };
  // Looking for senders reads the descriptors of every process. All that it could find is this process.
  const all = { ...process.env, ...testEnv, KIT_SENDERS: "off", ...env };
  const config = { ...readConfig({ port: String(port), dataDir }, all), ...settings };
  const open = () => startLauncher(config, now && { now });
  let ended: Promise<void> | undefined;
  const end = () => {
    ended ??= supervised.stop();
    return ended;
  };
  const onFailure = (error: unknown) => void Promise.reject(error);
  const supervised = superviseLauncher(await open(), open, { onFailure, onStopRequested: end });
  return end;
}

type HereStart = OwnStart & {
  readonly now?: () => number;
  /** Settings that no flag and no variable changes. */
  readonly settings?: Partial<Config>;
};

/** Starts a launcher in this process. Without a given data directory it creates one, and removes it afterwards. */
export async function startOwnLauncher(start: HereStart = {}): Promise<OwnLauncher> {
  const place = await placeFor(start);
  let end = await openHere(place, start);
  return {
    ...callsOf(place),
    output: () => logged,
    stop: () => end(),
    async restart(_signal, between) {
      await end();
      await between?.();
      end = await openHere(place, start);
    },
    async [Symbol.asyncDispose]() {
      await end();
      place[Symbol.dispose]();
    },
  };
}

export type ProcessStart = OwnStart & {
  /** Wraps the command, for example to limit it. */
  readonly within?: (command: readonly string[]) => readonly string[];
};

/** Starts a launcher as a process of its own. It finds senders. */
export async function startLauncherProcess(start: ProcessStart = {}): Promise<LauncherProcess> {
  const place = await placeFor(start);
  const { port, dataDir } = place;
  const isReady = async () => (await ask(port, { method: "GET", path: getHealth.path })).status === 200;
  const { within = (command) => command } = start;
  const begin = () =>
    startServer({
      command: within(launcherCommand(port, dataDir)),
      port,
      env: { ...testEnv, ...start.env },
      isReady,
    });
  let running = await begin();
  return {
    ...callsOf(place),
    process: () => running,
    output: () => running.output(),
    stop: () => running.end("SIGTERM"),
    async restart(signal = "SIGTERM", between) {
      await running.end(signal);
      await between?.();
      running = await begin();
    },
    async [Symbol.asyncDispose]() {
      await running.end("SIGKILL");
      place[Symbol.dispose]();
    },
  };
}

function sharedInFile<L extends AsyncDisposable>(launcher: L): L {
  afterAll(() => launcher[Symbol.asyncDispose]());
  return launcher;
}

/** Starts a launcher in this process that the tests of a file share. */
export const launcherOfFile = async (start?: HereStart): Promise<OwnLauncher> =>
  sharedInFile(await startOwnLauncher(start));

/** Starts a launcher process that the tests of a file share. */
export const launcherProcessOfFile = async (start?: ProcessStart): Promise<LauncherProcess> =>
  sharedInFile(await startLauncherProcess(start));

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
