// The library: lists every game with its name, cover, command, play time and counts, and starts games.

import { access, constants, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, sep } from "node:path";
import {
  type addLibraryGame,
  type BodyOf,
  type changeLibraryGame,
  demoGame,
  type FieldError,
  fieldError,
  type GameCommand,
  gamePrefixCharsMax,
  KitError,
  type LibraryGame,
  type Message,
  payloadInvalid,
  type setCover,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Storage } from "../../storage/storage.ts";
import type { GameRegistry } from "../games.ts";
import type { ProgramWatcher } from "../programs.ts";
import { createLibraryStore, saveGameCommand, saveGameCover } from "./library-store.ts";
import { decodePicture, parsePicture } from "./picture.ts";
import type { PlayGame } from "./play.ts";
import { type FindProgramIcon, readIcon } from "./program-icon.ts";

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

async function findProgramProblem(program: string): Promise<Message | undefined> {
  const found = await stat(program).catch(() => undefined);
  if (found === undefined) return message("command.no_file", { program });
  if (!found.isFile()) return message("command.not_a_file", { program });
  // On Windows, every file counts as executable.
  if (process.platform === "win32" && !/\.(?:exe|com|bat|cmd)$/i.test(program))
    return message("command.not_executable", { program });
  const canRun = await access(program, constants.X_OK).then(
    () => true,
    () => false,
  );
  return canRun ? undefined : message("command.not_executable", { program });
}

/**
 * Returns why a command cannot be started; an empty list if it can. A NUL character is a problem, because the system would end an
 * argument there.
 */
async function findProblems({ program, arguments: words, folder }: GameCommand): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  const add = (path: string, problem: Message | undefined) =>
    problem !== undefined && errors.push(fieldError(path, problem));
  if ([program, folder, ...words].some((word) => word.includes("\0"))) add("/command", message("command.nul"));
  else {
    add("/command/program", isAbsolute(program) ? await findProgramProblem(program) : message("field.expected_path"));
    if (!isAbsolute(folder)) add("/command/folder", message("field.expected_path"));
    else if (!(await isFolder(folder))) add("/command/folder", message("command.no_folder", { folder }));
  }
  return errors;
}

/** Throws KitError payload_invalid, which names every problem of the command. */
async function assertStartable(command: GameCommand): Promise<void> {
  const problems = await findProblems(command);
  if (problems.length === 0) return;
  const problem = problems.map((each) => each.message).join("; ");
  throw new KitError("payload_invalid", message("field.several", { problems: problem }), problems);
}

/** Folders whose files the system deletes, or to which everybody can write. */
const temporaryFolders = [tmpdir(), "/tmp", "/var/tmp", "/dev", "/proc", "/run", "/memfd:"];
const isWithin = (folders: readonly string[], path: string) =>
  folders.some((folder) => path === folder || path.startsWith(folder + sep));

/** Returns true if Kit may propose a command: it can be started, and neither its program nor its folder is temporary. */
export async function isProposable(command: GameCommand, temporary: readonly string[] = temporaryFolders) {
  if (isWithin(temporary, command.program) || isWithin(temporary, command.folder)) return false;
  return (await findProblems(command)).length === 0;
}

/** Returns the prefix of the event ids that a game of this name would send: my_game for My Game. The demo's stays its own. */
function prefixOf(name: string): string {
  const words = name
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "_");
  // Small letters can be longer than large ones.
  const prefix = words.replaceAll(/^_|_$/g, "").slice(0, gamePrefixCharsMax).replace(/_$/, "") || "game";
  return prefix === demoGame ? `${prefix}_game` : prefix;
}

type Counts = ReadonlyMap<string, number>;

export type GameLibraryDeps = {
  readonly games: Pick<GameRegistry, "list" | "registerGame" | "isRegistered" | "givenName" | "planName">;
  readonly storage: Pick<Storage, "read" | "write">;
  readonly now: () => number;
  readonly clipsOfGames: () => Promise<ReadonlyMap<string, { readonly clips: number; readonly best: string | null }>>;
  readonly openIssuesPerGame: (nowMs: number) => Promise<Counts>;
  readonly draftsOfGames: () => Promise<Counts>;
  /** Returns the path of a clip's poster. */
  readonly posterOf: (clip: string) => Promise<string | undefined>;
  readonly programs: Pick<ProgramWatcher, "find" | "gameOf" | "add">;
  readonly play: PlayGame;
  readonly findIcon: FindProgramIcon;
  readonly onChanged: () => void;
  /** Folders whose programs are not proposed. Defaults to those of this OS. */
  readonly temporaryFolders?: readonly string[];
};

export type GameImage = { readonly type: string; readonly version: string; readonly bytes: Buffer };
export type GameLibrary = ReturnType<typeof createGameLibrary>;

const invalid = (path: string, problem: Message) =>
  payloadInvalid(message("field.several", { problems: problem }), fieldError(path, problem));
const compareByPlayed = (one: LibraryGame, other: LibraryGame) =>
  Number(other.playing) - Number(one.playing) ||
  (other.lastPlayedAt ?? "").localeCompare(one.lastPlayedAt ?? "") ||
  one.name.localeCompare(other.name);

