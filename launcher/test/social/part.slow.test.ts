// Tests the seconds that a post carries of a clip of several moments: those of its own moment, as its draft shows them, and at most once.
import assert from "node:assert/strict";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Post } from "@kit/contract";
import { test } from "vitest";
import { readClock } from "../../../tools/engines/clock-reader.ts";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { openScene, record, type Scene, setRule, trigger } from "../recording/scene.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";
import { postingOf } from "./social-launcher.ts";
import { discordUrl, serveDiscord, videoIn } from "./stand-ins.ts";

const skip = skipWithout("Xvfb", "ffmpeg");

const ownSeconds = { preSeconds: 2, postSeconds: 1, mergeGapSeconds: 8, cooldownSeconds: 0 };

/** A launcher whose clip has a moment of another id six seconds before that of the post. */
async function openWithLongClip() {
  await using opened = new AsyncDisposableStack();
  const discord = opened.use(await serveDiscord());
  const scene = opened.use(await openScene({}, { width: 640, height: 360 }));
  const posting = postingOf(scene.launcher);
  const { account } = await posting.connect({ network: "discord", fields: { url: discordUrl(discord) } });
  await posting.set({ undoSeconds: 0 });
  await posting.addRule({ pattern: "saga_won", accounts: [account.id], text: "{{event}} {{clipLength}}" });
  await setRule(scene, "saga_goal", { ...ownSeconds, preSeconds: 4, postSeconds: 2, priority: 90 });
  await setRule(scene, "saga_won", ownSeconds);
  await record(scene, {}, 5);
  await trigger(scene.launcher, "saga_goal");
  const goalMs = Date.now();
  await until("six seconds later", () => Date.now() - goalMs >= 6_000);
  const atMs = Date.now();
  const event = await posting.trigger("saga_won");
  const draft = await posting.postOf(event, ({ footage }) => footage.state === "ready");
  const open = opened.move();
  return { scene, posting, discord, event, atMs, goalMs, draft, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

/** Returns the times of the first and the last frame that the file shows. */
async function shownIn(path: string) {
  const clocks = (await readClock(path)).filter(({ ptsMs, ok }) => ok && ptsMs >= 0).map(({ clockMs }) => clockMs);
  return { fromMs: Math.min(...clocks), toMs: Math.max(...clocks) };
}

async function fetchMedia({ launcher }: Scene, address: string): Promise<Buffer> {
  const headers = { authorization: `Bearer ${launcher.secret()}` };
  const answer = await fetch(`http://127.0.0.1:${launcher.port}${address}`, { headers });
  assert.equal(answer.status, 200, address);
  return Buffer.from(await answer.arrayBuffer());
}

test("a post carries the seconds of its own moment, which are exactly the file that its draft showed", {
  skip,
}, async (t) => {
  const folder = temporaryFolder("part", t);
  await using stage = await openWithLongClip();
  const { scene, posting, discord, draft, event, atMs, goalMs } = stage;
  const { part, seconds, clipSeconds } = draft.footage;
  assert.ok(part !== null && (clipSeconds ?? 0) > 10, JSON.stringify(draft.footage));
  assert.ok(Math.abs((seconds ?? 0) - 3) <= 0.1, `${seconds} s`);
  assert.equal(draft.text, "Won 3 s");
  const preview = await fetchMedia(scene, `/api/posts/${draft.id}/video`);
  const picture = join(folder, "picture.jpg");
  writeFileSync(picture, await fetchMedia(scene, `/api/posts/${draft.id}/picture`));
  const [shown] = await readClock(picture);
  assert.ok(shown?.ok && Math.abs(shown.clockMs - atMs) <= 250, `the picture shows ${(shown?.clockMs ?? 0) - atMs} ms`);

  await posting.decide(draft.id, "approve");
  await posting.postOf(event, ({ state }) => state === "sent");
  const [request] = discord.requests;
  const posted = await videoIn(request as NonNullable<typeof request>);
  assert.ok(posted.equals(preview), "the network gets the bytes that the draft played");
  const path = join(folder, "posted.mp4");
  writeFileSync(path, posted);
  const { fromMs, toMs } = await shownIn(path);
  assert.ok(Math.abs(fromMs - (atMs - 2_000)) <= 250, `it begins ${fromMs - atMs} ms from its moment`);
  assert.ok(Math.abs(toMs - (atMs + 1_000)) <= 250, `it ends ${toMs - atMs} ms from its moment`);
  assert.ok(fromMs > goalMs, "the other moment is not in it");
});

test("a launcher that is killed between cutting and posting sends the part once", { skip }, async (t) => {
  const folder = temporaryFolder("part-killed", t);
  await using stage = await openWithLongClip();
  const { scene, posting, discord, draft, event, atMs } = stage;
  const cuts = join(scene.launcher.dataDir, "fitted");
  // The network answers late, so that the launcher is killed after the cut and before any post exists.
  const held = Promise.withResolvers<void>();
  discord.wire.act = async ({ take, response }) => {
    await held.promise;
    if (response.destroyed) return;
    const { status, headers = {}, body = "" } = await take();
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  };
  await posting.decide(draft.id, "approve");
  await until("the part is cut", () => existsSync(cuts) && readdirSync(cuts).some((name) => name.endsWith(".mp4")));
  await scene.launcher.restart("SIGKILL", () => held.resolve());
  const over = ({ state }: Post) => state === "sent" || state === "unsure";
  const { state } = await posting.postOf(event, over);
  const made = discord.standIn.messages.length;
  assert.ok(state === "sent" ? made === 1 : made <= 1, `${state}, and there are ${made}`);
  console.log(`${state} after the kill`);
  if (made === 0) return;
  const path = join(folder, "posted.mp4");
  writeFileSync(path, await videoIn(discord.requests.at(-1) as (typeof discord.requests)[number]));
  const { fromMs, toMs } = await shownIn(path);
  assert.ok(Math.abs(fromMs - (atMs - 2_000)) <= 250 && Math.abs(toMs - (atMs + 1_000)) <= 250);
});
