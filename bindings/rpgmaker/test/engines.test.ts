// The plugin in real engines: what leaves the game byte for byte, and that the game goes on whatever the launcher does.
import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { type Game, startGame } from "./game.ts";
import type { PlayerEngine } from "./players.ts";
import { openRecorder, type Recorded, type Recorder } from "./recorder.ts";
import { type Flavour, threeOperations } from "./stage.ts";
import { until } from "./until.ts";

// What engines' own encoders are known to get wrong: quotes, control characters, line separators, half a pair.
const awkward = 'a"b\\c\u0000\u0007\u000b\u001b\u007f\u2028\u00e9\ud83d\ude00 \ud800x\udc00';

async function launcherAndGame(engine: PlayerEngine, flavour: Flavour, stack: AsyncDisposableStack) {
  const launcher = await openRecorder();
  stack.defer(() => launcher.close());
  // As a hurried author may have typed it.
  const game = stack.use(await startGame(engine, flavour, { "Launcher URL": ` ${launcher.url}/ ` }));
  return { launcher, game };
}

/** The POSTs that came since `from`, once there are `count` of them and the game has gone on. */
async function arrivals(launcher: Recorder, game: Game, from: number, count: number): Promise<Recorded[]> {
  await until(`${count} requests`, () => launcher.requests.length >= from + count);
  await game.goesOn();
  return launcher.requests.slice(from);
}

const bodyOf = (request: Recorded) => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(request.body));

async function sendsExactly(launcher: Recorder, game: Game): Promise<void> {
  const calledAtMs = Date.now();
  await game.command(threeOperations);
  const arrived = await arrivals(launcher, game, 0, 3);
  const byPath = new Map(arrived.map((request) => [request.path, request]));
  assert.equal(arrived.length, 3, "one request a call");
  for (const request of arrived) {
    assert.equal(request.method, "POST");
    assert.equal(request.headers["content-type"], "application/json");
    const { timestamp } = bodyOf(request);
    assert.equal(new Date(timestamp).toISOString(), timestamp);
    assert.ok(Date.parse(timestamp) >= calledAtMs - 1 && Date.parse(timestamp) <= request.atMs + 1, timestamp);
  }
  const bodyAt = (path: string) => {
    const { timestamp, ...members } = bodyOf(byPath.get(path) as Recorded);
    return members;
  };
  assert.deepEqual(bodyAt("/api/recording/trigger"), { eventId: "sky_boss_defeated" });
  assert.deepEqual(bodyAt("/api/monitor/report"), { message: "door stuck", stackTrace: "Map012, event 7" });
  assert.deepEqual(bodyAt("/api/social/trigger"), { eventId: "sky_all_stars" });
}

async function sendsAwkwardText(launcher: Recorder, game: Game): Promise<void> {
  const from = launcher.requests.length;
  await game.command(`KitSDK.Monitor.reportError(${JSON.stringify(awkward)})`);
  const [report] = await arrivals(launcher, game, from, 1);
  assert.equal(bodyOf(report as Recorded).message, awkward);
  assert.equal(bodyOf(report as Recorded).stackTrace, "");
}

async function limitsABurst(launcher: Recorder, game: Game): Promise<void> {
  const from = launcher.requests.length;
  await game.command('for (var i = 0; i < 500; i++) KitSDK.Recording.triggerEvent("sky_burst_" + i)');
  const burst = await arrivals(launcher, game, from, 64);
  assert.equal(burst.length, 64, "the newest beyond 64 are dropped");
  await game.command('KitSDK.Recording.triggerEvent("sky_after_burst")');
  await arrivals(launcher, game, from, 65);
}

async function survivesAbsence(launcher: Recorder, game: Game): Promise<void> {
  await launcher.leave();
  await game.command(threeOperations);
  await game.goesOn();
  const from = launcher.requests.length;
  await launcher.comeBack();
  await game.command(threeOperations);
  const arrived = await arrivals(launcher, game, from, 3);
  assert.equal(arrived.length, 3, "nothing is sent a second time");
}

async function survives(behaviour: "fails" | "drops", launcher: Recorder, game: Game): Promise<void> {
  const seen = launcher.requests.length + launcher.preflights.length;
  launcher.behave(behaviour);
  await game.command(threeOperations);
  await until("it was asked", () => launcher.requests.length + launcher.preflights.length >= seen + 3);
  await game.goesOn();
  launcher.behave("answers");
}

