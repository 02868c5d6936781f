// Real clips for the documentation's pictures: the launcher records a sample game that sends events.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  type Client,
  type Clip,
  changeClip,
  changeRecorder,
  changeRecordingRule,
  createClient,
  getRecorder,
  listClips,
} from "@kit/contract";
import type { LauncherProcess } from "./launcher-process.ts";
import type { SampleGame } from "./sample-game.ts";

const clientOf = ({ port, dataDir }: LauncherProcess): Client =>
  createClient(`http://127.0.0.1:${port}`, () => ({
    authorization: `Bearer ${readFileSync(join(dataDir, "secret"), "utf8").trim()}`,
  }));

/** Records whatever runs; resolves when the replay buffer holds some seconds. */
export async function recordAlways(launcher: LauncherProcess, heldSeconds: number): Promise<Client> {
  const client = clientOf(launcher);
  await client.call(changeRecorder, { body: { when: "always", sound: "off", picture: "screen" } });
  await until(async () => (await client.call(getRecorder)).state.heldSeconds > heldSeconds);
  return client;
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await pause(200);
}

/** Short clips without merging, so that the pictures are made quickly. */
async function prepare(client: Client): Promise<void> {
  const short = { preSeconds: 6, postSeconds: 3, mergeGapSeconds: 1, cooldownSeconds: 0 };
  const ids = ["lantern_lit", "boss_seen", "boss_defeated"].map((name) => `lanternwood_${name}`);
  for (const eventId of [...ids, "skyhook_lap_record", "skyhook_barrel_roll"]) {
    await client.call(changeRecordingRule, { body: { eventId, ...short } });
  }
  await client.call(changeRecordingRule, { body: { eventId: "lanternwood_view", action: "screenshot" } });
  await client.call(changeRecordingRule, { body: { eventId: "lanternwood_step_taken", action: "marker" } });
}

async function play(launcher: LauncherProcess, game: SampleGame): Promise<void> {
  const send = (eventId: string) => launcher.send("recording", { eventId });
  await game.show("forest");
  await pause(7_000);
  await send("lanternwood_step_taken");
  await send("lanternwood_lantern_lit");
  await pause(5_000);
  await send("lanternwood_view");
  await game.show("boss");
  await pause(4_000);
  await send("lanternwood_boss_seen");
  await pause(2_500);
  await launcher.send("monitor", { message: "Invalid access to property 'hp' on a base object of type 'Nil'." });
  await send("lanternwood_boss_defeated");
  await pause(5_000);
  await game.show("sky");
  await pause(7_000);
  await send("skyhook_lap_record");
  await pause(11_000);
  await send("skyhook_barrel_roll");
  await pause(4_000);
}

/** Records a few clips; resolves with them, newest first, when none is pending any more. */
export async function recordSampleClips(launcher: LauncherProcess, game: SampleGame): Promise<Clip[]> {
  const client = await recordAlways(launcher, 3);
  await prepare(client);
  await play(launcher, game);
  const clipsNow = async () => (await client.call(listClips, { query: {} })).clips;
  await until(async () =>
    (await clipsNow()).every(({ state, poster, kind }) => state !== "pending" && (poster || kind === "marker")),
  );
  const boss = (await clipsNow()).find(({ events }) =>
    events.some(({ eventId }) => eventId === "lanternwood_boss_defeated"),
  );
  if (boss)
    await client.call(changeClip, { params: { id: boss.id }, body: { title: "The Hollow King falls", pinned: true } });
  return await clipsNow();
}
