// Plays a plan in C#: in the MonoGame stand-in on .NET, and in the Unity stand-in on .NET and Mono.
import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { built as builtMonoGame } from "../../bindings/monogame/conformance/build.ts";
import type { ApiLevel } from "../../bindings/unity/test~/assemblies.ts";
import { built as builtUnity } from "../../bindings/unity/test~/build.ts";
import { buildDotnet, dotnetEnvironment } from "../../tools/engines/dotnet.ts";
import { pathOf } from "../../tools/engines/locate.ts";
import { playProcess, type Start } from "./player.ts";

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

const dotnetProcess = (program: string, plan: string, onTold: Parameters<Start>[2]) =>
  playProcess([pathOf(".NET"), "exec", program, plan], { ...process.env, ...dotnetEnvironment }, onTold);

export const startMonoGame =
  (withPeer: boolean): Start =>
  async (plan, _folder, onTold) => {
    const engineFolder = dirname(await builtMonoGame("Conform"));
    const game = await builtGame({ engine: "MonoGame", engineFolder, framework: "net8.0", withPeer });
    return dotnetProcess(game, plan, onTold);
  };

export const startUnity =
  (api: ApiLevel, withPeer: boolean): Start =>
  async (plan, _folder, onTold) => {
    const engineFolder = await builtUnity("player", api);
    const framework = api === "net472" ? "net472" : "net8.0";
    const game = await builtGame({ engine: "Unity", engineFolder, framework, withPeer });
    if (api === "net472") return playProcess([pathOf("Mono"), game, plan], process.env, onTold);
    return dotnetProcess(game, plan, onTold);
  };
