// Tests a real game of .NET 10 for Windows with the binding for MonoGame, beside Kit for Windows, under Wine.
import assert from "node:assert/strict";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GameSession, KitEvent } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { builtForWindows } from "../../../bindings/monogame/conformance/build.ts";
import { until } from "../../../launcher/test/support/until.ts";
import { skipWithout } from "../../engines/locate.ts";
import { dotnetEnvironmentOfWine } from "../../engines/wine.ts";
import { type OwnWindows, openOwnWindows } from "./own-windows.ts";

const skip = skipWithout("Wine", "Node.js for Windows", ".NET", ".NET for Windows");
const unhandledException = 0xe043_4352;
const program = "C:\\Star Catcher\\StarCatcher.exe";
let windows: OwnWindows;
beforeAll(async () => {
  if (skip !== false) return;
  windows = await openOwnWindows();
  cpSync(await builtForWindows(), join(windows.drive, "Star Catcher"), { recursive: true });
  await windows.begin();
});
afterAll(() => windows?.close());

const eventsOfGame = async () =>
  (await windows.read<{ events: KitEvent[] }>("/api/events?game=starcatcher&limit=100")).events.toReversed();
/** The newest session of the game, once it fits. */
const session = (what: string, fits: (session: GameSession) => boolean) =>
  until(what, async () => {
    const { sessions } = await windows.read<{ sessions: GameSession[] }>("/api/sessions");
    const newest = sessions.find(({ game }) => game === "starcatcher");
    return newest !== undefined && fits(newest) && newest;
  });

let played = 0;

/** Plays these keys (frame:key), and the last one when Kit has stored `count` more events, which it returns. */
async function play(words: readonly string[], keys: string, last: "Escape" | "X", count: number) {
  played += 1;
  const theEnd = `end-${played}`;
  const [first = "", ...others] = words;
  const before = (await eventsOfGame()).length;
  const run = windows.start(first, others, {
    ...windows.settings,
    ...dotnetEnvironmentOfWine,
    STAND_IN_KEYS: keys,
    STAND_IN_LAST: `${last} C:\\${theEnd}`,
    STAR_CATCHER_LAUNCHER: `http://127.0.0.1:${windows.port}`,
  });
  const added = async () => (await eventsOfGame()).slice(before);
  await until("the events are stored", async () => run.child.exitCode !== null || (await added()).length >= count);
  writeFileSync(join(windows.drive, theEnd), "");
  return { code: await run.ended, output: run.output(), added: await added() };
}
const said = (events: readonly KitEvent[]) =>
  events.map(({ kind, payload }) => [kind, payload.eventId ?? payload.message]);

test("all three operations of a .NET 10 game belong to its program, and its session ends with it", {
  skip,
}, async () => {
  const { code, output, added } = await play([program], "2:B 20:E 40:S", "Escape", 3);
  assert.equal(code, 0, output);
  // Only the program tells that the report belongs to the game.
  assert.deepEqual(said(added), [
    ["recording", "starcatcher_boss_defeated"],
    ["monitor", "The save file is damaged"],
    ["social", "starcatcher_all_stars"],
  ]);
  assert.match(String(added[1]?.payload.stackTrace), /StarCatcherGame\.LoadSaveFile/);
  const { knownBy, ending, errors } = await session("it ended", (each) => each.endedAt !== null && each.events === 3);
  assert.deepEqual([knownBy, ending, errors], ["program", "ended", 1]);
});

test("kit run records how a .NET 10 game exits", { skip }, async () => {
  const { code, output } = await play(
    ["C:\\kit\\node.exe", "C:\\kit\\launcher\\main.js", "run", "--", program],
    "2:B",
    "Escape",
    1,
  );
  assert.equal(code, 0, output);
  const run = await session("its event is counted", ({ events }) => events === 1);
  assert.deepEqual([run.knownBy, run.program, run.ending, run.exitCode], ["run", "StarCatcher.exe", "exited", 0]);
});

test("the exception that ends a .NET 10 game is reported by the game, and as a crash of its run", {
  skip,
}, async () => {
  const before = (await eventsOfGame()).length;
  const { code, output } = await play(
    ["C:\\kit\\node.exe", "C:\\kit\\launcher\\main.js", "run", "--", program],
    "2:B",
    "X",
    1,
  );
  // Wine passes on only the lowest 8 bits.
  assert.equal(code, unhandledException & 0xff, output);
  assert.match(output, /InvalidOperationException: The sky has no stars/);
  const run = await session("its events are counted", ({ events }) => events === 3);
  assert.deepEqual(said((await eventsOfGame()).slice(before)), [
    ["recording", "starcatcher_boss_defeated"],
    ["monitor", "The sky has no stars"],
    ["monitor", "starcatcher crashed: 0xE0434352, unhandled .NET exception"],
  ]);
  assert.deepEqual([run.ending, run.exitCode, run.errors], ["crashed", unhandledException, 2]);
});
