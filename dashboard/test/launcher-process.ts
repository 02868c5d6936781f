// The real launcher as a child process with a data directory of its own, and a game's way of sending to it.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient, createTicket, type EventKind, ingestOperations } from "@kit/contract";
import { freePort } from "../../tools/engines/free-port.ts";

const root = join(import.meta.dirname, "../..");
/** Built, not from source: it is up in a third of the time, and each test starts two. */
const entry = join(root, "dist/launcher/main.js");
const page = join(root, "dist/dashboard/index.html");
const program = ["--disable-warning=ExperimentalWarning", entry];

/** Resolves once the launcher says that it listens; rejects with what it said when it ends before. */
function listening(launcher: ChildProcess): Promise<void> {
  let said = "";
  return new Promise((resolve, reject) => {
    launcher.once("exit", () => reject(new Error(`the launcher ended before it listened:\n${said}`)));
    // Both are read to the end, or a full pipe would stop it.
    for (const output of [launcher.stdout, launcher.stderr]) {
      output?.on("data", (chunk: Buffer) => {
        said += chunk;
        if (said.includes("listens on")) resolve();
      });
    }
  });
}

export type Answer = { readonly status: number; readonly id: string };

export type LauncherStart = {
  /** A free one when left out. */
  readonly port?: number | undefined;
  /** The screen it may record; none when left out: no test may record the screen of who runs it. */
  readonly display?: string | undefined;
  /** False: no program is seen to send, not even this one. */
  readonly findsSenders?: boolean;
};

function environment({ display, findsSenders = true }: LauncherStart): NodeJS.ProcessEnv {
  const { DISPLAY: _screen, WAYLAND_DISPLAY: _wayland, ...rest } = process.env;
  const senders = { KIT_SENDERS: findsSenders ? "on" : "off" };
  return display === undefined ? { ...rest, ...senders } : { ...rest, ...senders, DISPLAY: display };
}

export class LauncherProcess {
  readonly dataDir: string = mkdtempSync(join(tmpdir(), "kit-dashboard-"));
  readonly port: number;
  readonly #start: LauncherStart;
  #child: ChildProcess | undefined;

  private constructor(port: number, start: LauncherStart) {
    this.port = port;
    this.#start = start;
  }

  static async start(start: LauncherStart = {}): Promise<LauncherProcess> {
    if (!existsSync(entry) || !existsSync(page)) throw new Error("Not built. Run: node tools/bundle.ts --if-stale");
    const launcher = new LauncherProcess(start.port ?? (await freePort()), start);
    await launcher.start();
    return launcher;
  }

  get #place() {
    return ["--port", String(this.port), "--data-dir", this.dataDir];
  }

  async start(): Promise<void> {
    this.#child = spawn(process.execPath, [...program, "start", ...this.#place, "--no-open"], {
      stdio: ["ignore", "pipe", "pipe"],
      env: environment(this.#start),
    });
    await listening(this.#child);
  }

  /** As a power cut would: nothing is written, nobody is told. */
  async killHard(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  /** An address that opens the dashboard once, asked for as the command line asks, but without half a second to start it. */
  async ownLink(): Promise<string> {
    const base = `http://127.0.0.1:${this.port}`;
    const secret = readFileSync(join(this.dataDir, "secret"), "utf8").trim();
    const { ticket } = await createClient(base, () => ({ authorization: `Bearer ${secret}` })).call(createTicket);
    return `${base}/#t=${ticket}`;
  }

  /** An address that opens the dashboard once, as a person gets it. */
  async link(): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [...program, "open", "--print", ...this.#place]);
    return stdout.trim();
  }

  /** Posts a body as it is given; `timestamp` is filled in where the body has none. */
  async send(kind: EventKind, body: object, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`http://127.0.0.1:${this.port}${ingestOperations[kind].path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "GodotEngine/4.6 (Linux)", ...headers },
      body: JSON.stringify({ timestamp: new Date().toISOString(), ...body }),
    });
    const answer = (await response.json()) as { id?: string };
    return { status: response.status, id: answer.id ?? "" };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.killHard();
    // What it started may still write there for a moment.
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 10 });
  }
}
