// Installs the engines for the tests, all or with `quick` those of `npm test`, and reports which are missing afterwards.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { provideFfmpegNew, provideGodot, provideNsis, providePrometheus, provideXorg } from "./debian-programs.ts";
import { absentOf, type Engine, engineNames, enginesRequired } from "./locate.ts";
import {
  provideClickHouse,
  provideGmlParser,
  provideNwjs,
  providePds,
  providePostgresql,
  provideSpotlight,
  provideWindowsPackages,
} from "./pinned-npm.ts";
import { provideAspire } from "./pinned-nuget.ts";
import { say } from "./progress.ts";
import { packagesOfMono, packagesOfObs, packagesOfTests, provideSystemPackages } from "./system-packages.ts";
import { provideWindowsDotnet } from "./windows-dotnet.ts";
import { provideWindowsFfmpeg } from "./windows-ffmpeg/build.ts";
import { provideWindowsSound } from "./windows-ffmpeg/sound.ts";
import { provideWine } from "./wine.ts";

/** Each provider runs in its own process, because it mostly waits for other programs. */
const providers = {
  system: () => provideSystemPackages([...packagesOfTests(), ...packagesOfMono(), ...packagesOfObs()]),
  nwjs: provideNwjs,
  "gml-parser": provideGmlParser,
  spotlight: provideSpotlight,
  pds: providePds,
  clickhouse: provideClickHouse,
  postgresql: providePostgresql,
  aspire: provideAspire,
  godot: provideGodot,
  "ffmpeg-new": provideFfmpegNew,
  wine: provideWine,
  windows: provideWindowsPackages,
  "windows-dotnet": provideWindowsDotnet,
  "windows-ffmpeg": provideWindowsFfmpeg,
  "windows-sound": provideWindowsSound,
  nsis: provideNsis,
  xorg: provideXorg,
  prometheus: providePrometheus,
};

type Provider = keyof typeof providers;

/** Runs providers one after another. Failures appear in the final report. */
async function inTurn(...names: readonly Provider[]): Promise<void> {
  for (const name of names) {
    const child = spawn(process.execPath, [...process.execArgv, import.meta.filename, name], { stdio: "inherit" });
    const [code, signal] = await once(child, "exit");
    if (code !== 0) say(`fetching ${name} ended with ${code ?? signal}`);
  }
}

/** Engines that no test of `npm test` needs. Together they take most of the time. */
const later: ReadonlySet<string> = new Set<Engine>([
  "NW.js 0.87",
  "NW.js 0.44",
  "GML parser",
  "ClickHouse",
  "Aspire dashboard",
  "Prometheus",
  "PostgreSQL",
  "Godot",
  "Godot release template",
  "Wine",
  "Node.js for Windows",
  "ffmpeg for Windows",
  "kit-sound for Windows",
  ".NET for Windows",
  "NSIS",
  "Xorg",
]);

async function provideAll(): Promise<readonly Engine[]> {
  // apt and npm run in parallel. Programs of another Debian release need patchelf from apt, and use a separate apt state.
  const fromDebian = inTurn("system").then(() =>
    Promise.all([
      inTurn("godot", "wine"),
      inTurn("ffmpeg-new", "xorg", "nsis", "prometheus", "windows-sound", "windows-ffmpeg"),
    ]),
  );
  await Promise.all([
    fromDebian,
    inTurn("nwjs", "gml-parser", "spotlight", "pds", "clickhouse", "postgresql", "windows", "windows-dotnet", "aspire"),
  ]);
  return engineNames;
}

async function provideQuick(): Promise<readonly Engine[]> {
  await Promise.all([inTurn("system", "ffmpeg-new"), inTurn("spotlight", "pds")]);
  return engineNames.filter((name) => !later.has(name));
}

/** Returns the exit code. */
function report(wanted: readonly Engine[]): number {
  const absent = absentOf(wanted);
  if (absent.length === 0) say(`${wanted.join(", ")}: all here`);
  else
    say(`absent: ${absent.join(", ")}. ${enginesRequired ? "They are required here." : "Their tests are left out."}`);
  return absent.length > 0 && enginesRequired ? 1 : 0;
}

const [asked] = process.argv.slice(2);
if (asked === undefined) process.exitCode = report(await provideAll());
else if (asked === "quick") process.exitCode = report(await provideQuick());
else if (Object.hasOwn(providers, asked)) await providers[asked as Provider]();
else {
  say(`there is no ${asked}; there are quick, ${Object.keys(providers).join(", ")}`);
  process.exitCode = 2;
}
