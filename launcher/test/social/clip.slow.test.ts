// Tests the whole path of a post: a recorded screen, a social trigger, and a playable video of the moment at the network.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Post, textOf } from "@kit/contract";
import { test } from "vitest";
import { readClock } from "../../../tools/engines/clock-reader.ts";
import { pathOf, skipWithout } from "../../../tools/engines/locate.ts";
import { openScene, record, setRule } from "../recording/scene.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";
import { postingOf } from "./social-launcher.ts";
import { discordUrl, serveDiscord, videoIn } from "./stand-ins.ts";

const skip = skipWithout("Xvfb", "ffmpeg");
const videoBytesMax = 300_000;

/** Decodes the whole file. Throws if anything is wrong with it. */
const play = (path: string) =>
  execFileSync(pathOf("ffmpeg"), ["-v", "error", "-xerror", "-i", path, "-f", "null", "-"], { encoding: "utf8" });

test("a trigger becomes a post with a clip of its moment that is made to fit, and the clip is marked as shared", {
  skip,
}, async (t) => {
  const folder = temporaryFolder("posted", t);
  await using discord = await serveDiscord();
  await using scene = await openScene({}, { width: 640, height: 360 });
  const posting = postingOf(scene.launcher);
  const { account } = await posting.connect({ network: "discord", fields: { url: discordUrl(discord) } });
  // A server whose limit is smaller than the clip.
  await scene.launcher.restart("SIGTERM", () => {
    using database = new DatabaseSync(join(scene.launcher.dataDir, "kit.db"));
    const limits = JSON.stringify({ ...account.limits, videoBytesMax });
    database.prepare("UPDATE account SET limits = ?").run(limits);
  });
  await setRule(scene, "saga_won", { preSeconds: 3, postSeconds: 1, mergeGapSeconds: 0, cooldownSeconds: 0 });
  await posting.set({ undoSeconds: 0 });
  const text = "{{event}} after {{clipLength}}";
  await posting.addRule({ pattern: "saga_won", accounts: [account.id], text, attach: "clip" });
  await record(scene, {}, 4);
  const atMs = Date.now();
  const event = await posting.trigger("saga_won");
  const draft = await posting.postOf(event, ({ footage }) => footage.state === "ready");
  assert.equal(draft.state, "draft");
  await posting.decide(draft.id, "approve");
  const post = await posting
    .postOf(event, ({ state }) => state === "sent")
    .catch((error: Error) => {
      throw new Error(`${error.message}\n${scene.launcher.process().output()}`);
    });

  const [request] = discord.requests;
  assert.ok(request);
  const video = await videoIn(request);
  const path = join(folder, "posted.mp4");
  writeFileSync(path, video);
  assert.equal(play(path), "");
  assert.ok(video.length <= videoBytesMax, `${video.length} bytes`);
  const clip = await until("the clip is marked as shared", async () =>
    (await scene.clips()).find(({ shared }) => shared),
  );
  assert.ok(clip.bytes > videoBytesMax, `the clip is ${clip.bytes} bytes`);
  assert.equal(post.footage.clip, clip.id);
  const shown = (await readClock(path)).map(({ clockMs }) => clockMs).filter((ms) => ms !== undefined);
  const nearest = Math.min(...shown.map((ms) => Math.abs(ms - atMs)));
  assert.ok(nearest <= 150, `the moment is ${nearest} ms away from what is shown`);
  assert.match(discord.standIn.messages[0]?.body.content ?? "", /^Won after \d+ s$/);

  // The same clip, posted by a person to a server that takes less than it says.
  const serverMax = Math.floor(video.length * 0.7);
  discord.standIn.fileBytesMax = serverMax;
  const body = { clip: clip.id, text: "Again!", accounts: [account.id], approve: true };
  const { id } = (await scene.launcher.api("POST", "/api/posts", body)).json<Post>();
  const again = await until("the post of the clip is sent", async () => {
    const found = (await scene.launcher.api("GET", `/api/posts/${id}`)).json<Post>();
    return found.state === "sent" ? found : undefined;
  });
  const posted = discord.requests.filter(({ method }) => method === "POST").slice(1);
  const sizes = await Promise.all(posted.map(async (one) => (await videoIn(one)).length));
  assert.deepEqual([sizes.length, again.deliveries[0]?.tries], [2, 2]);
  assert.ok((sizes[0] ?? 0) > serverMax && (sizes[1] ?? 0) <= serverMax, `${sizes} of ${serverMax} bytes`);
  assert.match(again.deliveries[0]?.notes.map(textOf).join() ?? "", /because the server refused a larger file/);
  console.log(
    `${clip.bytes} bytes recorded, ${video.length} posted; ${post.deliveries[0]?.notes.map(textOf).join("; ")}`,
  );
});
