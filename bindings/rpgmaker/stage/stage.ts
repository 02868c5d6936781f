// Writes a game folder, serves it to browsers, sends it Script commands and receives its state.
import assert from "node:assert/strict";
import { join } from "node:path";
import { type Flavour, writeGame } from "./game-folder.ts";
import { type Answer, serve } from "./serve.ts";
import { until } from "./until.ts";

type GameState = {
  frame: number;
  ran: number;
  stopped: boolean;
  errors: string[];
  config: Record<string, unknown> | null;
};

export type Stage = {
  /** The address of the game for a browser. */
  readonly url: string;
  /** Runs an event's Script command in the game's next frame. Returns once the game has received it. */
  command(script: string): Promise<void>;
  /** The last state that the game reported. Waits for the first one. */
  state(): Promise<GameState>;
  /** Fails unless the game runs for another 20 frames without an error. */
  goesOn(): Promise<void>;
  /** Waits until the game has stopped; returns the errors that stopped it. */
  stops(): Promise<string[]>;
  close(): void;
};

/** All three operations as in an event's Script command. */
export const threeOperations = [
  'KitSDK.Recording.triggerEvent("sky_boss_defeated");',
  'KitSDK.Monitor.reportError("door stuck", "Map012, event 7");',
  'KitSDK.Social.triggerEvent("sky_all_stars");',
].join("\n");

const hand = join(import.meta.dirname, "listening-hand.js");

export async function openStage(
  folder: string,
  flavour: Flavour,
  parameters: Record<string, string>,
  isOn = true,
): Promise<Stage> {
  const waiting: string[] = [];
  let given = 0;
  let latest: GameState | undefined;
  let closed = false;

  const next: Answer = (url, _request, response) => {
    latest = JSON.parse(url.searchParams.get("state") ?? "") as GameState;
    const script = waiting.shift();
    if (script !== undefined) given += 1;
    response.writeHead(script === undefined ? 204 : 200, { "content-type": "text/plain" }).end(script);
  };
  const served = await serve(folder, { "/next": next });
  writeGame(folder, { flavour, isOn, parameters, hand, handSetup: { next: `${served.url}/next` } });
  const state = () => until("the game speaks", () => latest);

  return {
    url: `${served.url}/index.html`,
    state,
    async command(script) {
      waiting.push(script);
      const number = given + waiting.length;
      await until(`the game has command ${number}`, () => closed || (latest?.ran ?? 0) >= number);
    },
    async goesOn() {
      const { frame } = await state();
      await until("20 more frames", () => latest?.stopped || (latest?.frame ?? 0) > frame + 20);
      assert.deepEqual((await state()).errors, []);
      assert.equal((await state()).stopped, false);
    },
    stops: () => until("the game stops", () => (latest?.stopped ? latest.errors : undefined)),
    close() {
      closed = true;
      served.close();
    },
  };
}
