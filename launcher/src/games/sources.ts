// Holds the source folder of each game, and finds in it the file and the editor link for a stack frame.
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, extname, isAbsolute, join, parse, resolve, sep } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Editor, KitError, type Message, payloadInvalid, type SourceFolder } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Storage } from "../storage/storage.ts";
import { forgetSourceFolder, loadSourceFolders, type StoredSourceFolder, saveSourceFolder } from "./game-store.ts";

type FrameLocation = { readonly function: string | null; readonly file: string | null };
/** Folder names and a file name, relative to the project. */
type SourcePath = readonly string[];

const charsMax = 1_024;
const segmentsMax = 24;
/** Schemes of URLs in which a path of the project follows the host. */
const pageSchemes = ["http", "https", "chrome-extension", "app", "tauri", "capacitor", "webpack", "webpack-internal"];
const unsafe = /[\p{Cc}\p{Cs}:*?"<>|]/u;

/**
 * Lists the files of a project that a stack frame may refer to, the likeliest first: none if it cannot refer to a file of the
 * game. A frame is text that anybody may have sent, so no path leads out of the project, or names a drive, a device or another
 * computer.
 */
export function sourceCandidates({ function: name, file }: FrameLocation): readonly SourcePath[] {
  if (file === null) return name === null || name.length > charsMax ? [] : ofGml(name);
  if (file.length > charsMax) return [];
  const colon = file.indexOf("://");
  const scheme = colon < 0 ? "" : file.slice(0, colon).toLowerCase();
  if (scheme === "") return ofPath(withoutDrive(file));
  const rest = file.slice(colon + 3);
  if (scheme === "res") return exactly(rest);
  const path = decoded(rest.split(/[?#]/, 1)[0] ?? "");
  if (scheme === "file") return ofPath(withoutDrive(path.replace(/^\/(?=[a-z]:)/i, "")));
  return pageSchemes.includes(scheme) ? ofPage(segmentsOf(path).slice(1)) : [];
}

/** A colon shows that the name is no path, as in `node:internal/…` and `data:…`. */
const ofPath = (path: string) => (path.includes(":") ? [] : suffixes(segmentsOf(path)));
const withoutDrive = (path: string) => path.replace(/^[a-z]:(?=[\\/])/i, "");

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

const segmentsOf = (path: string) => path.split(/[\\/]+/).filter((segment) => segment !== "" && segment !== ".");
const isSafe = (segments: SourcePath) =>
  segments.length > 0 && segments.every((segment) => segment !== ".." && !unsafe.test(segment));

/** Returns only the path itself, because it is relative to the project. */
function exactly(path: string): SourcePath[] {
  const segments = segmentsOf(path);
  return isSafe(segments) && segments.length <= segmentsMax ? [segments] : [];
}

/** Returns all ends of the path, longest first: Kit does not know where the project was when the game was built. */
function suffixes(path: readonly string[]): SourcePath[] {
  const known = path.slice(path.lastIndexOf("..") + 1).slice(-segmentsMax);
  return known.map((_, from) => known.slice(from)).filter(isSafe);
}

/** Also tries the folder `www`, in which older RPG Maker projects have their page: the URL may leave it out. */
function ofPage(path: readonly string[]): SourcePath[] {
  const within = suffixes(path);
  const [whole] = within;
  return whole === undefined || whole[0] === "www" ? within : [whole, ["www", ...whole], ...within.slice(1)];
}

const gmlEvent =
  /^(.+)_((?:Create|Destroy|CleanUp|Step|Alarm|Draw|Mouse|Keyboard|KeyPress|KeyRelease|Other|Gesture|PreCreate|Trigger)_\d+)$/;

/** Derives the file from a GameMaker function name: `gml_Object_obj_player_Step_0`, `gml_Script_f@gml_Object_…`. */
function ofGml(name: string): SourcePath[] {
  const within = name.slice(name.lastIndexOf("gml_"));
  const script = /^gml_(?:Global)?Script_([^@]+)(?:@(.+))?$/.exec(within);
  if (script !== null) {
    // The name of the script that defines a method comes after the `@`.
    return [script[2], script[1]].flatMap((found) => (found === undefined ? [] : exactly(scriptFile(found))));
  }
  const room = /^gml_Room_(.+)_Create$/.exec(within);
  if (room !== null) return exactly(`rooms/${room[1]}/RoomCreationCode.gml`);
  const object = /^gml_Object_(.+)$/.exec(within)?.[1] ?? "";
  const [, owner, what] = gmlEvent.exec(object) ?? [];
  if (owner !== undefined) return exactly(`objects/${owner}/${what}.gml`);
  return collisions(object);
}

const scriptFile = (script: string) => `scripts/${script}/${script}.gml`;

/** Splits at each `_Collision_`, because the names of objects can contain it, too. */
function collisions(object: string): SourcePath[] {
  const found: SourcePath[] = [];
  for (let at = object.indexOf("_Collision_"); at > 0 && found.length < 4; at = object.indexOf("_Collision_", at + 1)) {
    found.push(...exactly(`objects/${object.slice(0, at)}/${object.slice(at + 1)}.gml`));
  }
  return found;
}

/** Maximum number of paths that Kit checks to find the files of one report. */
const checksMax = 400;

type Found = { readonly path: string; readonly within: SourcePath };
type Search = (candidates: readonly SourcePath[]) => Promise<Found | null>;

/** Creates a search for the files of one report, limited to `checksMax` paths. Returns undefined if the folder does not exist. */
async function createSearch(root: string): Promise<Search | undefined> {
  const real = await realpath(root).catch(() => undefined);
  if (real === undefined) return undefined;
  let checks = 0;
  const isWithin = (path: string) => path.startsWith(real.endsWith(sep) ? real : real + sep);
  const isProjectFile = async (path: string) => {
    checks += 1;
    if (!(await stat(path).catch(() => undefined))?.isFile()) return false;
    // A symbolic link in the project may lead outside.
    return isWithin(await realpath(path).catch(() => ""));
  };
  return async (candidates) => {
    for (const within of candidates) {
      if (checks >= checksMax) return null;
      const path = join(root, ...within);
      if (await isProjectFile(path)) return { path, within };
    }
    return null;
  };
}

/** Returns the name by which JetBrains knows a project: that of its solution, or else of its folder. */
async function findProjectName(root: string): Promise<string> {
  const folder = basename(root);
  const names = (await readdir(root).catch(() => [])).filter((name) => [".sln", ".slnx"].includes(extname(name)));
  const solutions = names.map((name) => name.slice(0, -extname(name).length)).sort();
  return solutions.includes(folder) ? folder : (solutions[0] ?? folder);
}

type Target = {
  /** Absolute path with the separators of this system. */
  readonly path: string;
  /** Path relative to the project. */
  readonly within: readonly string[];
  readonly line: number | null;
  readonly column: number | null;
  /** Name of the project in the editor. */
  readonly project: string;
};

const schemes: Partial<Record<Editor, string>> = { vscode: "vscode", vscodium: "vscodium", cursor: "cursor" };

const encoded = (segments: readonly string[]) => segments.map(encodeURIComponent).join("/");
/** Encodes a path, except for the colon of a drive. */
const encodedPath = (path: string) => {
  const [first = "", ...rest] = path.split(/[\\/]/).filter((segment) => segment !== "");
  return /^[a-z]:$/i.test(first) ? [first, encoded(rest)].join("/") : encoded([first, ...rest]);
};
const isPlace = (number: number | null): number is number => number !== null && number >= 1;

/** Returns a link that opens the file, or null for editors without links. */
export function editorLink(editor: Editor, { path, within, line, column, project }: Target): string | null {
  const place = isPlace(line) ? [line, ...(isPlace(column) ? [column] : [])] : [];
  if (editor === "rider") {
    // JetBrains Toolbox expects a path inside a project that it knows. It counts lines and columns from zero.
    const at = [encoded(within), ...place.map((number) => number - 1)].join(":");
    return `jetbrains://rider/navigate/reference?project=${encodeURIComponent(project)}&path=${at}`;
  }
  const scheme = schemes[editor];
  return scheme === undefined ? null : `${scheme}://file/${[encodedPath(path), ...place].join(":")}`;
}

const sourcesMax = 1_000;
const foundMax = 1_000;
/** How long a result is remembered. It is short, because files can move. */
const foundForMs = 10_000;
/** Maximum wait for the disk: a network folder may never answer. */
const diskWaitMs = 1_000;

type FramePlace = FrameLocation & { readonly line: number | null; readonly column: number | null };
type Source = { readonly path: string; readonly link: string | null };

export type SourceFolders = {
  load(): Promise<void>;
  list(): Promise<SourceFolder[]>;
  /** Throws KitError if the folder cannot be used. */
  set(game: string, root: string, editor: Editor | undefined): Promise<SourceFolder>;
  forget(game: string): Promise<void>;
  /** Returns one entry for each frame; null if no file was found. */
  findSources(game: string | null, frames: readonly FramePlace[]): Promise<readonly (Source | null)[]>;
};

export type SourceFoldersDeps = {
  readonly storage: Pick<Storage, "read" | "write">;
  readonly now: () => number;
  readonly onChanged: () => void;
  /** Maximum wait for the disk. Tests set it, because a disk that other programs use takes longer, too. */
  readonly waitMs?: number;
};

const withTimeout = <T>(answer: Promise<T>, fallback: T, waitMs: number): Promise<T> =>
  Promise.race([answer, pause(waitMs, fallback, { ref: false })]);

async function findFolderProblem(root: string, waitMs: number): Promise<Message | null> {
  const looked = stat(root).catch(() => undefined);
  const folder = await withTimeout(looked, undefined, waitMs);
  if (folder === undefined) return message("source.no_folder", { folder: root });
  return folder.isDirectory() ? null : message("source.not_a_folder", { folder: root });
}

export function createSourceFolders(needs: SourceFoldersDeps): SourceFolders {
  const { storage, now, onChanged, waitMs = diskWaitMs } = needs;
  const sources = new Map<string, StoredSourceFolder>();
  const known = new Map<string, { found: Found | null; untilMs: number }>();

  const toSourceFolder = async (source: StoredSourceFolder): Promise<SourceFolder> => ({
    ...source,
    problem: await findFolderProblem(source.root, waitMs),
  });
  const remember = (key: string, found: Found | null) => {
    known.delete(key);
    known.set(key, { found, untilMs: now() + foundForMs });
    const [oldest] = known.keys();
    if (known.size > foundMax && oldest !== undefined) known.delete(oldest);
  };
  const findFrames = async ({ root, editor }: StoredSourceFolder, frames: readonly FramePlace[]) => {
    const search = await createSearch(root);
    if (search === undefined) return [];
    const project = editor === "rider" ? await findProjectName(root) : "";
    const found: (Source | null)[] = [];
    for (const frame of frames) {
      const key = JSON.stringify([root, frame.file, frame.file === null ? frame.function : null]);
      const before = known.get(key);
      if (before === undefined || before.untilMs <= now()) remember(key, await search(sourceCandidates(frame)));
      const file = known.get(key)?.found ?? null;
      found.push(file && { path: file.path, link: editorLink(editor, { ...frame, ...file, project }) });
    }
    return found;
  };

  return {
    async load() {
      for (const source of await loadSourceFolders(storage)) sources.set(source.game, source);
    },
    list: () => Promise.all([...sources.values()].map(toSourceFolder)),
    async set(game, given, editor) {
      if (!isAbsolute(given) || /\p{Cc}/u.test(given)) throw payloadInvalid(message("source.absolute"));
      const root = resolve(given);
      if (root === parse(root).root) throw payloadInvalid(message("source.whole_disk"));
      const problem = await findFolderProblem(root, waitMs);
      if (problem !== null) throw payloadInvalid(message("source.invalid", { problem }));
      const before = sources.get(game);
      if (before === undefined && sources.size >= sourcesMax)
        throw payloadInvalid(message("source.too_many", { count: sourcesMax }));
      const source = { game, root, editor: editor ?? before?.editor ?? "other" };
      await storage.write(saveSourceFolder(source));
      sources.set(game, source);
      onChanged();
      return toSourceFolder(source);
    },
    async forget(game) {
      if (!sources.has(game)) throw new KitError("not_found", message("source.none", { game }));
      await storage.write(forgetSourceFolder(game));
      sources.delete(game);
      onChanged();
    },
    async findSources(game, frames) {
      const source = game === null ? undefined : sources.get(game);
      const found = source === undefined ? [] : await withTimeout(findFrames(source, frames), [], waitMs);
      return frames.map((_, index) => found[index] ?? null);
    },
  };
}
