// Learns from the senders of events which program a game is, and notices when that program starts and ends.
import { log } from "../log.ts";
import type { Storage } from "../storage/storage.ts";
import { type GameProgram, type LaunchDetails, loadPrograms, saveProgram } from "./game-store.ts";
import type { ProcessTable, Program } from "./process-lookup/processes.ts";
import type { SenderRegistry } from "./senders.ts";

const checkEveryMs = 5_000;
/** How often starts and ends are looked for, so that the first event of a game has footage. Costs well below 1 % of a core. */
const watchEveryMs = 200;
const programsMax = 200;

/**
 * The process is undefined if it is unknown. `hasJustStarted` is true until the first event of a program that the watcher saw
 * start.
 */
type GameNotice = (game: string, process: { pid: number; hasJustStarted: boolean } | undefined) => void;

export type ProgramWatcherDeps = {
  readonly processes: ProcessTable | undefined;
  readonly senders: Pick<SenderRegistry, "processOf">;
  readonly storage: Pick<Storage, "read" | "write">;
  readonly now: () => number;
  /** Called with each event of a game, and when its program starts. */
  readonly gameSeen: GameNotice;
  /** Called every few seconds while the program of a game runs. */
  readonly gameRuns: GameNotice;
  readonly gameEnded: (game: string) => void;
  readonly onFailure?: (error: unknown) => void;
};

type Running = Program & LaunchDetails & { readonly isLearned: boolean };

const keyOf = ({ path, command }: { path: string; command: string }) => `${path}\0${command}`;

const processOf = (program: Program | undefined, hasJustStarted: boolean) =>
  program && { pid: program.pid, hasJustStarted };

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

export class ProgramWatcher {
  readonly #deps: ProgramWatcherDeps;
  readonly #onFailure: (error: unknown) => void;
  readonly #known = createProgramMap();
  readonly #running = new Map<string, Running>();
  readonly #timers: readonly NodeJS.Timeout[] = [];

  constructor(deps: ProgramWatcherDeps) {
    this.#deps = deps;
    this.#onFailure = deps.onFailure ?? ((error) => log.operationFailed("program", error));
    const { processes } = deps;
    if (processes === undefined) return;
    this.#timers = [
      setInterval(() => this.#check(), checkEveryMs).unref(),
      setInterval(() => this.#watch(processes), watchEveryMs).unref(),
    ];
  }

  async load(): Promise<void> {
    for (const program of await loadPrograms(this.#deps.storage)) this.#known.add(program);
    this.#check();
  }

  /** Must be called with each event of a game. `sender` is null if it is unknown, or the event has no event id. Cheap. */
  readonly noteGameEvent = (game: string, sender: number | null): void => {
    const program = this.#deps.senders.processOf(sender);
    this.#deps.gameSeen(game, processOf(program ?? this.#running.get(game), false));
    // A program is learned only if it still runs at the next check, because a command that sends one event is no game.
    if (program !== undefined && !this.#running.has(game) && this.#running.size < programsMax)
      this.#running.set(game, { ...program, isLearned: false });
  };

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  #check(): void {
    const { processes, gameRuns } = this.#deps;
    if (processes === undefined) return;
    try {
      this.#updateRunning(processes);
      // Reports each game whose program runs at every check, so that a game that sends no events does not count as ended.
      for (const [game, program] of this.#running) if (program.isLearned) gameRuns(game, processOf(program, true));
    } catch (error) {
      this.#onFailure(error);
    }
  }

  /** Notices starts of known games and ends of running ones. */
  #watch(processes: ProcessTable): void {
    try {
      for (const [game, program] of this.#running) {
        if (program.isLearned && !processes.isRunning(program)) this.#end(game);
      }
      for (const program of processes.findStarted(this.#known.paths())) {
        const game = this.#known.gameOf(program);
        if (game === undefined || this.#running.has(game)) continue;
        this.#running.set(game, { ...program, isLearned: true });
        this.#deps.gameSeen(game, processOf(program, true));
      }
    } catch (error) {
      this.#onFailure(error);
    }
  }

  #end(game: string): void {
    this.#running.delete(game);
    this.#deps.gameEnded(game);
  }

  #updateRunning(processes: ProcessTable): void {
    const paths = new Set([...this.#known.paths(), ...[...this.#running.values()].map(({ path }) => path)]);
    const alive = processes.findRunning(paths);
    const pids = new Set(alive.map(({ pid, path }) => `${pid} ${path}`));
    for (const [game, program] of this.#running) {
      if (!pids.has(`${program.pid} ${program.path}`)) {
        if (program.isLearned) this.#end(game);
        else this.#running.delete(game);
      } else if (!program.isLearned) void this.#learn(game, program);
    }
    for (const program of alive) {
      const game = this.#known.gameOf(program);
      if (game !== undefined && !this.#running.has(game)) this.#running.set(game, { ...program, isLearned: true });
    }
  }

  async #learn(game: string, program: Running): Promise<void> {
    const { storage, now } = this.#deps;
    this.#known.add({ game, path: program.path, command: program.command });
    this.#running.set(game, { ...program, isLearned: true });
    await storage.write(...saveProgram({ ...program, game }, now(), programsMax)).catch(this.#onFailure);
  }
}
