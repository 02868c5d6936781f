// Starts a game for a person: `kit run` as a process of its own, which goes on when the launcher ends, as the game does.
import { type ChildProcess, spawn } from "node:child_process";
import { type GameCommand, KitError } from "@kit/contract";

/** A busy machine takes a second or two to start Node. */
const answerWithinMs = 20_000;

export type PlayNeeds = {
  /** How this Kit is started again. */
  readonly ownCommand: readonly string[];
  /** The game's. */
  readonly umask: number;
  readonly dataDir: string;
  readonly port: number;
  /** When the run of it began that goes on; undefined where none is known. */
  readonly runsSince: (game: string) => Promise<number | undefined>;
  /** A game was started by this. */
  readonly onPlayed: (game: string, pid: number) => void;
};

export type Play = (game: string, command: GameCommand) => Promise<{ pid: number }>;

/** What `kit run --unseen` says once, over the channel it was started with. */
type Said = { readonly runs: true } | { readonly failed: string };

const refused = (says: string) => new KitError("payload_invalid", says, [{ path: "/game", message: says }]);

function begin({ ownCommand, umask, dataDir, port }: PlayNeeds, game: string, command: GameCommand): ChildProcess {
  const [kit = "", ...first] = ownCommand;
  const place = ["--data-dir", dataDir, "--port", String(port)];
  const run = ["run", "--unseen", "--umask", String(umask), "--game", game, ...place, "--"];
  return spawn(kit, [...first, ...run, command.program, ...command.arguments], {
    cwd: command.folder,
    detached: true,
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    windowsHide: true,
  });
}

async function answerOf(child: ChildProcess): Promise<Said> {
  const { promise, resolve } = Promise.withResolvers<Said>();
  const late = setTimeout(() => resolve({ failed: "It does not say in time whether it runs" }), answerWithinMs);
  child.once("message", (said) => resolve(said as Said));
  child.once("error", (error) => resolve({ failed: `Kit cannot be started again: ${error.message}` }));
  child.once("exit", (code, signal) =>
    resolve({ failed: `\`kit run\` ended before the game ran (${code ?? signal})` }),
  );
  const said = await promise;
  clearTimeout(late);
  if (child.connected) child.disconnect();
  child.unref();
  return said;
}

/** Throws KitError: it runs already, or could not be started, and why. */
export function createPlay(needs: PlayNeeds): Play {
  /** By game the process that watches over it, or true while that begins. */
  const played = new Map<string, ChildProcess | true>();
  const goesOn = (game: string) => {
    const child = played.get(game);
    return child === true || (child !== undefined && child.exitCode === null && child.signalCode === null);
  };

  return async function play(game, command) {
    if (goesOn(game)) throw refused(`${game} was started already. End it before it is started once more`);
    played.set(game, true);
    let child: ChildProcess | undefined;
    try {
      const sinceMs = await needs.runsSince(game);
      if (sinceMs !== undefined) {
        throw refused(
          `${game} runs already, since ${new Date(sinceMs).toISOString()}. End it before it is started once more`,
        );
      }
      child = begin(needs, game, command);
      const said = await answerOf(child);
      if ("failed" in said) throw refused(`${game} did not start: ${said.failed}`);
      const pid = child.pid ?? 0;
      needs.onPlayed(game, pid);
      return { pid };
    } finally {
      if (child?.pid === undefined) played.delete(game);
      else played.set(game, child);
    }
  };
}
