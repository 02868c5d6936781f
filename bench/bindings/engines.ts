// The measured engines, with their limits and alternatives to Kit, and how each plays a plan.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { addAddon } from "../../bindings/godot/test/builds.ts";
import { engineEnv } from "../../bindings/godot/test/engine.ts";
import { built as builtMonoGame } from "../../bindings/monogame/conformance/build.ts";
import { writeGame } from "../../bindings/rpgmaker/stage/game-folder.ts";
import { openHouse } from "../../bindings/rpgmaker/stage/players.ts";
import { type Answer, serve } from "../../bindings/rpgmaker/stage/serve.ts";
import type { ApiLevel } from "../../bindings/unity/test~/assemblies.ts";
import { built as builtUnity } from "../../bindings/unity/test~/build.ts";
import { buildDotnet, dotnetEnvironment } from "../../tools/engines/dotnet.ts";
import { type Engine, pathOf } from "../../tools/engines/locate.ts";
import { processesOf } from "../../tools/engines/processes.ts";
import { type GameMessage, parseMessage } from "./plan.ts";

export type Playing = {
  /** The game's processes. */
  pids(): readonly number[];
  /** Resolves when the plan is complete and the engine has exited. Rejects if it exits early. */
  readonly ended: Promise<void>;
};

type Listener = (told: GameMessage) => void;

/** Starts the engine with the plan file `plan` and a folder for its files. */
export type Start = (plan: string, folder: string, onTold: Listener) => Promise<Playing>;

const playMsMax = 180_000;
const saidCharsMax = 4_000;

/** Plays a plan in an engine with one process that reports on stdout. */
function playProcess(
  [program, ...words]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  onTold: Listener,
): Playing {
  const child = spawn(program, words, {
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: playMsMax,
    killSignal: "SIGKILL",
  });
  return { pids: () => [child.pid as number], ended: endOf(child, program, onTold) };
}

async function endOf(child: ChildProcess, program: string, onTold: Listener): Promise<void> {
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  let said = "";
  const keep = (line: string) => {
    said = `${said}${line}\n`.slice(-saidCharsMax);
  };
  const read = (stream: NodeJS.ReadableStream | null, onLine: (line: string) => void) => {
    if (stream) createInterface({ input: stream }).on("line", onLine);
  };
  read(child.stdout, (line) => {
    const told = parseMessage(line);
    if (told === undefined) keep(line);
    else onTold(told);
  });
  read(child.stderr, keep);
  const [status] = await once(child, "close");
  process.off("exit", kill);
  if (status !== 0) throw new Error(`${program} ended with ${status}:\n${said}`);
}

/** Plays a plan in headless Godot, from sources as a debug build. */
const startGodot: Start = async (plan, folder, onTold) => {
  const game = join(folder, "game");
  cpSync(join(import.meta.dirname, "godot"), game, { recursive: true });
  addAddon(game);
  const env = engineEnv(folder, { KIT_BENCH_PLAN: plan });
  return playProcess([pathOf("Godot"), "--headless", "--path", game], env, onTold);
};

function tellsTo(onTold: Listener): Answer {
  return async (_url, request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    onTold(JSON.parse(text) as GameMessage);
    response.writeHead(204).end();
  };
}

/** Plays a plan in NW.js, with the stand-in game of the RPG Maker binding. */
const startNwjs: Start = async (plan, folder, onTold) => {
  const text = readFileSync(plan, "utf8");
  const url = /^url\t(.*)$/m.exec(text)?.[1] ?? "";
  const game = join(folder, "game");
  await using opened = new AsyncDisposableStack();
  const done = Promise.withResolvers<void>();
  const told = tellsTo((message) => ("done" in message ? done.resolve() : onTold(message)));
  const stage = await serve(folder, { "/told": told });
  opened.defer(() => stage.close());
  writeGame(game, {
    flavour: "mz",
    parameters: { "Launcher URL": url },
    hand: join(import.meta.dirname, "rpgmaker/calls.js"),
    handSetup: { plan: text, told: `${stage.url}/told` },
  });
  const house = await openHouse("NW.js 0.87", folder);
  opened.defer(() => house.close());
  const player = await house.play({ folder: game, url: "" });
  const owned = opened.move();
  const play = async () => {
    try {
      const late = pause(playMsMax, undefined, { ref: false });
      const isDone = done.promise.then(() => true);
      if ((await Promise.race([isDone, player.ended, late])) !== true) throw new Error("NW.js did not play to the end");
    } finally {
      await owned.disposeAsync();
    }
  };
  return { pids: () => processesOf(folder), ended: play() };
};