export function createGameLibrary(needs: GameLibraryDeps) {
  const { games, storage, now, onChanged } = needs;
  const store = createLibraryStore(storage);

  /** Reads each table once for all games, so that listing stays fast with many games. */
  const list = async (only?: string): Promise<LibraryGame[]> => {
    const nowMs = now();
    const [entries, backups, played, programs, clips, issues, drafts] = await Promise.all([
      store.entries(),
      store.proposedCommands(),
      store.playStats(nowMs),
      store.seenCommands(),
      needs.clipsOfGames(),
      needs.openIssuesPerGame(nowMs),
      needs.draftsOfGames(),
    ]);
    const toLibraryGame = async ({ firstSeenAt: _, ...known }: ReturnType<GameRegistry["list"]>["games"][number]) => {
      const { game } = known;
      const entry = entries.get(game);
      const plays = played.get(game);
      const own = clips.get(game);
      const of = backups.has(game) ? "backup" : "program";
      const seen = entry?.command ? undefined : (backups.get(game) ?? programs.get(game));
      const proposed = seen !== undefined && (await isProposable(seen, needs.temporaryFolders)) ? seen : null;
      const command = entry?.command ?? proposed;
      return {
        ...known,
        named: games.givenName(game) !== null,
        ...coverOf(entry?.coverVersion, own?.best),
        icon: (command && (await needs.findIcon(command))?.version) ?? null,
        command,
        commandFrom: entry?.command ? "person" : proposed && of,
        playing: plays?.playing ?? false,
        session: plays?.session ?? null,
        lastPlayedAt: plays === undefined ? null : new Date(plays.startedMs).toISOString(),
        sessions: plays?.sessions ?? 0,
        playedSeconds: Math.round((plays?.playedMs ?? 0) / 1_000),
        clips: own?.clips ?? 0,
        issues: issues.get(game) ?? 0,
        drafts: drafts.get(game) ?? 0,
      } satisfies LibraryGame;
    };
    const wanted = games.list().games.filter(({ game }) => only === undefined || game === only);
    return (await Promise.all(wanted.map(toLibraryGame))).sort(compareByPlayed);
  };
  const find = async (name: string): Promise<LibraryGame> => {
    const [game] = await list(name);
    if (game === undefined) throw new KitError("not_found", message("game.not_listed", { game: name }));
    return game;
  };
  const posterOf = async (clip: string): Promise<Buffer | undefined> => {
    const path = await needs.posterOf(clip);
    return path === undefined ? undefined : readFile(path).catch(() => undefined);
  };
  const readCover = async ({ picture, clip }: BodyOf<typeof setCover>) => {
    if ((picture === undefined) === (clip === undefined)) throw invalid("", message("cover.one_source"));
    if (clip === undefined) return picture == null ? null : decodePicture(picture);
    const poster = await posterOf(clip);
    if (poster === undefined) throw invalid("/clip", message("cover.no_poster"));
    return parsePicture(poster);
  };

  return {
    list,
    /** Changes the name or the command of a game. Also registers the game. */
    async change({ game, name, command }: BodyOf<typeof changeLibraryGame>): Promise<LibraryGame> {
      if (command != null) await assertStartable(command);
      if (!games.isRegistered(game)) await games.registerGame(game, {});
      const naming = games.planName(game, name === undefined ? games.givenName(game) : name);
      const changes = [...naming.statements, ...(command === undefined ? [] : saveGameCommand(game, command))];
      if (changes.length > 0) await storage.write(...changes);
      naming.committed();
      onChanged();
      return find(game);
    },
    /** Adds a running program as a game. A game that already has a name keeps it. */
    async add({ pid, name }: BodyOf<typeof addLibraryGame>): Promise<LibraryGame> {
      const { programs } = needs;
      const program = await programs.find(pid);
      if (program === undefined) throw invalid("/pid", message("program.not_found"));
      const game = programs.gameOf(program) ?? prefixOf(name);
      await this.change({ game, name: games.givenName(game) ?? name.trim() });
      await programs.add(game, program);
      onChanged();
      return find(game);
    },
    /** Starts only a command that a person entered or accepted. */
    async play(name: string): Promise<{ pid: number }> {
      const { game, command, commandFrom } = await find(name);
      if (command === null || commandFrom !== "person") {
        throw invalid("/game", message("command.not_set", { game }));
      }
      await assertStartable(command);
      return needs.play(game, command);
    },
    async setCover(name: string, given: BodyOf<typeof setCover>): Promise<LibraryGame> {
      const { game } = await find(name);
      await storage.write(saveGameCover(game, await readCover(given)));
      onChanged();
      return find(game);
    },
    async cover(game: string): Promise<GameImage> {
      const own = await store.cover(game);
      if (own !== undefined) return { ...own, bytes: Buffer.from(own.base64, "base64") };
      const best = (await needs.clipsOfGames()).get(game)?.best ?? null;
      const bytes = best === null ? undefined : await posterOf(best);
      if (best === null || bytes === undefined) throw new KitError("not_found", message("cover.none"));
      return { type: "image/jpeg", version: best, bytes };
    },
    async icon(name: string): Promise<GameImage> {
      const { command } = await find(name);
      const icon = command === null ? undefined : await needs.findIcon(command);
      const bytes = icon && (await readIcon(icon));
      if (icon === undefined || bytes === undefined) throw new KitError("not_found", message("cover.no_icon"));
      return { ...icon, bytes };
    },
  };
}

function coverOf(picture: string | null | undefined, clip: string | null | undefined) {
  if (picture != null) return { cover: "picture", coverVersion: picture } as const;
  return clip == null ? ({ cover: null, coverVersion: "" } as const) : ({ cover: "clip", coverVersion: clip } as const);
}
