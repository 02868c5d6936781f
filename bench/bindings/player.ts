// Plays a plan in an engine, from the start of its process to its end.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type GameMessage, parseMessage } from "./protocol.ts";

export type Playing = {
  /** The processes whose memory is the game's. */
  pids(): readonly number[];
  /** Resolves when the plan is played and the engine gone; rejects when it ended before that. */
  readonly ended: Promise<void>;
};

export type Listener = (told: GameMessage) => void;

/** Starts the engine, with `folder` for its files, and lets it play the plan, which is in the file `plan`. */
export type Start = (plan: string, folder: string, onTold: Listener) => Promise<Playing>;

const playMsMax = 180_000;
const saidCharsMax = 4_000;

/** For engines that are one process and tell by printing. */
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
