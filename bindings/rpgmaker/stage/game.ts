// A game in a real engine that a test can command. Everything that it started is gone when it is disposed of.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Flavour } from "./game-folder.ts";
import { openHouse, type PlayerEngine } from "./players.ts";
import { openStage, type Stage } from "./stage.ts";

export type Game = Stage & {
  /** Resolves when the game has ended by itself, or its page was left. */
  readonly ended: Promise<unknown>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Starts the stand-in game with KitSDK.js listed under `parameters`, switched on or off, and waits until its frames run. */
export async function startGame(
  engine: PlayerEngine,
  flavour: Flavour,
  parameters: Record<string, string>,
  isOn = true,
): Promise<Game> {
  const folder = mkdtempSync(join(tmpdir(), "kit-rpg-"));
  await using started = new AsyncDisposableStack();
  started.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  const stage = await openStage(join(folder, "game"), flavour, parameters, isOn);
  started.defer(() => stage.close());
  const house = await openHouse(engine, folder);
  started.defer(() => house.close());
  const player = await house.play({ folder: join(folder, "game"), url: stage.url });
  await stage.goesOn();

  const owned = started.move();
  return { ...stage, ended: player.ended, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
