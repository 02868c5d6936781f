// Which program a game runs as: learnt from who sends its events, then noticed when it starts and when it ends.
import type { Statement } from "../storage/sql.ts";
import type { Processes, Program } from "./process-lookup/processes.ts";
import { type KnownProgram, type Started, saveProgram } from "./program-store.ts";

const lookEveryMs = 5_000;
const programsMax = 200;

export type Programs = {
  load(): Promise<void>;
  /** To be called with each trigger of a game whose program is known. Cheap. */
  sent(game: string, program: Program & Started): void;
  stop(): void;
};

export type ProgramsNeeds = {
  readonly processes: Processes | undefined;
  readonly load: () => Promise<KnownProgram[]>;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly onRunning: (game: string) => void;
  readonly onEnded: (game: string) => void;
  readonly onFailure: (error: unknown) => void;
};

type Running = Program & Started & { readonly learnt: boolean };

const keyOf = ({ path, command }: { path: string; command: string }) => `${path}\0${command}`;

/** The programs that belong to games. */
function createKnown() {
  const games = new Map<string, KnownProgram>();
  return {
    add(program: KnownProgram) {
      games.set(keyOf(program), program);
      const [oldest] = games.keys();
      if (games.size > programsMax && oldest !== undefined) games.delete(oldest);
    },
    gameOf: (program: Program) => games.get(keyOf(program))?.game,
    paths: () => new Set([...games.values()].map(({ path }) => path)),
  };
}

export function createPrograms(needs: ProgramsNeeds): Programs {
  const { processes, now } = needs;
  const known = createKnown();
  const running = new Map<string, Running>();

  const learn = async (game: string, program: Program & Started) => {
    const { path, command, arguments: words = null, folder = null } = program;
    const entry = { game, path, command };
    known.add(entry);
    running.set(game, { ...program, learnt: true });
    await needs
      .write(...saveProgram({ ...entry, arguments: words, folder }, now(), programsMax))
      .catch(needs.onFailure);
  };
  const notice = (found: Processes): void => {
    const paths = new Set([...known.paths(), ...[...running.values()].map(({ path }) => path)]);
    const alive = found.runningFrom(paths);
    const pids = new Set(alive.map(({ pid, path }) => `${pid} ${path}`));
    for (const [game, program] of running) {
      if (!pids.has(`${program.pid} ${program.path}`)) {
        running.delete(game);
        if (program.learnt) needs.onEnded(game);
      } else if (!program.learnt) void learn(game, program);
    }
    for (const program of alive) {
      const game = known.gameOf(program);
      if (game !== undefined && !running.has(game)) running.set(game, { ...program, learnt: true });
    }
  };
  const look = (found: Processes) => {
    try {
      notice(found);
      // Said again while it runs: a game that sends nothing for long has not ended, nor have others when one does.
      for (const [game, { learnt }] of running) if (learnt) needs.onRunning(game);
    } catch (error) {
      needs.onFailure(error);
    }
  };
  const timer = processes === undefined ? undefined : setInterval(() => look(processes), lookEveryMs).unref();

  return {
    async load() {
      for (const program of await needs.load()) known.add(program);
      if (processes !== undefined) look(processes);
    },
    sent(game, program) {
      // Only what still runs at the next look is learnt: a command line that sends and ends is no game.
      if (!running.has(game) && running.size < programsMax) running.set(game, { ...program, learnt: false });
    },
    stop: () => clearInterval(timer),
  };
}
