// Says where each engine lies on this machine, or that it is absent. Looks only; never installs anything.
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

export const nwjsVersions = ["0.87", "0.44"] as const;
export type NwjsVersion = (typeof nwjsVersions)[number];

/** Where engines are kept that no system package brings. Ignored by git. */
export const enginesDir = join(import.meta.dirname, "../../.engines");

/** Every engine, under the name a person reads, with the way to find it. */
const engines = {
  "NW.js 0.87": () => nwjs("0.87"),
  "NW.js 0.44": () => nwjs("0.44"),
  Chromium: chromium,
  Xvfb: xvfb,
  ffmpeg,
  "newest ffmpeg": newestFfmpeg,
  PulseAudio: pulseaudio,
  "GNOME Keyring": gnomeKeyring,
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
} as const;

export type Engine = keyof typeof engines;
export const engineNames = Object.keys(engines) as Engine[];

/** Path of the `nw` program of that version. */
export function nwjs(version: NwjsVersion): string | undefined {
  const unpacked = join(enginesDir, "nwjs/node_modules", `nwjs-${version}`);
  if (!existsSync(unpacked)) return undefined;
  const build = readdirSync(unpacked).find((name) => name.startsWith("nwjs-sdk-"));
  return build === undefined ? undefined : runnable(join(unpacked, build, "nw"));
}

export function chromium(): string | undefined {
  return onPath("chromium") ?? onPath("chromium-browser") ?? onPath("google-chrome");
}

export function xvfb(): string | undefined {
  return onPath("Xvfb");
}

export function ffmpeg(): string | undefined {
  return onPath("ffmpeg");
}

/** Below where `ffmpeg-new.ts` unpacked it. */
export function newestFfmpeg(): string | undefined {
  return unpackedProgram("ffmpeg", "usr/bin/ffmpeg");
}

export function pulseaudio(): string | undefined {
  return onPath("pulseaudio");
}

/** No engine: a keyring to put secrets into. It brings the session bus it answers on. */
export function gnomeKeyring(): string | undefined {
  return onPath("dbus-daemon") && onPath("gnome-keyring-daemon");
}

/** No engine: the tests look into packages with a program that did not make them. */
export function unzip(): string | undefined {
  return onPath("unzip");
}

/** No engine: the tests make certificates with it that nobody else trusts. */
export function openssl(): string | undefined {
  return onPath("openssl");
}

/** No engine: it compiles what watches the launcher's file system calls. */
export function gcc(): string | undefined {
  return onPath("gcc");
}

/** No engine: with it `godot.ts` gives programs of another release that release's libraries. */
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

/** The editor, which also plays games from source and from packs. */
export function godot(): string | undefined {
  return unpackedProgram("godot", "usr/bin/godot");
}

/** What a release export is made of. */
export function godotTemplate(): string | undefined {
  return unpackedProgram("godot", "usr/bin/godot-template-release");
}

/** Below where `forky.ts` unpacked it, and only when that was finished. */
function unpackedProgram(name: string, path: string): string | undefined {
  const place = join(enginesDir, name);
  return existsSync(join(place, "complete")) ? runnable(join(place, "root", path)) : undefined;
}

/** Folder of the npm package that reads GameMaker projects. No engine of GameMaker's own can be fetched. */
export function gmlParser(): string | undefined {
  const place = join(enginesDir, "gml-parser/node_modules/@bscotch/gml-parser");
  return existsSync(join(place, "dist/parser.js")) ? place : undefined;
}

/** No engine: a server that takes error reports in Sentry's protocol; the file that starts it. */
export function spotlight(): string | undefined {
  const entry = join(enginesDir, "spotlight/node_modules/@spotlightjs/spotlight/dist/run.js");
  return existsSync(entry) ? entry : undefined;
}

/** No engine: a server as Bluesky runs them; its module. */
export function pds(): string | undefined {
  const entry = join(enginesDir, "pds/node_modules/@atproto/pds/dist/index.js");
  return existsSync(entry) ? entry : undefined;
}

/** True where an absent engine is a failure instead of a test left out. */
export const enginesRequired = process.env.KIT_REQUIRE_ENGINES === "1";

export function absentOf(names: readonly Engine[]): Engine[] {
  return names.filter((name) => engines[name]() === undefined);
}

/** For a test's `skip`: what is absent, or false. Where engines are required the test runs, and fails by naming it. */
export function skipWithout(...names: Engine[]): string | false {
  const absent = absentOf(names);
  return absent.length > 0 && !enginesRequired ? `not run: ${absent.join(" and ")} absent on this machine` : false;
}

/** The engine's path. Throws with its name when it is absent. */
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