const project = join(import.meta.dirname, "dotnet/CallCosts.csproj");
const place = join(import.meta.dirname, "../../dist/dotnet/bench");

type Game = {
  readonly engine: "MonoGame" | "Unity";
  readonly engineFolder: string;
  readonly framework: "net8.0" | "net472";
  readonly withPeer: boolean;
};

/** Builds the game against the engine's assemblies, in a separate folder per combination. Returns its assembly. */
async function builtGame({ engine, engineFolder, framework, withPeer }: Game): Promise<string> {
  const own = join(place, `${engine}-${framework}${withPeer ? "-peer" : ""}`);
  await buildDotnet({
    project,
    sources: [
      ...globSync("**/*.{cs,csproj}", { cwd: dirname(project) }).map((path) => join(dirname(project), path)),
      ...globSync("{Kit,MonoGame,UnityEngine}*.dll", { cwd: engineFolder }).map((path) => join(engineFolder, path)),
    ],
    stamp: join(own, "built"),
    properties: {
      Engine: engine,
      EngineFolder: engineFolder,
      GameFramework: framework,
      WithPeer: String(withPeer),
      UseArtifactsOutput: "true",
      ArtifactsPath: own,
    },
  });
  const ending = framework === "net472" ? "exe" : "dll";
  return join(own, "bin/CallCosts/release", `CallCosts.${ending}`);
}

const dotnetProcess = (program: string, plan: string, onTold: Listener) =>
  playProcess([pathOf(".NET"), "exec", program, plan], { ...process.env, ...dotnetEnvironment }, onTold);

/** Plays a plan in the MonoGame stand-in on .NET. */
const startMonoGame =
  (withPeer: boolean): Start =>
  async (plan, _folder, onTold) => {
    const engineFolder = dirname(await builtMonoGame("Conform"));
    const game = await builtGame({ engine: "MonoGame", engineFolder, framework: "net8.0", withPeer });
    return dotnetProcess(game, plan, onTold);
  };

/** Plays a plan in the Unity stand-in, on .NET or Mono. */
const startUnity =
  (api: ApiLevel, withPeer: boolean): Start =>
  async (plan, _folder, onTold) => {
    const engineFolder = await builtUnity("player", api);
    const framework = api === "net472" ? "net472" : "net8.0";
    const game = await builtGame({ engine: "Unity", engineFolder, framework, withPeer });
    if (api === "net472") return playProcess([pathOf("Mono"), game, plan], process.env, onTold);
    return dotnetProcess(game, plan, onTold);
  };

export type MeasuredEngine = {
  readonly title: string;
  readonly needs: readonly Engine[];
  readonly medianUsMax: number;
  /** As many calls as the engine can send in time. */
  readonly callsPerFrame: number;
  /** The code that developers would write without a binding. */
  readonly bare: string;
  /** A comparable library, if there is one. */
  readonly peer?: string;
  /** Without the peer, no additional downloads are needed. */
  readonly start: (withPeer: boolean) => Start;
};

const managed = {
  medianUsMax: 20,
  callsPerFrame: 10,
  bare: "HttpClient.PostAsync",
  peer: "ApplicationInsights TrackTrace",
};

export const engines = {
  godot: {
    title: "A Godot",
    needs: ["Godot"],
    medianUsMax: 100,
    callsPerFrame: 10,
    bare: "HTTPRequest node",
    start: () => startGodot,
  },
  rpgmaker: {
    title: "B RPG Maker",
    needs: ["NW.js 0.87", "Xvfb"],
    medianUsMax: 50,
    callsPerFrame: 5,
    bare: "fetch",
    start: () => startNwjs,
  },
  monogame: {
    title: "D MonoGame",
    needs: [".NET"],
    ...managed,
    start: startMonoGame,
  },
  unity: {
    title: "E Unity on .NET",
    needs: [".NET"],
    ...managed,
    start: (withPeer) => startUnity("netstandard2.1", withPeer),
  },
  "unity-mono": {
    title: "E Unity on Mono",
    needs: [".NET", "Mono"],
    ...managed,
    start: (withPeer) => startUnity("net472", withPeer),
  },
} as const satisfies Record<string, MeasuredEngine>;

export type EngineName = keyof typeof engines;
export const engineNames = Object.keys(engines) as EngineName[];
