// Starts a server as its own process, waits until it answers, and stops it. For tests and benchmarks.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { type Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { nodeFlags } from "../../src/process/node-flags.ts";
import { patienceMs } from "./until.ts";

const root = join(import.meta.dirname, "../../..");
const pollEveryMs = 5;
const outputCharsMax = 8_000;

export type Answer = { readonly status: number; readonly body: string };

export type Asking = {
  readonly method?: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
  readonly agent?: Agent;
  readonly timeoutMs?: number;
};

/** Sends one request to a port of this computer. Rejects if no complete answer arrives in time. */
export function ask(port: number, asking: Asking): Promise<Answer> {
  const { method = "POST", path, body, contentType = "application/json", agent, timeoutMs = patienceMs } = asking;
  return new Promise((resolve, reject) => {
    const headers =
      body === undefined ? {} : { "content-type": contentType, "content-length": Buffer.byteLength(body) };
    const signal = AbortSignal.timeout(timeoutMs);
    const asked = request(
      { host: "127.0.0.1", port, method, path, headers, agent: agent ?? false, signal },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
        answer.on("error", reject);
      },
    );
    asked.on("error", reject);
    asked.end(body);
  });
}

export type ServerStart = {
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly port: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Called every few milliseconds; a rejection counts as not ready. */
  readonly isReady: () => Promise<boolean>;
  readonly readyWithinMs?: number;
};

export type ServerProcess = {
  readonly pid: number;
  readonly port: number;
  /** From just before the start of the process until it was ready. */
  readonly readyMs: number;
  isRunning(): boolean;
  /** The newest part of the output. */
  output(): string;
  /** Sends the signal and resolves when the process has ended. */
  end(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
};

const started = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of started) child.kill("SIGKILL");
});

/** Starts the server. Rejects with its output if it ends or is not ready in time. */
export async function startServer({
  command,
  port,
  env,
  isReady,
  readyWithinMs = patienceMs,
}: ServerStart): Promise<ServerProcess> {
  const [program = "", ...words] = command;
  const beganMs = performance.now();
  // Tests must not use a person's own keyring.
  const child = spawn(program, words, {
    env: { ...process.env, KIT_SECRETS: "file", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  started.add(child);
  let written = "";
  let isRunning = true;
  const keep = (chunk: Buffer) => {
    written = (written + chunk.toString()).slice(-outputCharsMax);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  child.once("exit", () => {
    isRunning = false;
    started.delete(child);
  });
  const end = async (signal: "SIGTERM" | "SIGKILL" = "SIGKILL") => {
    if (isRunning) child.kill(signal);
    await exited;
  };
  for (;;) {
    if (await isReady().catch(() => false)) break;
    const isLate = performance.now() - beganMs > readyWithinMs;
    if (isLate) await end();
    if (!isRunning) throw new Error(`${command.join(" ")} ${isLate ? "was not ready in time" : "ended"}:\n${written}`);
    await pause(pollEveryMs);
  }
  const readyMs = performance.now() - beganMs;
  return { pid: child.pid as number, port, readyMs, isRunning: () => isRunning, output: () => written, end };
}

/** Program and arguments of the built `kit`, run like `npm start` runs it. Throws if it was not built. */
export function kitCommand(...words: readonly string[]): [program: string, ...words: string[]] {
  const entry = join(root, "dist/launcher/main.js");
  if (!existsSync(entry)) throw new Error("The launcher is not built. Run: npm run bundle");
  return [process.execPath, ...nodeFlags, entry, ...words];
}

/** The command that starts the built launcher. Throws if it was not built. */
export const launcherCommand = (port: number, dataDir: string): readonly string[] =>
  kitCommand("start", "--port", String(port), "--data-dir", dataDir, "--no-open");

/** Resident memory of a process in bytes. Linux only. */
export function residentBytesOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  if (kilobytes === undefined) throw new Error(`process ${pid} has ended`);
  return Number(kilobytes) * 1024;
}

/** Wraps a command so that it can open at most `max` descriptors. */
export const withDescriptorsMax = (max: number) => (command: readonly string[]) => [
  "/bin/sh",
  "-c",
  `ulimit -n ${max} && exec "$@"`,
  "sh",
  ...command,
];
