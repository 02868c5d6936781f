// Plays a plan in headless Godot, from sources as a debug build.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { addAddon } from "../../bindings/godot/test/builds.ts";
import { engineEnv } from "../../bindings/godot/test/engine.ts";
import { pathOf } from "../../tools/engines/locate.ts";
import { playProcess, type Start } from "./player.ts";

export const startGodot: Start = async (plan, folder, onTold) => {
  const game = join(folder, "game");
  cpSync(join(import.meta.dirname, "godot"), game, { recursive: true });
  addAddon(game);
  const env = engineEnv(folder, { KIT_BENCH_PLAN: plan });
  return playProcess([pathOf("Godot"), "--headless", "--path", game], env, onTold);
};
