// Builds Kit's ffmpeg for Windows on Debian, from Debian's sources: the same inputs give the same bytes.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { installed, provide } from "../cache.ts";
import { bindToOwnLibraries, downloadSources, proveOwnLibraries, unpackPackages } from "../private-debian.ts";
import { say } from "../progress.ts";
import { windowsFfmpeg } from "../recipes.ts";
import { descriptions, type Source, sources, steps, tools, toolsSuite } from "./recipe.ts";

export const target = "x86_64-w64-mingw32";
const recipeFile = join(import.meta.dirname, "recipe.ts");

const differsName = "differs.json";
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** The inputs that Debian no longer had in the version of the recipe. Undefined if there is no build. */
export function readDiffers(): readonly string[] | undefined {
  const place = installed(windowsFfmpeg);
  return place && JSON.parse(readFileSync(join(place, differsName), "utf8"));
}

/** Runs a command of the recipe. Throws an error with the end of its output. */
export function run(command: readonly string[], cwd: string, env: NodeJS.ProcessEnv): void {
  const [program = "", ...words] = command;
  const ended = spawnSync(program, words, { cwd, env, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
  if (ended.status === 0) return;
  const said = `${ended.stdout ?? ""}${ended.stderr ?? ""}`.trim().slice(-3_000);
  throw new Error(`${basename(cwd)}: ${command.slice(0, 3).join(" ")} failed: ${ended.error?.message ?? said}`);
}

/** Unpacks the compilers with their own libraries. Returns the versions that came. */
export function unpackTools(root: string, scratch: string): ReadonlyMap<string, string> {
  const isNeedless = (name: string) => /^libc-gconv-|-base$|^binutils-common$/.test(name);
  const versions = unpackPackages(root, { suite: toolsSuite, packages: Object.keys(tools), isNeedless, scratch });
  const bin = join(root, "usr/bin");
  for (const name of ["gcc", "g++"]) symlinkSync(`${target}-${name}-win32`, join(bin, `${target}-${name}`));
  const version = readdirSync(join(root, "usr/lib/gcc", target))[0] ?? "";
  const compilers = ["cc1", "cc1plus", "collect2"].map((name) => join("usr/lib/gcc", target, version, name));
  const named = [
    "gcc-win32",
    "g++-win32",
    "as",
    "ld.bfd",
    "ar",
    "nm",
    "ranlib",
    "strip",
    "dlltool",
    "windres",
    "strings",
  ];
  const others = [...named.map((name) => `${target}-${name}`), "nasm", "make", "pkgconf"];
  const programs = [...compilers, ...others.map((name) => join("usr/bin", name))];
  bindToOwnLibraries(root, programs, []);
  for (const program of programs) proveOwnLibraries(root, program);
  return versions;
}

type Downloaded = Source & { readonly archive: string; readonly isPinned: boolean };

function downloadAll(folder: string, scratch: string): Downloaded[] {
  const folderOf = (name: string) => join(folder, name);
  for (const suite of new Set(sources.map((source) => source.suite))) {
    const packages = sources.filter((source) => source.suite === suite);
    downloadSources(folderOf, { suite, packages, scratch });
  }
  return sources.map((source) => {
    const name = readdirSync(folderOf(source.name)).find((file) => file.includes(".orig.tar.")) ?? "";
    const archive = join(folderOf(source.name), name);
    return { ...source, archive, isPinned: sha256(readFileSync(archive)) === source.sha256 };
  });
}

/** The environment of the recipe's commands: the own compilers first, and nothing that makes two builds differ. */
export const environment = (root: string, prefix: string): NodeJS.ProcessEnv => ({
  PATH: `${join(root, "usr/bin")}:${process.env.PATH}`,
  HOME: root,
  LC_ALL: "C",
  TZ: "UTC",
  SOURCE_DATE_EPOCH: "0",
  ZERO_AR_DATE: "1",
  PKG_CONFIG_LIBDIR: join(prefix, "lib/pkgconfig"),
});

function compile(work: string, root: string, downloaded: readonly Downloaded[]): void {
  const prefix = join(work, "prefix");
  const env = environment(root, prefix);
  for (const folder of ["lib/pkgconfig", "include"]) mkdirSync(join(prefix, folder), { recursive: true });
  for (const [name, text] of Object.entries(descriptions)) {
    writeFileSync(join(prefix, "lib/pkgconfig", name), text.replaceAll("@PREFIX@", prefix));
  }
  for (const { name, archive } of downloaded) {
    mkdirSync(join(work, name));
    run(["tar", "--extract", "--file", archive, "--strip-components=1"], join(work, name), env);
  }
  const jobs = `-j${availableParallelism()}`;
  for (const { source, command, isParallel } of steps) {
    const words = command.map((word) => word.replaceAll("@PREFIX@", prefix));
    run(isParallel ? [...words, jobs] : words, join(work, source), env);
  }
}

/** The licences of everything in ffmpeg.exe, and where its sources are. */
function licenceText(work: string, downloaded: readonly Downloaded[]): string {
  const list = downloaded.map(({ archive }) => `  ${basename(archive)}\n`).join("");
  const texts = downloaded.flatMap(({ name, licences }) =>
    licences.map((file) => `---- ${name}: ${file}\n\n${readFileSync(join(work, name, file), "utf8").trim()}\n`),
  );
  return [
    "ffmpeg.exe is FFmpeg, built for Kit. It is a program of its own under the GNU General Public License, version 2 or later;",
    "Kit runs it, and is itself under the licence in LICENSE.kit.txt.",
    "",
    "Its complete source, with the script that builds it, is in the folder ffmpeg-source, which is distributed with this file:",
    "",
    `${list}  recipe.ts and build.ts, which build it\n`,
    "It also contains zlib, and the runtime libraries of GCC and mingw-w64, whose licences allow that without conditions.",
    "",
    ...texts,
  ].join("\n");
}

/** Returns the names of the inputs that Debian no longer had in the version of the recipe. */
function build(place: string): readonly string[] {
  const work = join(place, "work");
  const root = join(work, "tools");
  const scratch = join(work, "scratch");
  const source = join(place, "source");
  for (const folder of [work, source]) mkdirSync(folder);
  const versions = unpackTools(root, scratch);
  const downloaded = downloadAll(join(work, "archives"), scratch);
  compile(work, root, downloaded);
  copyFileSync(join(work, "ffmpeg/ffmpeg.exe"), join(place, "ffmpeg.exe"));
  writeFileSync(join(place, "LICENSE.ffmpeg.txt"), licenceText(work, downloaded));
  for (const { archive } of downloaded) copyFileSync(archive, join(source, basename(archive)));
  for (const file of [recipeFile, import.meta.filename]) copyFileSync(file, join(source, basename(file)));
  rmSync(work, { recursive: true });
  return [
    ...Object.entries(tools).filter(([name, version]) => version !== undefined && versions.get(name) !== version),
    ...downloaded.filter(({ isPinned }) => !isPinned).map(({ name }) => [name]),
  ].map(([name = ""]) => name);
}

export const provideWindowsFfmpeg = (): Promise<void> =>
  provide(windowsFfmpeg, (place) => {
    const differs = build(place);
    writeFileSync(join(place, differsName), JSON.stringify(differs));
    if (differs.length > 0)
      say(`Debian has ${differs.join(", ")} in another version: pin it in ${recipeFile} before a release`);
  });
