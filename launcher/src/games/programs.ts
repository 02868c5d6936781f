// Learns which program each game runs as from the senders of its events, and notices when that program starts and ends.
import type { Statement } from "../storage/sql.ts";
import type { ProcessTable, Program } from "./process-lookup/processes.ts";
import { type GameProgram, type LaunchDetails, saveProgram } from "./program-store.ts";

const checkEveryMs = 5_000;
const programsMax = 200;

export type ProgramWatcher = {
  load(): Promise<void>;
  /** Must be called with each trigger whose program is known. Cheap. */
  noteSender(game: string, program: Program & LaunchDetails): void;
  stop(): void;
};

export type ProgramWatcherDeps = {
  readonly processes: ProcessTable | undefined;
  readonly load: () => Promise<GameProgram[]>;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly onRunning: (game: string) => void;
  readonly onEnded: (game: string) => void;
  readonly onFailure: (error: unknown) => void;
};

type Running = Program & LaunchDetails & { readonly isLearned: boolean };

const keyOf = ({ path, command }: { path: string; command: string }) => `${path}\0${command}`;

/** Creates a bounded map from programs to games. */
function createProgramMap() {
  const games = new Map<string, GameProgram>();
  return {
    add(program: GameProgram) {
      games.set(keyOf(program), program);
      const [oldest] = games.keys();
      if (games.size > programsMax && oldest !== undefined) games.delete(oldest);
    },
    gameOf: (program: Program) => games.get(keyOf(program))?.game,
    paths: () => new Set([...games.values()].map(({ path }) => path)),
  };
}

export function createProgramWatcher(needs: ProgramWatcherDeps): ProgramWatcher {
  const { processes, now } = needs;
  const known = createProgramMap();
  const running = new Map<string, Running>();

  const learn = async (game: string, program: Program & LaunchDetails) => {
    const { path, command, arguments: words = null, folder = null } = program;
    const entry = { game, path, command };
    known.add(entry);
    running.set(game, { ...program, isLearned: true });
    await needs
      .write(...saveProgram({ ...entry, arguments: words, folder }, now(), programsMax))
      .catch(needs.onFailure);
  };
  const updateRunning = (processTable: ProcessTable): void => {
    const paths = new Set([...known.paths(), ...[...running.values()].map(({ path }) => path)]);
    const alive = processTable.findRunning(paths);
    const pids = new Set(alive.map(({ pid, path }) => `${pid} ${path}`));
    for (const [game, program] of running) {
      if (!pids.has(`${program.pid} ${program.path}`)) {
        running.delete(game);
        if (program.isLearned) needs.onEnded(game);
      } else if (!program.isLearned) void learn(game, program);
    }
    for (const program of alive) {
      const game = known.gameOf(program);
      if (game !== undefined && !running.has(game)) running.set(game, { ...program, isLearned: true });
    }
  };
  const check = (processTable: ProcessTable) => {
    try {
      updateRunning(processTable);
      // Repeated while the program runs, so that a game without events does not count as ended.
      for (const [game, { isLearned }] of running) if (isLearned) needs.onRunning(game);
    } catch (error) {
      needs.onFailure(error);
    }
  };
  const timer = processes === undefined ? undefined : setInterval(() => check(processes), checkEveryMs).unref();

  return {
    async load() {
      for (const program of await needs.load()) known.add(program);
      if (processes !== undefined) check(processes);
    },
    noteSender(game, program) {
      // A program is learned only if it still runs at the next check, because a command that sends one event is no game.
      if (!running.has(game) && running.size < programsMax) running.set(game, { ...program, isLearned: false });
    },
    stop: () => clearInterval(timer),
  };
}
