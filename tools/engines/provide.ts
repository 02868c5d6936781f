// Installs the engines for the tests, all or those of `npm test` (`gate`), and reports which are missing afterwards.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { enginesDir, removeUnused } from "./cache.ts";
import { provideFromDebian } from "./debian-programs.ts";
import { absentOf, type Engine, engineNames, enginesRequired } from "./locate.ts";
import { provideFromNpm } from "./pinned-npm.ts";
import { provideAspire, provideWindowsDotnet } from "./pinned-nuget.ts";
import { say } from "./progress.ts";
import * as recipes from "./recipes.ts";
import { packagesOfAll, packagesOfGate, provideSystemPackages } from "./system-packages.ts";
import { provideWindowsFfmpeg } from "./windows-ffmpeg/build.ts";
import { provideWindowsSound } from "./windows-ffmpeg/sound.ts";
import { provideWine } from "./wine.ts";

/** Each provider runs in its own process, because it mostly waits for other programs. */
const providers = {
  "gate-packages": () => provideSystemPackages(packagesOfGate()),
  packages: () => provideSystemPackages(packagesOfAll()),
  nwjs: () => provideFromNpm(recipes.nwjs),
  "gml-parser": () => provideFromNpm(recipes.gmlParser),
  spotlight: () => provideFromNpm(recipes.spotlight),
  pds: () => provideFromNpm(recipes.pds),
  clickhouse: () => provideFromNpm(recipes.clickhouse),
  postgresql: () => provideFromNpm(recipes.postgresql),
  windows: () => provideFromNpm(recipes.windowsPackages, "--force"),
  aspire: provideAspire,
  godot: () => provideFromDebian(recipes.godot),
  "ffmpeg-new": () => provideFromDebian(recipes.newestFfmpeg),
  wine: provideWine,
  "windows-dotnet": provideWindowsDotnet,
  "windows-ffmpeg": provideWindowsFfmpeg,
  "windows-sound": provideWindowsSound,
  nsis: () => provideFromDebian(recipes.nsis),
  xorg: () => provideFromDebian(recipes.xorg),
  prometheus: () => provideFromDebian(recipes.prometheus),
};

type Provider = keyof typeof providers;

const [asked] = process.argv.slice(2);

/** Runs providers one after another. Failures appear in the final report. */
async function inTurn(...names: readonly Provider[]): Promise<void> {
  for (const name of names) {
    const child = spawn(process.execPath, [...process.execArgv, import.meta.filename, name], { stdio: "inherit" });
    const [code, signal] = await once(child, "exit");
    if (code !== 0) say(`fetching ${name} ended with ${code ?? signal}`);
  }
}

async function provideAll(): Promise<readonly Engine[]> {
  // apt and npm run in parallel. Programs of another Debian release need patchelf from apt, and use a separate apt state.
  const fromDebian = inTurn("packages").then(() =>
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

async function provideGate(): Promise<readonly Engine[]> {
  await inTurn("gate-packages");
  return ["Chromium", "ffmpeg", "Xvfb", "OpenSSL"];
}

/** Returns the exit code. */
async function report(wanted: readonly Engine[]): Promise<number> {
  await removeUnused();
  const absent = absentOf(wanted);
  if (absent.length === 0) say(`${wanted.join(", ")}: all here`);
  else
    say(`absent: ${absent.join(", ")}. ${enginesRequired ? "They are required here." : "Their tests are left out."}`);
  return absent.length > 0 && enginesRequired ? 1 : 0;
}

if (asked === undefined) process.exitCode = await report(await provideAll());
else if (asked === "gate") process.exitCode = await report(await provideGate());
else if (asked === "folder") console.log(enginesDir);
else if (Object.hasOwn(providers, asked)) await providers[asked as Provider]();
else {
  say(`there is no ${asked}; there are gate, slow, folder, ${Object.keys(providers).join(", ")}`);
  process.exitCode = 2;
}
