// Learns from the senders of events which program a game is, and notices when that program starts and ends.
import type { EventKind } from "@kit/contract";
import { log } from "../log.ts";
import type { Storage } from "../storage/storage.ts";
import { type GameProgram, type LaunchDetails, loadPrograms, saveProgram } from "./game-store.ts";
import { LookupUnavailable } from "./process-lookup/native/lookup-client.ts";
import type { PeerProcess, ProcessTable, Program } from "./process-lookup/processes.ts";
import type { SenderRegistry } from "./senders.ts";

const checkEveryMs = 5_000;
/** How often starts and ends are looked for, so that the first event of a game has footage. Costs well below 1 % of a core. */
const watchEveryMs = process.platform === "linux" ? 100 : 200;
const programsMax = 200;
/** How long the last events of a game may come after its program has ended. */
const lastEventsMs = 15_000;

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
  /** The programs that ended last, by game. */
  readonly #ended = new Map<string, { readonly pid: number; readonly atMs: number }>();
  readonly #timers: readonly NodeJS.Timeout[] = [];
  #isWatching = false;

  constructor(deps: ProgramWatcherDeps) {
    this.#deps = deps;
    const onFailure = deps.onFailure ?? ((error: unknown) => log.operationFailed("program", error));
    // While the system cannot be asked, programs count as unchanged. Whoever asks it has logged why.
    this.#onFailure = (error) => (error instanceof LookupUnavailable ? undefined : onFailure(error));
    const { processes } = deps;
    if (processes === undefined) return;
    this.#timers = [
      setInterval(() => void this.#check(), checkEveryMs).unref(),
      setInterval(() => void this.#watch(processes), watchEveryMs).unref(),
    ];
  }

  async load(): Promise<void> {
    for (const program of await loadPrograms(this.#deps.storage)) this.#known.add(program);
    // A system that answers late must not delay the start.
    void this.#check();
  }

  /** Must be called with each event of a game. `sender` is null if it is unknown, and for each report. Cheap. */
  readonly noteGameEvent = (game: string, sender: number | null, kind: EventKind): void => {
    const program = this.#deps.senders.processOf(sender);
    if (!this.#running.has(game) && this.#isOfEndedRun(game, program, kind)) return;
    this.#deps.gameSeen(game, processOf(program ?? this.#running.get(game), false));
    // A program is learned only if it still runs at the next check, because a command that sends one event is no game.
    if (program !== undefined && !this.#running.has(game) && this.#running.size < programsMax)
      this.#running.set(game, { ...program, isLearned: false });
  };

  /** Returns the program that runs as this process; undefined if it has ended, or Kit cannot see it. */
  async find(pid: number): Promise<PeerProcess | undefined> {
    return this.#deps.processes?.find(pid);
  }

  gameOf(program: Program): string | undefined {
    return this.#known.gameOf(program);
  }

  /** Notes which game a running program is. Resolves when that is durable; rejects with KitError. */
  async add(game: string, program: PeerProcess): Promise<void> {
    const { storage, now, gameSeen } = this.#deps;
    await storage.write(...saveProgram({ ...program, game }, now(), programsMax));
    this.#note(game, program);
    gameSeen(game, processOf(program, false));
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  async #check(): Promise<void> {
    const { processes, gameRuns } = this.#deps;
    if (processes === undefined) return;
    try {
      await this.#updateRunning(processes);
      // Reports each game whose program runs at every check, so that a game that sends no events does not count as ended.
      for (const [game, program] of this.#running) if (program.isLearned) gameRuns(game, processOf(program, true));
    } catch (error) {
      this.#onFailure(error);
    }
  }

  /** Notices starts of known games and ends of running ones. */
  async #watch(processes: ProcessTable): Promise<void> {
    if (this.#isWatching) return;
    this.#isWatching = true;
    try {
      for (const [game, program] of [...this.#running]) {
        const hasEnded = program.isLearned && !(await processes.isRunning(program));
        if (hasEnded && this.#running.get(game) === program) this.#end(game, program);
      }
      for (const program of await processes.findStarted(this.#known.paths())) {
        const game = this.#known.gameOf(program);
        if (game === undefined || this.#running.has(game)) continue;
        this.#running.set(game, { ...program, isLearned: true });
        this.#deps.gameSeen(game, processOf(program, true));
      }
    } catch (error) {
      this.#onFailure(error);
    } finally {
      this.#isWatching = false;
    }
  }

  /** Whether an event shows nothing but that a game has run: it was sent late, or reports a crash after the end. */
  #isOfEndedRun(game: string, program: Program | undefined, kind: EventKind): boolean {
    const ended = this.#ended.get(game);
    if (ended === undefined) return false;
    if (program !== undefined) return program.pid === ended.pid;
    return kind === "monitor" || this.#deps.now() - ended.atMs < lastEventsMs;
  }

  #end(game: string, { pid }: Program): void {
    this.#running.delete(game);
    this.#ended.delete(game);
    const [oldest] = this.#ended.set(game, { pid, atMs: this.#deps.now() }).keys();
    if (this.#ended.size > programsMax && oldest !== undefined) this.#ended.delete(oldest);
    this.#deps.gameEnded(game);
  }

  async #updateRunning(processes: ProcessTable): Promise<void> {
    const before = [...this.#running];
    const paths = new Set([...this.#known.paths(), ...before.map(([, { path }]) => path)]);
    const alive = await processes.findRunning(paths);
    const pids = new Set(alive.map(({ pid, path }) => `${pid} ${path}`));
    for (const [game, program] of before) {
      if (this.#running.get(game) !== program) continue;
      if (!pids.has(`${program.pid} ${program.path}`)) {
        if (program.isLearned) this.#end(game, program);
        else this.#running.delete(game);
      } else if (!program.isLearned) void this.#learn(game, program);
    }
    for (const program of alive) {
      const game = this.#known.gameOf(program);
      if (game !== undefined && !this.#running.has(game)) this.#running.set(game, { ...program, isLearned: true });
    }
  }

  #note(game: string, program: Program): void {
    this.#known.add({ game, path: program.path, command: program.command });
    this.#running.set(game, { ...program, isLearned: true });
  }

  async #learn(game: string, program: Running): Promise<void> {
    const { storage, now } = this.#deps;
    this.#note(game, program);
    await storage.write(...saveProgram({ ...program, game }, now(), programsMax)).catch(this.#onFailure);
  }
}
