// Two evenings of three games whose windows have a colour each, before a desktop of a third colour: whose picture each clip shows.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Clip, type listClips, type ReplyOf, textOf } from "@kit/contract";
import { type TestContext, test } from "vitest";
import { openDisplay } from "../../../tools/engines/display.ts";
import { openJwm } from "../../../tools/engines/jwm.ts";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { type LauncherProcess, startLauncherProcess } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";
import { readColours } from "./colours.ts";
import { openPaintedWindow } from "./painted-window.ts";

const skip = skipWithout("Xvfb", "JWM", "ffmpeg");
const red = 0xe00000;
const green = { colour: 0x00e000, channel: 1 } as const;
const blue = { colour: 0x0000e0, channel: 2 } as const;
const betweenEventsMs = 1_700;
const idleAfterMsMax = 20_000;

/** Sends an event from a process that ends at once, as a game does whose own process Kit cannot see. */
async function sendFromElsewhere(url: string, eventId: string): Promise<void> {
  const script = `const [, url, eventId] = process.argv;
    const body = JSON.stringify({ eventId, timestamp: new Date().toISOString() });
    const headers = { "content-type": "application/json" };
    process.exitCode = (await fetch(url, { method: "POST", headers, body })).status === 202 ? 0 : 1;`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script, url, eventId], { stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  assert.equal(code, 0, eventId);
}

async function openEvening(t: TestContext) {
  const display = await openDisplay("1024x768");
  const manager = await openJwm(display.name);
  const launcher = await startLauncherProcess({ env: { DISPLAY: display.name } });
  const windows: { end(): Promise<void> }[] = [];
  t.onTestFinished(async () => {
    await Promise.all(windows.map((window) => window.end()));
    await launcher[Symbol.asyncDispose]();
    await manager.close();
    await display.close();
  });
  await launcher.setRecorder({ height: 480, sound: "off", backend: "ffmpeg" });
  const url = `http://127.0.0.1:${launcher.port}/api/recording/trigger`;
  const open = async (title: string, colour: number, width: number, height: number, at = 0) => {
    const window = await openPaintedWindow({ display: display.name, title, colour, width, height, x: at, y: at });
    windows.push(window);
    return window;
  };
  return { launcher, url, open };
}

async function setRule({ api }: LauncherProcess, eventId: string, preSeconds: number): Promise<void> {
  const rule = { eventId, preSeconds, postSeconds: 0.4, mergeGapSeconds: 0, cooldownSeconds: 0 };
  assert.equal((await api("PUT", "/api/recorder/rules", rule)).status, 200);
}

function settledClips({ api }: LauncherProcess, atLeast: number): Promise<readonly Clip[]> {
  let last = "";
  return until(
    () => `${atLeast} clips, none of them pending: ${last}`,
    async () => {
      const { clips } = (await api("GET", "/api/clips?limit=200")).json<ReplyOf<typeof listClips>>();
      last = JSON.stringify(
        clips.map(({ state, kind, events }) => [state, kind, events.map(({ eventId }) => eventId)]),
      );
      return clips.length >= atLeast && clips.every(({ state }) => state !== "pending") && clips;
    },
  );
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

for (const { ending, signal } of [
  { ending: "ends by itself", signal: "SIGTERM" },
  { ending: "is killed", signal: "SIGKILL" },
] as const)
  test(`no clip of an evening of three games shows another game or the desktop, and recording stops when the last game ${ending}`, {
    skip,
  }, async (t) => {
    const { launcher, url, open } = await openEvening(t);
    for (const event of ["saga_hit", "quest_hit", "tide_hit"]) await setRule(launcher, event, 1);
    const isRecorded = (...titles: string[]) =>
      until(
        () => `a recording of ${titles.join(" and ")}`,
        async () => {
          const { state, source, detail } = (await launcher.recorder()).state;
          const says = `${source} ${textOf(detail)}`;
          return state === "recording" && titles.every((title) => says.includes(title));
        },
      );

    await open("Desktop", red, 1024, 768);
    const saga = await open("Saga", green.colour, 640, 480, 60);
    const hit = (game: typeof saga, eventId: string) => game.order({ do: "send", url, eventId });
    await hit(saga, "saga_hit");
    await isRecorded("Saga");
    for (let round = 0; round < 4; round += 1) {
      await pause(betweenEventsMs);
      await hit(saga, "saga_hit");
      await sendFromElsewhere(url, "tide_hit");
    }

    const quest = await open("Quest", blue.colour, 480, 360, 200);
    await hit(quest, "quest_hit");
    await isRecorded("Saga", "Quest");
    for (let round = 0; round < 7; round += 1) {
      await pause(betweenEventsMs);
      await hit(saga, "saga_hit");
      await hit(quest, "quest_hit");
    }
    await quest.order({ do: "minimise" });
    for (let round = 0; round < 3; round += 1) {
      await pause(betweenEventsMs);
      await hit(saga, "saga_hit");
      await hit(quest, "quest_hit");
      await sendFromElsewhere(url, "tide_hit");
    }

    await hit(saga, "saga_hit");
    await saga.end("SIGKILL");
    await launcher.send("monitor", {
      message: "the game crashed",
      eventId: "saga",
      timestamp: new Date().toISOString(),
    });
    await quest.order({ do: "show" });
    await isRecorded("Quest");
    for (let round = 0; round < 5; round += 1) {
      await pause(betweenEventsMs);
      await hit(quest, "quest_hit");
    }
    await quest.end(signal);
    const endedMs = performance.now();
    await until("the recorder to stop", async () => (await launcher.recorder()).state.state !== "recording");
    const stoppedMs = performance.now() - endedMs;
    await pause(5_000);
    const { state } = await launcher.recorder();
    assert.notEqual(state.state, "recording", `it records again: ${state.source}`);

    const clips = await settledClips(launcher, 30);
    const problems: string[] = [];
    const shown = { saga: 0, quest: 0 };
    for (const clip of clips) {
      const [game = ""] = (clip.events[0]?.eventId ?? "").split("_");
      const says = `${clip.state} ${clip.kind} of ${game} at ${clip.startedAt}`;
      if (clip.kind === "marker" || clip.state !== "saved") {
        if (clip.reason === null) problems.push(`${says} gives no reason`);
        continue;
      }
      const own = { saga: green, quest: blue }[game];
      if (own === undefined) problems.push(`${says} has pictures`);
      else {
        shown[game as "saga" | "quest"] += 1;
        const { foreignMax, frames } = await readColours(clip.path ?? "", own.channel);
        if (foreignMax > 0)
          problems.push(`${says} shows another window in ${foreignMax} of a frame, of ${frames} frames`);
      }
    }
    console.log(`${shown.saga} clips of Saga, ${shown.quest} of Quest, stopped after ${Math.round(stoppedMs)} ms`);
    assert.deepEqual(problems, []);
    // A busy machine loses footage of some moments, which are markers then.
    assert.ok(shown.saga + shown.quest >= 20, JSON.stringify(shown));
    assert.ok(stoppedMs < idleAfterMsMax, `${stoppedMs} ms`);
  });
