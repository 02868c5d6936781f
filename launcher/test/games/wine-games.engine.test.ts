// Tests on Linux, with real Windows games in Wine: each report belongs to the game that sent it.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KitEvent } from "@kit/contract";
import { test } from "vitest";
import { pathOf, skipWithout } from "../../../tools/engines/locate.ts";
import { openWindows } from "../../../tools/engines/windows-computer.ts";
import { launcherProcessOfFile } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";

const skip = skipWithout("Wine", "Node.js for Windows");
const reports = 25;
const script = `
  const [port, game, reports] = process.argv.slice(2);
  const send = async (path, members) => {
    const body = JSON.stringify({ ...members, timestamp: new Date().toISOString() });
    // Closes the connection after each event.
    const headers = { "content-type": "application/json", connection: "close" };
    const answer = await fetch("http://127.0.0.1:" + port + path, { method: "POST", headers, body });
    if (answer.status !== 202) throw new Error(await answer.text());
  };
  (async () => {
    await send("/api/recording/trigger", { eventId: game + "_started" });
    for (let n = 0; n < reports; n += 1) await send("/api/monitor/report", { message: game + " " + n, stackTrace: "" });
  })();`;

test("each of two games under Wine gets its own reports, although the first one started Wine's server", {
  skip,
}, async (t) => {
  const launcher = await launcherProcessOfFile();
  const windows = openWindows({ keepsServer: false });
  t.onTestFinished(() => windows.close());
  const play = (game: string) => {
    const file = join(windows.drive, `${game}.cjs`);
    writeFileSync(file, script);
    return windows.start(pathOf("Node.js for Windows"), [`C:\\${game}.cjs`, `${launcher.port}`, game, `${reports}`]);
  };
  const games = ["first", "second"];
  for (const run of games.map(play)) assert.equal(await run.ended, 0, run.output());
  const messagesOf = async (game: string) =>
    (await launcher.api("GET", `/api/events?kind=monitor&game=${game}&limit=100`))
      .json<{ events: KitEvent[] }>()
      .events.map(({ payload }) => payload.message);
  // A busy machine finds some senders only after the event was stored.
  let unsorted: readonly (string | undefined)[] = [];
  await until(
    () => `the game of each report; without one: ${unsorted}`,
    async () => {
      unsorted = await messagesOf("unsorted");
      return unsorted.length === 0;
    },
  );
  for (const game of games) {
    const expected = Array.from({ length: reports }, (_, n) => `${game} ${n}`);
    assert.deepEqual((await messagesOf(game)).toSorted(), expected.toSorted());
  }
});
