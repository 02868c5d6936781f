// Builds Kit's ffmpeg for Windows on Debian, from Debian's sources: the same inputs give the same bytes.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { enginesDir, windowsFfmpeg, windowsFfmpegFolder } from "../locate.ts";
import { bindToOwnLibraries, downloadSources, isDebian, proveOwnLibraries, unpackPackages } from "../private-debian.ts";
import { say, timed } from "../progress.ts";
import { descriptions, type Source, sources, steps, tools, toolsSuite } from "./recipe.ts";

export const target = "x86_64-w64-mingw32";
const recipeFile = join(import.meta.dirname, "recipe.ts");

/** All that decides the bytes of ffmpeg.exe. */
const inputs = JSON.stringify({ sources, toolsSuite, tools, steps, descriptions });
export const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** `differs` names the inputs that Debian no longer had in the version of the recipe. */
export type BuildStamp = { readonly inputs: string; readonly differs: readonly string[] };

/** Undefined if there is no finished build. */
export function readBuildStamp(): BuildStamp | undefined {
  if (windowsFfmpeg() === undefined) return undefined;
  return JSON.parse(readFileSync(join(windowsFfmpegFolder, "complete"), "utf8"));
}

const isCurrent = () => readBuildStamp()?.inputs === sha256(inputs);

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

function build(): readonly string[] {
  const draft = `${windowsFfmpegFolder}.${process.pid}`;
  const work = join(draft, "work");
  const root = join(work, "tools");
  const scratch = join(work, "scratch");
  const source = join(draft, "source");
  try {
    for (const folder of [work, source]) mkdirSync(folder, { recursive: true });
    const versions = unpackTools(root, scratch);
    const downloaded = downloadAll(join(work, "archives"), scratch);
    compile(work, root, downloaded);
    copyFileSync(join(work, "ffmpeg/ffmpeg.exe"), join(draft, "ffmpeg.exe"));
    writeFileSync(join(draft, "LICENSE.ffmpeg.txt"), licenceText(work, downloaded));
    for (const { archive } of downloaded) copyFileSync(archive, join(source, basename(archive)));
    for (const file of [recipeFile, import.meta.filename]) copyFileSync(file, join(source, basename(file)));
    const differs = [
      ...Object.entries(tools).filter(([name, version]) => version !== undefined && versions.get(name) !== version),
      ...downloaded.filter(({ isPinned }) => !isPinned).map(({ name }) => [name]),
    ].map(([name = ""]) => name);
    const stamp: BuildStamp = { inputs: sha256(inputs), differs };
    rmSync(work, { recursive: true });
    writeFileSync(join(draft, "complete"), JSON.stringify(stamp));
    rmSync(windowsFfmpegFolder, { recursive: true, force: true });
    renameSync(draft, windowsFfmpegFolder);
    return differs;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Builds it unless a build with the same inputs is there. */
export function provideWindowsFfmpeg(): void {
  if (isCurrent()) return;
  if (process.platform !== "linux" || process.arch !== "x64" || !isDebian()) {
    say("ffmpeg for Windows is only built on Debian on x64");
    return;
  }
  if (!existsSync(enginesDir)) mkdirSync(enginesDir, { recursive: true });
  say("building ffmpeg for Windows (compilers and sources of Debian, about 120 MB, once)");
  try {
    const { result: differs, took } = timed(build);
    say(`ffmpeg for Windows built in ${took}`);
    if (differs.length > 0) {
      say(`Debian has ${differs.join(", ")} in another version: pin it in ${recipeFile} before a release`);
    }
  } catch (error) {
    say(`ffmpeg for Windows could not be built: ${error instanceof Error ? error.message : String(error)}`);
  }
}
