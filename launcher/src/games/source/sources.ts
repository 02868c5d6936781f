// Where the source of each game lies, and what a frame of one of its errors is there.
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, extname, isAbsolute, join, parse, resolve, sep } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Editor, type GameSource, KitError } from "@kit/contract";
import type { Statement } from "../../storage/sql.ts";
import { type Candidate, candidatesOf, type Place } from "./candidates.ts";
import { deleteSource, type StoredSource, saveSource } from "./source-store.ts";

// Finds a frame's file in a project: the first candidate that is a file there, never one outside it.

/** Looks at the disk for one report. */
const looksMax = 400;

type Found = { readonly path: string; readonly within: Candidate };
type Search = (candidates: readonly Candidate[]) => Promise<Found | null>;

/** What may be said of one report: its looks are counted together. Undefined where there is no such folder. */
async function searchIn(root: string): Promise<Search | undefined> {
  const real = await realpath(root).catch(() => undefined);
  if (real === undefined) return undefined;
  let looks = 0;
  const isWithin = (path: string) => path.startsWith(real.endsWith(sep) ? real : real + sep);
  const isFileOf = async (path: string) => {
    looks += 1;
    if (!(await stat(path).catch(() => undefined))?.isFile()) return false;
    // A link in the project may lead out of it.
    return isWithin(await realpath(path).catch(() => ""));
  };
  return async (candidates) => {
    for (const within of candidates) {
      if (looks >= looksMax) return null;
      const path = join(root, ...within);
      if (await isFileOf(path)) return { path, within };
    }
    return null;
  };
}

/** By what JetBrains knows a project: its solution, else its folder. */
async function projectIn(root: string): Promise<string> {
  const folder = basename(root);
  const names = (await readdir(root).catch(() => [])).filter((name) => [".sln", ".slnx"].includes(extname(name)));
  const solutions = names.map((name) => name.slice(0, -extname(name).length)).sort();
  return solutions.includes(folder) ? folder : (solutions[0] ?? folder);
}

// Links that open a file in an editor. Pure; the scheme is one of these, whatever a path holds.

type Target = {
  /** Absolute, with the separators of this system. */
  readonly path: string;
  /** Within the project. */
  readonly within: readonly string[];
  readonly line: number | null;
  readonly column: number | null;
  /** The name of the solution in the project's folder. */
  readonly project: string;
};

const schemes: Partial<Record<Editor, string>> = { vscode: "vscode", vscodium: "vscodium", cursor: "cursor" };

const encoded = (segments: readonly string[]) => segments.map(encodeURIComponent).join("/");
/** A drive keeps its colon. */
const encodedPath = (path: string) => {
  const [first = "", ...rest] = path.split(/[\\/]/).filter((segment) => segment !== "");
  return /^[a-z]:$/i.test(first) ? [first, encoded(rest)].join("/") : encoded([first, ...rest]);
};
const isPlace = (number: number | null): number is number => number !== null && number >= 1;

/** Null for editors that have no links. */
export function linkOf(editor: Editor, { path, within, line, column, project }: Target): string | null {
  const place = isPlace(line) ? [line, ...(isPlace(column) ? [column] : [])] : [];
  if (editor === "rider") {
    // JetBrains Toolbox takes paths within a project that is known to it, and counts lines from zero.
    const at = [encoded(within), ...place.map((number) => number - 1)].join(":");
    return `jetbrains://rider/navigate/reference?project=${encodeURIComponent(project)}&path=${at}`;
  }
  const scheme = schemes[editor];
  return scheme === undefined ? null : `${scheme}://file/${[encodedPath(path), ...place].join(":")}`;
}

const sourcesMax = 1_000;
const foundMax = 1_000;
/** A file may be written or moved meanwhile. */
const foundForMs = 10_000;
/** A folder on another machine may not answer. */
const waitMsMax = 1_000;

type FramePlace = Place & { readonly line: number | null; readonly column: number | null };
type Source = { readonly path: string; readonly link: string | null };

export type Sources = {
  load(): Promise<void>;
  list(): Promise<GameSource[]>;
  /** Throws KitError where the folder cannot be one. */
  set(game: string, root: string, editor: Editor | undefined): Promise<GameSource>;
  forget(game: string): Promise<void>;
  /** One for each frame; null where no file of the game was found for it. */
  sourcesOf(game: string | null, frames: readonly FramePlace[]): Promise<readonly (Source | null)[]>;
};

export type SourcesNeeds = {
  readonly load: () => Promise<readonly StoredSource[]>;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly onChanged: () => void;
};

const invalid = (detail: string) => new KitError("payload_invalid", detail);
const within = <T>(answer: Promise<T>, late: T): Promise<T> =>
  Promise.race([answer, pause(waitMsMax, late, { ref: false })]);

async function problemOf(root: string): Promise<string | null> {
  const folder = await within(
    stat(root).catch(() => undefined),
    undefined,
  );
  if (folder === undefined) return `There is no folder ${root}, or it cannot be read.`;
  return folder.isDirectory() ? null : `${root} is no folder.`;
}

export function createSources({ load, write, now, onChanged }: SourcesNeeds): Sources {
  const sources = new Map<string, StoredSource>();
  const known = new Map<string, { found: Found | null; untilMs: number }>();

  const shown = async (source: StoredSource): Promise<GameSource> => ({
    ...source,
    problem: await problemOf(source.root),
  });
  const remember = (key: string, found: Found | null) => {
    known.delete(key);
    known.set(key, { found, untilMs: now() + foundForMs });
    const [oldest] = known.keys();
    if (known.size > foundMax && oldest !== undefined) known.delete(oldest);
  };
  const look = async ({ root, editor }: StoredSource, frames: readonly FramePlace[]) => {
    const search = await searchIn(root);
    if (search === undefined) return [];
    const project = editor === "rider" ? await projectIn(root) : "";
    const found: (Source | null)[] = [];
    for (const frame of frames) {
      const key = JSON.stringify([root, frame.file, frame.file === null ? frame.function : null]);
      const before = known.get(key);
      if (before === undefined || before.untilMs <= now()) remember(key, await search(candidatesOf(frame)));
      const file = known.get(key)?.found ?? null;
      found.push(file && { path: file.path, link: linkOf(editor, { ...frame, ...file, project }) });
    }
    return found;
  };

  return {
    async load() {
      for (const source of await load()) sources.set(source.game, source);
    },
    list: () => Promise.all([...sources.values()].map(shown)),
    async set(game, given, editor) {
      if (!isAbsolute(given) || /\p{Cc}/u.test(given)) throw invalid("root: an absolute path is needed.");
      const root = resolve(given);
      if (root === parse(root).root) throw invalid("root: name the folder of the project, not the whole disk.");
      const problem = await problemOf(root);
      if (problem !== null) throw invalid(`root: ${problem}`);
      const before = sources.get(game);
      if (before === undefined && sources.size >= sourcesMax)
        throw invalid(`${sourcesMax} games have a source already.`);
      const source = { game, root, editor: editor ?? before?.editor ?? "other" };
      await write(saveSource(source));
      sources.set(game, source);
      onChanged();
      return shown(source);
    },
    async forget(game) {
      if (!sources.has(game)) throw new KitError("not_found", `No source is known of ${game}.`);
      await write(deleteSource(game));
      sources.delete(game);
      onChanged();
    },
    async sourcesOf(game, frames) {
      const source = game === null ? undefined : sources.get(game);
      const found = source === undefined ? [] : await within(look(source, frames), []);
      return frames.map((_, index) => found[index] ?? null);
    },
  };
}
