// Tests of videos on Bluesky: through a stand-in for its video service to the real server program.

import assert from "node:assert/strict";
import { textOf } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { skipWithout } from "../../../../../tools/engines/locate.ts";
import { type Footage, makeFootage } from "../test/footage.ts";
import { linkOf, openBluesky, postWith, saysOf } from "./test/bluesky-rig.ts";
import { openPds, type Pds } from "./test/pds-behind-tls.ts";
import { openVideoService } from "./test/video-stand-in.ts";

const skip = skipWithout("Bluesky's server", "OpenSSL", "ffmpeg");

let pds: Pds;
let footage: Footage;
beforeAll(async () => {
  if (skip !== false) return;
  footage = makeFootage();
  pds = await openPds();
});
afterAll(async () => {
  footage?.[Symbol.dispose]();
  await pds?.[Symbol.asyncDispose]();
});

async function openRig(handle = "mika.test") {
  const service = await openVideoService(pds.certificates, pds.local);
  const account = pds.accounts.find((each) => each.handle === handle) ?? assert.fail();
  const rig = openBluesky(pds, account, { videoService: service.url });
  return {
    ...rig,
    service,
    post: postWith({ media: footage.clip, altText: "A dragon falls" }),
    async [Symbol.asyncDispose]() {
      await rig[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

const embedOf = (stored: Readonly<Record<string, unknown>>) =>
  stored.embed as { $type: string; alt: string; aspectRatio: object; video: { mimeType: string; size: number } };

test("a clip is uploaded through the video service to the account's server, with its description and shape", {
  skip,
}, async () => {
  await using rig = await openRig();
  const look = await rig.bluesky.checkAccount(rig.access, rig.needs);
  assert.match(textOf(look.checked[1]?.says ?? ""), /^24 more/);
  const once = await rig.once(rig.post);
  const { $type, alt, aspectRatio, video } = embedOf(await rig.stored(once));
  const { bytes, width, height } = footage.clip;
  assert.deepEqual(
    [$type, alt, aspectRatio, video.mimeType, video.size],
    ["app.bsky.embed.video", "A dragon falls", { width, height }, "video/mp4", bytes],
  );
  assert.deepEqual(
    rig.service.uploads.map((each) => [each.bytes, each.type]),
    [[bytes, "video/mp4"]],
  );
  assert.equal(once.progress.at(-1), 1);
  // The service already has this file, and names the earlier job.
  linkOf(await rig.once(postWith({ media: footage.clip }), { blob: "", job: "" }));
});

test("an attempt that ended while the video was prepared is continued without another upload", { skip }, async () => {
  await using rig = await openRig();
  const end = new AbortController();
  rig.service.onAsked = () => end.abort();
  const first = await rig.once(rig.post, {}, end.signal);
  assert.deepEqual([first.outcome.outcome, first.committed, rig.remembered().job], ["lost", 0, "job0"]);
  linkOf(await rig.once(rig.post));
  assert.equal(rig.service.uploads.length, 1);
});

test("a video that failed to prepare is tried again, and an invalid video is refused", { skip }, async () => {
  await using rig = await openRig();
  rig.service.ends.push("fails", "forgotten", "invalid");
  assert.equal((await rig.once(rig.post)).outcome.outcome, "later");
  assert.match(saysOf(await rig.once(rig.post)), /no longer knows/);
  assert.equal((await rig.once(rig.post)).outcome.outcome, "refused");
  assert.deepEqual([rig.service.uploads.length, rig.called("com.atproto.repo.putRecord")], [3, 0]);
});

test("a refusal of the video service leads to a wait, a stopped account or a direct upload to the server", {
  skip,
}, async () => {
  await using rig = await openRig();
  const refuse = (status: number, body: unknown) => void rig.service.refusals.push({ status, body });
  refuse(429, { error: "RateLimitExceeded", message: "" });
  refuse(502, "<html>");
  refuse(400, { jobStatus: { did: "", error: "unconfirmed_email", jobId: "", state: "" } });
  assert.equal((await rig.once(rig.post)).outcome.outcome, "later");
  assert.equal((await rig.once(rig.post)).outcome.outcome, "later");
  const refused = await rig.once(rig.post);
  assert.equal(refused.outcome.outcome, "stopped");
  assert.match(saysOf(refused), /Confirm it in Bluesky/);
  refuse(400, { error: "InvalidRequest", message: "unknown server" });
  assert.equal(embedOf(await rig.stored(await rig.once(rig.post))).video.size, footage.clip.bytes);
  assert.equal(rig.called("com.atproto.repo.uploadBlob"), 1);
});
