// Runs the real launcher as a child process with a data folder of its own, and sends to it as a game does.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient, createTicket, type EventKind, ingestOperations } from "@kit/contract";
import { freePort } from "../../tools/engines/free-port.ts";

const root = join(import.meta.dirname, "../..");
/** The built launcher, not the source: it starts in a third of the time, and each test starts two. */
const entry = join(root, "dist/launcher/main.js");
const page = join(root, "dist/dashboard/index.html");
const program = ["--disable-warning=ExperimentalWarning", entry];

/** Resolves once the launcher prints that it listens; rejects with its output if it exits before. */
function listening(launcher: ChildProcess): Promise<void> {
  let printed = "";
  return new Promise((resolve, reject) => {
    launcher.once("exit", () => reject(new Error(`the launcher ended before it listened:\n${printed}`)));
    // Both are read to the end, because a full pipe would stop the launcher.
    for (const output of [launcher.stdout, launcher.stderr]) {
      output?.on("data", (chunk: Buffer) => {
        printed += chunk;
        if (printed.includes("listens on")) resolve();
      });
    }
  });
}

export type Answer = { readonly status: number; readonly id: string };

export type LauncherStart = {
  /** A free port by default. */
  readonly port?: number | undefined;
  /** The display that may be recorded. None by default, so that no test records the screen of whoever runs it. */
  readonly display?: string | undefined;
  /** False: no process is recognized as a sender, not even the test's own. */
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

  get #location() {
    return ["--port", String(this.port), "--data-dir", this.dataDir];
  }

  async start(): Promise<void> {
    this.#child = spawn(process.execPath, [...program, "start", ...this.#location, "--no-open"], {
      stdio: ["ignore", "pipe", "pipe"],
      env: environment(this.#start),
    });
    await listening(this.#child);
  }

  /** Kills the launcher without a chance to write or notify anything, as a power cut would. */
  async killHard(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  /** A sign-in link, requested as the command line requests it, but without the half second that it takes to start. */
  async ownLink(): Promise<string> {
    const base = `http://127.0.0.1:${this.port}`;
    const secret = readFileSync(join(this.dataDir, "secret"), "utf8").trim();
    const { ticket } = await createClient(base, () => ({ authorization: `Bearer ${secret}` })).call(createTicket);
    return `${base}/#t=${ticket}`;
  }

  /** A sign-in link from `kit open`, as a person gets it. */
  async link(): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [...program, "open", "--print", ...this.#location]);
    return stdout.trim();
  }

  /** Posts the body as given. Adds a `timestamp` if the body has none. */
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
    // Processes that the launcher started may still write there for a moment.
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 10 });
  }
}
