// Brings every engine the tests run on to this machine, or says which is absent. Does nothing when all are there.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { provideFfmpegNew } from "./ffmpeg-new.ts";
import { provideGmlParser } from "./gml-parser.ts";
import { provideGodot } from "./godot.ts";
import { absentOf, engineNames, enginesRequired } from "./locate.ts";
import { packagesOfMono } from "./mono.ts";
import { provideNwjs } from "./nwjs.ts";
import { packagesOfObs } from "./obs.ts";
import { providePds } from "./pds.ts";
import { say } from "./progress.ts";
import { provideSpotlight } from "./spotlight.ts";
import { packagesOfTests, provideSystemPackages } from "./system-packages.ts";

/** Each is fetched by a process of its own: all the work in them waits for other programs. */
const providers = {
  system: () => provideSystemPackages([...packagesOfTests(), ...packagesOfMono(), ...packagesOfObs()]),
  nwjs: provideNwjs,
  "gml-parser": provideGmlParser,
  spotlight: provideSpotlight,
  pds: providePds,
  godot: provideGodot,
  "ffmpeg-new": provideFfmpegNew,
};

type Provider = keyof typeof providers;

/** Provides these one after the other. What could not be brought is told by the report at the end, not by an exit code. */
async function inTurn(...names: readonly Provider[]): Promise<void> {
  for (const name of names) {
    const child = spawn(process.execPath, [...process.execArgv, import.meta.filename, name], { stdio: "inherit" });
    const [code, signal] = await once(child, "exit");
    if (code !== 0) say(`fetching ${name} ended with ${code ?? signal}`);
  }
}

async function provideAll(): Promise<number> {
  // apt has the machine's packages to itself; npm fetches into .engines/ meanwhile. What is unpacked there from another
  // Debian release needs patchelf of apt's, and keeps an apt state of its own.
  const fromDebian = inTurn("system").then(() => Promise.all([inTurn("godot"), inTurn("ffmpeg-new")]));
  await Promise.all([fromDebian, inTurn("nwjs", "gml-parser", "spotlight", "pds")]);
  const absent = absentOf(engineNames);
  if (absent.length === 0) say(`${engineNames.join(", ")}: all here`);
  else
    say(`absent: ${absent.join(", ")}. ${enginesRequired ? "They are required here." : "Their tests are left out."}`);
  return absent.length > 0 && enginesRequired ? 1 : 0;
}

const [asked] = process.argv.slice(2);
if (asked === undefined) process.exitCode = await provideAll();
else if (Object.hasOwn(providers, asked)) providers[asked as Provider]();
else {
  say(`there is no ${asked}; there are ${Object.keys(providers).join(", ")}`);
  process.exitCode = 2;
}
