// The library: every game with what a person says of it, how it was played, and what there is of it.
import { readFile } from "node:fs/promises";
import {
  type BodyOf,
  type changeLibraryGame,
  demoGame,
  eventInWords,
  KitError,
  type LibraryGame,
  type setCover,
} from "@kit/contract";
import type { Statement } from "../../storage/sql.ts";
import type { Games } from "../games.ts";
import { assertStartable, isProposable } from "./command.ts";
import { covered, type LibraryStore, named, startedBy } from "./library-store.ts";
import { pictureFrom, pictureIn } from "./picture.ts";
import type { Play } from "./play.ts";
import { type ProgramIcons, readIcon } from "./program-icon.ts";

type Counts = ReadonlyMap<string, number>;

export type LibraryNeeds = {
  readonly games: Pick<Games, "list" | "register" | "isRegistered">;
  readonly store: LibraryStore;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly clipsOfGames: () => Promise<ReadonlyMap<string, { readonly clips: number; readonly best: string | null }>>;
  readonly issuesOfGames: (nowMs: number) => Promise<Counts>;
  readonly draftsOfGames: () => Promise<Counts>;
  /** The file of a clip's picture. */
  readonly posterOf: (clip: string) => Promise<string | undefined>;
  readonly play: Play;
  readonly iconOf: ProgramIcons;
  readonly onChanged: () => void;
};

export type Shown = { readonly type: string; readonly version: string; readonly bytes: Buffer };
export type Library = ReturnType<typeof createLibrary>;

const bad = (path: string, says: string) => new KitError("payload_invalid", `${says}.`, [{ path, message: says }]);
/** The made-up game has a name of its own. */
const nameOf = (game: string) => (game === demoGame ? "Kit's demo" : eventInWords(game, null));
const playedFirst = (one: LibraryGame, other: LibraryGame) =>
  Number(other.playing) - Number(one.playing) ||
  (other.lastPlayedAt ?? "").localeCompare(one.lastPlayedAt ?? "") ||
  one.name.localeCompare(other.name);

export function createLibrary(needs: LibraryNeeds) {
  const { games, store, write, now, onChanged } = needs;

  /** One round of reads for all games: a read a game would make a large library slow. */
  const list = async (only?: string): Promise<LibraryGame[]> => {
    const nowMs = now();
    const [entries, backups, played, programs, clips, issues, drafts] = await Promise.all([
      store.entries(),
      store.proposed(),
      store.played(nowMs),
      store.programs(),
      needs.clipsOfGames(),
      needs.issuesOfGames(nowMs),
      needs.draftsOfGames(),
    ]);
    const shown = async ({ game, registered, switches }: ReturnType<Games["list"]>["games"][number]) => {
      const entry = entries.get(game);
      const plays = played.get(game);
      const own = clips.get(game);
      const of = backups.has(game) ? "backup" : "program";
      const seen = entry?.command ? undefined : (backups.get(game) ?? programs.get(game));
      const proposed = seen !== undefined && (await isProposable(seen)) ? seen : null;
      const command = entry?.command ?? proposed;
      return {
        game,
        registered,
        switches,
        name: entry?.name ?? nameOf(game),
        named: entry?.name != null,
        ...coverOf(entry?.coverVersion, own?.best),
        icon: (command && (await needs.iconOf(command))?.version) ?? null,
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
    return (await Promise.all(wanted.map(shown))).sort(playedFirst);
  };
  const find = async (name: string): Promise<LibraryGame> => {
    const [game] = await list(name);
    if (game === undefined) throw new KitError("not_found", `There is no game ${name}. \`kit games\` lists them.`);
    return game;
  };
  const posterOf = async (clip: string): Promise<Buffer | undefined> => {
    const path = await needs.posterOf(clip);
    return path === undefined ? undefined : readFile(path).catch(() => undefined);
  };
  const pictureOf = async ({ picture, clip }: BodyOf<typeof setCover>) => {
    if ((picture === undefined) === (clip === undefined)) throw bad("", "either a picture or a clip was expected");
    if (clip === undefined) return picture == null ? null : pictureIn(picture);
    const poster = await posterOf(clip);
    if (poster === undefined) throw bad("/clip", "there is no such clip, or it has no picture");
    return pictureFrom(poster);
  };

  return {
    list,
    /** A game that a person names here is registered. */
    async change({ game, name, command }: BodyOf<typeof changeLibraryGame>): Promise<LibraryGame> {
      if (command != null) await assertStartable(command);
      if (!games.isRegistered(game)) await games.register(game, {});
      const changes = [
        ...(name === undefined ? [] : [named(game, name)]),
        ...(command === undefined ? [] : startedBy(game, command)),
      ];
      if (changes.length > 0) await write(...changes);
      onChanged();
      return find(game);
    },
    /** Only what a person said, or agreed to, is ever run. */
    async play(name: string): Promise<{ pid: number }> {
      const { game, command, commandFrom } = await find(name);
      if (command === null || commandFrom !== "person") {
        const says = `Nobody has said how ${game} is started: kit games play ${game} -- /path/to/the/game`;
        throw bad("/game", says);
      }
      await assertStartable(command);
      return needs.play(game, command);
    },
    async setCover(name: string, given: BodyOf<typeof setCover>): Promise<LibraryGame> {
      const { game } = await find(name);
      await write(covered(game, await pictureOf(given)));
      onChanged();
      return find(game);
    },
    async cover(game: string): Promise<Shown> {
      const own = await store.picture(game);
      if (own !== undefined) return { ...own, bytes: Buffer.from(own.base64, "base64") };
      const best = (await needs.clipsOfGames()).get(game)?.best ?? null;
      const bytes = best === null ? undefined : await posterOf(best);
      if (best === null || bytes === undefined) throw new KitError("not_found", "This game has no cover yet.");
      return { type: "image/jpeg", version: best, bytes };
    },
    async icon(name: string): Promise<Shown> {
      const { command } = await find(name);
      const icon = command === null ? undefined : await needs.iconOf(command);
      const bytes = icon && (await readIcon(icon));
      if (icon === undefined || bytes === undefined)
        throw new KitError("not_found", "No icon was found beside this game's program.");
      return { ...icon, bytes };
    },
  };
}

function coverOf(picture: string | null | undefined, clip: string | null | undefined) {
  if (picture != null) return { cover: "picture", coverVersion: picture } as const;
  return clip == null ? ({ cover: null, coverVersion: "" } as const) : ({ cover: "clip", coverVersion: clip } as const);
}
