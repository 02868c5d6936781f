// The demo slice: runs the made-up game as a separate program, one at a time, reports its progress, and receives its posts.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Server } from "node:http";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import {
  type Demo,
  type DemoOutcome,
  type DemoPhase,
  demoPhases,
  demoSeconds,
  getDemo,
  KitError,
  type MessageOrText,
  startDemo,
  startDemoWebhook,
  stopDemo,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type Route, route } from "../http/route.ts";

// A static import would also make Node load fetch, which costs memory.
const { createServer } = process.getBuiltinModule("node:http");

type DemoProgress = Omit<Demo, "state">;

const initialProgress: DemoProgress = {
  second: 0,
  seconds: demoSeconds.usual,
  window: false,
  phase: null,
  says: "",
  failed: false,
  outcomes: [],
  session: null,
};

type OutputLine = {
  type?: string;
  seconds?: number;
  second?: number;
  window?: boolean;
  phase?: string;
  says?: string;
  outcomes?: readonly DemoOutcome[];
  session?: string | null;
};

function parseLine(line: string): OutputLine {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

const parsePhase = (name: string | undefined): DemoPhase | null => demoPhases.find((known) => known === name) ?? null;

/** Returns the progress after one more line of output. Unknown lines change nothing. Pure. */
function applyLine(previous: DemoProgress, line: string): DemoProgress {
  const { type, seconds, second, window, phase, says = "", outcomes = [], session = null } = parseLine(line);
  switch (type) {
    case "begins":
      return { ...previous, seconds: seconds ?? previous.seconds, window: window ?? previous.window };
    case "phase":
      return { ...previous, phase: parsePhase(phase), says };
    case "second":
      return { ...previous, second: second ?? previous.second };
    case "ended":
      return { ...previous, says, outcomes: [...outcomes], session };
    default:
      return previous;
  }
}

/** An address on this machine that confirms each post of the demo and stores nothing. */
type DemoWebhook = { readonly url: string; close(): void };

/** Maximum size of a post with its clip. */
const postBytesMax = 16 * 1024 * 1024;
const connectionsMax = 8;

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: "127.0.0.1", port, exclusive: true }, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

/** Starts the webhook. Port 0 chooses a free port. Rejects if the port is taken. */
async function listenForPosts(port: number): Promise<DemoWebhook> {
  const server = createServer({ maxHeaderSize: 8_192, headersTimeout: 4_000, requestTimeout: 30_000 });
  server.maxConnections = connectionsMax;
  server.on("request", (request, response) => {
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > postBytesMax) request.destroy();
    });
    request.on("end", () => response.writeHead(request.method === "POST" ? 204 : 405).end());
    request.on("error", () => response.destroy());
  });
  const actualPort = await listen(server, port);
  // The webhook does not keep the launcher running.
  server.unref();
  return {
    url: `http://localhost:${actualPort}/posts`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export type DemoDeps = {
  /** `kit demo` as a program and its arguments. */
  readonly command: readonly string[];
  /** True if a window can be shown. */
  readonly hasWindow: boolean;
  /** True if data of an earlier demo is stored. */
  readonly hasStoredDemo: () => boolean;
  readonly onChanged: () => void;
  readonly onFailure: (what: string, error: unknown) => void;
};

export type DemoGame = {
  state(): Demo;
  start(): Demo;
  /** Resolves when the program has exited. */
  end(): Promise<void>;
  /** Returns the address that receives the demo's posts. It stays the same until the launcher ends. */
  webhookUrl(): Promise<string>;
  /** Reopens the webhook on the port that it had in the launcher's previous run, if that port is free. */
  reopenWebhook(port: number): Promise<void>;
  stop(): Promise<void>;
};

/** Time for the program to close its window and read the outcomes before it is killed. */
const endWithinMs = 5_000;
const errorCharsMax = 500;

export function createDemo({ command, hasWindow, hasStoredDemo, onChanged, onFailure }: DemoDeps): DemoGame {
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  let progress: DemoProgress = initialProgress;
  let webhook: Promise<DemoWebhook> | undefined;

  const state = (): Demo => {
    const isPlaying = child !== undefined;
    if (!isPlaying && !hasStoredDemo())
      return { ...initialProgress, state: "none", seconds: demoSeconds.usual, window: hasWindow };
    return { ...progress, state: isPlaying ? "playing" : "played", phase: isPlaying ? progress.phase : null };
  };
  const handleExit = (code: number | null, said: MessageOrText) => {
    child = undefined;
    if (code !== 0)
      progress = { ...progress, failed: true, says: said || message("demo.ended_early", { code: code ?? "" }) };
    onChanged();
  };
  const startProgram = (): Demo => {
    if (child !== undefined) throw new KitError("too_many_requests", message("demo.running"));
    const [program = "", ...words] = command;
    progress = { ...initialProgress, window: hasWindow, phase: "waiting" };
    const startedChild = spawn(program, words, { stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    child = startedChild;
    let stderrTail = "";
    startedChild.stderr.on("data", (chunk: Buffer) => {
      stderrTail = (stderrTail + chunk.toString()).slice(-errorCharsMax);
    });
    createInterface({ input: startedChild.stdout as Readable }).on("line", (line) => {
      progress = applyLine(progress, line);
      onChanged();
    });
    ended = once(startedChild, "close").then(
      ([code]) => handleExit(code as number | null, stderrTail.trim()),
      (error: Error) => handleExit(-1, message("demo.not_started", { problem: error.message })),
    );
    return state();
  };
  const end = async () => {
    const runningChild = child;
    runningChild?.kill("SIGTERM");
    const killTimer = setTimeout(() => runningChild?.kill("SIGKILL"), endWithinMs);
    await ended;
    clearTimeout(killTimer);
  };
  const openWebhook = (port: number) => {
    webhook ??= listenForPosts(port);
    webhook.catch(() => {
      webhook = undefined;
    });
    return webhook;
  };
  return {
    state,
    start() {
      const demo = startProgram();
      onChanged();
      return demo;
    },
    end,
    webhookUrl: async () => (await openWebhook(0)).url,
    reopenWebhook: (port) =>
      openWebhook(port).then(
        () => undefined,
        (error) => onFailure("demo webhook", error),
      ),
    async stop() {
      await end();
      (await webhook?.catch(() => undefined))?.close();
    },
  };
}

export const demoRoutes = (demo: DemoGame): readonly Route[] => [
  route(getDemo, demo.state),
  route(startDemo, demo.start),
  route(stopDemo, demo.end),
  route(startDemoWebhook, async () => ({ url: await demo.webhookUrl() })),
];
