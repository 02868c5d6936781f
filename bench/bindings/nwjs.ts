// Plays a plan in NW.js, with the stand-in game of the RPG Maker binding.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { writeGame } from "../../bindings/rpgmaker/stage/game-folder.ts";
import { openHouse } from "../../bindings/rpgmaker/stage/players.ts";
import { type Answer, serve } from "../../bindings/rpgmaker/stage/serve.ts";
import { processesOf } from "../../tools/engines/processes.ts";
import type { Listener, Start } from "./player.ts";
import type { GameMessage } from "./protocol.ts";

const playMsMax = 180_000;

function tellsTo(onTold: Listener): Answer {
  return async (_url, request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    onTold(JSON.parse(text) as GameMessage);
    response.writeHead(204).end();
  };
}

export const startNwjs: Start = async (plan, folder, onTold) => {
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
