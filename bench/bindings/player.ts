// Starts an engine, plays a plan and waits for its end.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type GameMessage, parseMessage } from "./protocol.ts";

export type Playing = {
  /** The game's processes. */
  pids(): readonly number[];
  /** Resolves when the plan is complete and the engine has exited. Rejects if it exits early. */
  readonly ended: Promise<void>;
};

export type Listener = (told: GameMessage) => void;

/** Starts the engine with the plan file `plan` and a folder for its files. */
export type Start = (plan: string, folder: string, onTold: Listener) => Promise<Playing>;

const playMsMax = 180_000;
const saidCharsMax = 4_000;

/** Plays a plan in an engine with one process that reports on stdout. */
export function playProcess(
  [program, ...words]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  onTold: Listener,
): Playing {
  const child = spawn(program, words, {
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: playMsMax,
    killSignal: "SIGKILL",
  });
  return { pids: () => [child.pid as number], ended: endOf(child, program, onTold) };
}

async function endOf(child: ChildProcess, program: string, onTold: Listener): Promise<void> {
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  let said = "";
  const keep = (line: string) => {
    said = `${said}${line}\n`.slice(-saidCharsMax);
  };
  const read = (stream: NodeJS.ReadableStream | null, onLine: (line: string) => void) => {
    if (stream) createInterface({ input: stream }).on("line", onLine);
  };
  read(child.stdout, (line) => {
    const told = parseMessage(line);
    if (told === undefined) keep(line);
    else onTold(told);
  });
  read(child.stderr, keep);
  const [status] = await once(child, "close");
  process.off("exit", kill);
  if (status !== 0) throw new Error(`${program} ended with ${status}:\n${said}`);
}