/** A page asks first (CORS), so what hangs there is the question. */
async function givesUpAfterFiveSeconds(launcher: Recorder, game: Game): Promise<void> {
  const asked = () => [...launcher.requests, ...launcher.preflights];
  const seen = new Set(asked());
  launcher.behave("hangs");
  await game.command(threeOperations);
  const hanging = await until("three hang", () => {
    const fresh = asked().filter((request) => !seen.has(request));
    return fresh.length >= 3 ? fresh : undefined;
  });
  await game.goesOn();
  await until("all are given up", () => hanging.every((request) => request.closedAtMs !== undefined));
  for (const { atMs, closedAtMs } of hanging) assert.ok(Math.abs((closedAtMs ?? 0) - atMs - 5_000) < 1_500);
  await game.goesOn();
}

/** One game through every state a launcher can be in, in the order that lets each show itself. */
async function wholeEvening(t: TestContext, engine: PlayerEngine, flavour: Flavour): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const { launcher, game } = await launcherAndGame(engine, flavour, stack);
  const step = (says: string, run: () => Promise<void>) => t.test(says, run);
  await step("each operation is one POST, exact to the byte", () => sendsExactly(launcher, game));
  await step("text that encoders get wrong arrives whole", () => sendsAwkwardText(launcher, game));
  await step("a burst is cut off at 64, and the next event leaves again", () => limitsABurst(launcher, game));
  await step("an absent launcher is not noticed, and one that comes back is served", () =>
    survivesAbsence(launcher, game),
  );
  await step("a launcher that answers 500 is not noticed", () => survives("fails", launcher, game));
  await step("a launcher that drops connections is not noticed", () => survives("drops", launcher, game));
  await step("a launcher that never answers is given up after 5 seconds", () =>
    givesUpAfterFiveSeconds(launcher, game),
  );
}

/** `quit` runs in the same tick as the events. */
async function sendsItsLastWords(engine: PlayerEngine, flavour: Flavour, quit: string): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const { launcher, game } = await launcherAndGame(engine, flavour, stack);
  let isGone = false;
  const ended = game.ended.then(() => {
    isGone = true;
  });
  const had = game.command(`${threeOperations}\n${quit}`);
  await until("the game is gone", () => isGone);
  await ended;
  await until("all three are there", () => launcher.requests.length >= 3);
  await stack.disposeAsync();
  await had;
  assert.equal(launcher.requests.length, 3);
}

const nwjs87 = { skip: skipWithout("NW.js 0.87", "Xvfb") };
const nwjs44 = { skip: skipWithout("NW.js 0.44", "Xvfb") };
const page = { skip: skipWithout("Chromium") };

// Each spends most of its time waiting for a launcher that hangs, so they run at once.
suite("real engines", { concurrency: 6 }, () => {
  test("an MV game in NW.js 0.87 goes on whatever the launcher does", nwjs87, (t) =>
    wholeEvening(t, "NW.js 0.87", "mv"),
  );
  test("an MZ game in NW.js 0.87 goes on whatever the launcher does", nwjs87, (t) =>
    wholeEvening(t, "NW.js 0.87", "mz"),
  );
  test("an MV game in NW.js 0.44 goes on whatever the launcher does", nwjs44, (t) =>
    wholeEvening(t, "NW.js 0.44", "mv"),
  );
  test("an MZ game in NW.js 0.44 goes on whatever the launcher does", nwjs44, (t) =>
    wholeEvening(t, "NW.js 0.44", "mz"),
  );
  test("an MV game in a Chromium page goes on whatever the launcher does", page, (t) =>
    wholeEvening(t, "Chromium", "mv"),
  );
  test("an MZ game in a Chromium page goes on whatever the launcher does", page, (t) =>
    wholeEvening(t, "Chromium", "mz"),
  );

  test("an MV game's last words leave NW.js 0.87 when it closes its window", nwjs87, () =>
    sendsItsLastWords("NW.js 0.87", "mv", "SceneManager.exit()"),
  );
  test("an MZ game's last words leave NW.js 0.87 when it quits", nwjs87, () =>
    sendsItsLastWords("NW.js 0.87", "mz", "nw.App.quit()"),
  );
  test("an MV game's last words leave NW.js 0.44 when it closes its window", nwjs44, () =>
    sendsItsLastWords("NW.js 0.44", "mv", "SceneManager.exit()"),
  );
  test("an MZ game's last words leave NW.js 0.44 when it closes its window", nwjs44, () =>
    sendsItsLastWords("NW.js 0.44", "mz", "SceneManager.exit()"),
  );
  test("a game's last words leave a Chromium page that is left", page, () =>
    sendsItsLastWords("Chromium", "mz", 'location.href = "about:blank"'),
  );
});
