// Starts a game through `kit run`. That is a separate process, so that it and the game go on after the launcher ends.

import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fieldError, type GameCommand, type Message, type MessageOrText, payloadInvalid } from "@kit/contract";
import { message } from "@kit/contract/messages";

/** Maximum wait for the answer of `kit run`. A busy computer takes a second or two to start Node. */
const answerWithinMs = 20_000;

export type PlayGameDeps = {
  /** The command that starts this Kit. */
  readonly ownCommand: readonly string[];
  /** Umask of the game's process. */
  readonly umask: number;
  readonly dataDir: string;
  readonly port: number;
  /** Returns when the running session of the game started; undefined if none is running. */
  readonly runningSinceMs: (game: string) => Promise<number | undefined>;
  /** Returns whether `kit run` reported that this run of a game has ended. */
  readonly hasRunEnded: (run: string) => Promise<boolean>;
  /** Called when a game was started. */
  readonly onStarted: (game: string, pid: number) => void;
};

export type PlayGame = (game: string, command: GameCommand) => Promise<{ pid: number }>;

/** The one message that `kit run --unseen` sends over its IPC channel. */
type StartResult = { readonly runs: true } | { readonly failed: MessageOrText };

const playError = (problem: Message) => payloadInvalid(problem, fieldError("/game", problem));

/** A process of `kit run`, and the id of its run. */
type RunProcess = { readonly run: string; readonly child: ChildProcess };

function begin({ ownCommand, umask, dataDir, port }: PlayGameDeps, game: string, command: GameCommand): RunProcess {
  const run = randomUUID();
  const [kit = "", ...first] = ownCommand;
  const place = ["--data-dir", dataDir, "--port", String(port)];
  const words = ["run", "--unseen", "--run", run, "--umask", String(umask), "--game", game, ...place, "--"];
  const child = spawn(kit, [...first, ...words, command.program, ...command.arguments], {
    cwd: command.folder,
    detached: true,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    windowsHide: true,
  });
  return { run, child };
}

async function waitForStart(child: ChildProcess): Promise<StartResult> {
  const { promise, resolve } = Promise.withResolvers<StartResult>();
  const late = setTimeout(() => resolve({ failed: message("play.no_answer") }), answerWithinMs);
  child.once("message", (result) => resolve(result as StartResult));
  child.once("error", (error) => resolve({ failed: message("play.kit_not_started", { problem: error.message }) }));
  child.once("exit", (code, signal) => resolve({ failed: message("play.ended", { code: code ?? signal ?? "" }) }));
  const result = await promise;
  clearTimeout(late);
  if (child.connected) child.disconnect();
  child.unref();
  return result;
}

/** The returned function throws KitError if the game already runs or cannot be started. */
export function createPlayGame(needs: PlayGameDeps): PlayGame {
  /** The latest process of each game, or "starting". */
  const started = new Map<string, RunProcess | "starting">();

  /** Whether a game that Kit started runs. Its `kit run` may live longer, while other programs have the game's output open. */
  const isRunning = async ({ run, child }: RunProcess) =>
    child.exitCode === null && child.signalCode === null && !(await needs.hasRunEnded(run));

  return async function play(game, command) {
    const alreadyStarted = playError(message("play.already_started", { game }));
    let latest = started.get(game);
    if (latest === "starting") throw alreadyStarted;
    started.set(game, "starting");
    try {
      if (latest !== undefined && (await isRunning(latest))) throw alreadyStarted;
      const sinceMs = await needs.runningSinceMs(game);
      if (sinceMs !== undefined) {
        throw playError(message("play.running", { game, since: new Date(sinceMs).toISOString() }));
      }
      latest = begin(needs, game, command);
      const { child } = latest;
      const result = await waitForStart(child);
      if ("failed" in result) throw playError(message("play.not_started", { game, problem: result.failed }));
      const pid = child.pid ?? 0;
      needs.onStarted(game, pid);
      return { pid };
    } finally {
      if (latest?.child.pid === undefined) started.delete(game);
      else started.set(game, latest);
    }
  };
}
