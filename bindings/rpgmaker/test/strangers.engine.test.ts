// Tests of another program on the launcher's address: no dialog, no flood of requests, and nothing that would stop a game.
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { startGame } from "../stage/game.ts";
import type { Flavour } from "../stage/game-folder.ts";
import type { PlayerEngine } from "../stage/players.ts";
import { until } from "../stage/until.ts";
import { type Behaviour, openRecorder, type Recorder } from "./recorder.ts";

const eventsCount = 20;

/** One event after another, as a game plays, so that each finds the connections as the one before left them. */
const oneAfterAnother = `
  for (var n = 0; n < ${eventsCount}; n += 1) {
    setTimeout(KitSDK.Recording.triggerEvent.bind(null, "sky_" + n), n * 50);
  }`;

const idsOf = ({ requests }: Recorder) =>
  requests.map(({ body }) => JSON.parse(body.toString("utf8")).eventId as string);

/** The plugin gives a request up after 5 seconds, so a request that a dialog delays arrives later than this. */
const heldBackMs = 4_000;

async function meets(engine: PlayerEngine, flavour: Flavour, behaviour: Behaviour): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const launcher = await openRecorder();
  stack.defer(() => launcher.close());
  launcher.behave(behaviour);
  const game = stack.use(await startGame(engine, flavour, { "Launcher URL": launcher.url }));
  await game.command(oneAfterAnother);
  await until("all events arrived", () => new Set(idsOf(launcher)).size === eventsCount);
  await game.goesOn();
  const sent = Array.from({ length: eventsCount }, (_, n) => `sky_${n}`);
  assert.deepEqual(idsOf(launcher).toSorted(), sent.toSorted(), `${launcher.requests.length} POSTs`);
  const waitedMs = launcher.requests.map(
    ({ atMs, body }) => atMs - Date.parse(JSON.parse(body.toString("utf8")).timestamp),
  );
  assert.ok(Math.max(...waitedMs) < heldBackMs, `waited for ${waitedMs} ms`);
}

const engines = {
  "NW.js 0.87": skipWithout("NW.js 0.87", "Xvfb"),
  "NW.js 0.44": skipWithout("NW.js 0.44", "Xvfb"),
  Chromium: skipWithout("Chromium"),
} as const;

describe("another program on the launcher's address", { concurrent: true }, () => {
  for (const [engine, skip] of Object.entries(engines) as [PlayerEngine, boolean][]) {
    test(`in ${engine}, a demand for a password delays no event`, { skip }, () =>
      meets(engine, "mz", "asks-for-a-password"),
    );
    test(`in ${engine}, a redirect to itself gets one POST for each event`, { skip }, () =>
      meets(engine, "mv", "redirects"),
    );
  }
});
