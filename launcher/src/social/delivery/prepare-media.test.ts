// Tests of the media of a delivery: the promised media within the account's limits, or nothing until a person decides.
import assert from "node:assert/strict";
import { textOf } from "@kit/contract";
import { test } from "vitest";
import { type OutboxFolder, openOutboxFolder } from "../../../test/social/outbox-folder.ts";
import { until } from "../../../test/support/until.ts";
import type { FootageFile } from "./prepare-media.ts";

class CannotFit extends Error {
  override name = "CannotFit";
}

async function openWithClip(): Promise<OutboxFolder & { readonly id: string }> {
  const folder = await openOutboxFolder();
  return Object.assign(folder, { id: await folder.account("one") });
}
const shown = { attach: "clip", footage: "ready" } as const;
const lastMedia = (folder: OutboxFolder) => folder.networks.discord.seen.at(-1)?.post.media;
/** Makes every clip fail to fit. Pictures still fit. */
function noClipFits(folder: OutboxFolder): void {
  const { fit } = folder;
  folder.fit = async (media, ...rest) => {
    if (media.kind === "clip") throw new CannotFit("It does not come out below 10 kB.");
    return fit(media, ...rest);
  };
}

test("a clip is converted to fit the account, sent, and marked as shared", async () => {
  await using folder = await openWithClip();
  const { fit } = folder;
  folder.fit = async (...asked) => ({ ...(await fit(...asked)), path: "/fitted/1.mp4", notes: ["10 of 12 s"] });
  const post = await folder.approve([folder.id], shown);
  const { notes } = await folder.deliveryIs(post, folder.id, "sent");
  const { kind, path, mime } = lastMedia(folder) ?? {};
  assert.deepEqual([kind, path, mime, notes], ["clip", "/fitted/1.mp4", "video/mp4", ["10 of 12 s"]]);
  assert.deepEqual(folder.fitted, [{ path: "/clips/1.mp4", bytesMax: 10_000 }]);
  await until("the clip is marked as shared", () => folder.shared.length > 0);
  assert.deepEqual(folder.shared, ["clip-1"]);
});

test("a clip is converted within all limits that the network has for videos", async () => {
  await using folder = await openWithClip();
  const video = { videoSecondsMax: 60, videoPixelsMax: 2_304_000, videoFrameRateMax: 60 };
  const { bluesky } = folder.networks;
  bluesky.limits = { ...bluesky.limits, ...video };
  const limited = await folder.account("two", "bluesky");
  const asked: object[] = [];
  const { fit } = folder;
  folder.fit = (media, bounds, options) => {
    asked.push(bounds);
    return fit(media, bounds, options);
  };
  const post = await folder.approve([limited], shown);
  await folder.deliveryIs(post, limited, "sent");
  assert.deepEqual(asked, [{ bytesMax: 10_000, secondsMax: 60, pixelsMax: 2_304_000, frameRateMax: 60 }]);
});

test("for an account that takes neither videos nor pictures nothing is converted, and a person decides", async () => {
  await using folder = await openWithClip();
  const { bluesky } = folder.networks;
  bluesky.limits = { ...bluesky.limits, videoBytesMax: 0, imageBytesMax: 0 };
  const textOnly = await folder.account("two", "bluesky");
  const post = await folder.approve([textOnly], shown);
  const { says } = await folder.deliveryIs(post, textOnly, "failed");
  assert.match(textOf(says ?? ""), /does not accept videos from this account/);
  assert.deepEqual(folder.fitted, []);
});

test("a delivery reports progress while its clip is converted, and none afterwards", async () => {
  await using folder = await openWithClip();
  const { fit } = folder;
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  folder.fit = async (media, limits, options) => {
    options.onProgress(0.4);
    begun.resolve();
    await go.promise;
    return fit(media, limits, options);
  };
  const post = await folder.approve([folder.id], shown);
  await begun.promise;
  assert.equal(folder.outbox.progressOf(post, folder.id), 0.4);
  assert.equal((await folder.delivery(post, folder.id)).state, "preparing");
  go.resolve();
  await folder.deliveryIs(post, folder.id, "sent");
  assert.equal(folder.outbox.progressOf(post, folder.id), null);
});

test("a clip that cannot fit is not posted; if a person sends it again, a picture is posted instead", async () => {
  await using folder = await openWithClip();
  noClipFits(folder);
  const post = await folder.approve([folder.id], shown);
  const { says } = await folder.deliveryIs(post, folder.id, "failed");
  assert.equal(
    says,
    "It does not come out below 10 kB. Nothing was posted. If you send it again, it is posted with a picture instead.",
  );
  assert.equal(folder.networks.discord.seen.length, 0);
  await folder.outbox.settle(post, folder.id, "again");
  const { notes } = await folder.deliveryIs(post, folder.id, "sent");
  assert.equal(lastMedia(folder)?.path, "/posters/1.jpg");
  assert.deepEqual(notes, ["a picture instead of its clip: It does not come out below 10 kB."]);
});

test("a rule that allows it posts a picture or nothing instead of the clip, and notes which", async () => {
  await using folder = await openWithClip();
  noClipFits(folder);
  const first = await folder.approve([folder.id], { ...shown, without: "post" });
  assert.match((await folder.deliveryIs(first, folder.id, "sent")).notes.join(), /a picture instead of its clip/);
  folder.footage = { state: "none", reason: "its clip was deleted" };
  const second = await folder.approve([folder.id], { ...shown, without: "post" });
  const { notes } = await folder.deliveryIs(second, folder.id, "sent");
  assert.deepEqual(
    [lastMedia(folder), notes],
    [null, ["posted without its clip: The clip is no longer available: its clip was deleted."]],
  );
});

for (const { name, attach, footage, path, says } of [
  { name: "a screenshot is taken from the clip", attach: "screenshot", footage: {}, path: "/posters/1.jpg" },
  {
    name: "a clip without a picture is not posted as a screenshot",
    attach: "screenshot",
    footage: { poster: null },
    says: /no picture\. Nothing was posted\. If you send it again, it is posted without a screenshot\./,
  },
  {
    name: "a screenshot is not posted as a clip",
    attach: "clip",
    footage: { kind: "screenshot" },
    says: /no clip\. Nothing was posted\. If you send it again, it is posted with a picture instead\./,
  },
] as const) {
  test(name, async () => {
    await using folder = await openWithClip();
    folder.footage = { ...folder.footage, ...footage } as FootageFile;
    const post = await folder.approve([folder.id], { attach, footage: "ready" });
    const { says: said } = await folder.deliveryIs(post, folder.id, path === undefined ? "failed" : "sent");
    assert.match(said ?? "", says ?? /^$/);
    assert.equal(lastMedia(folder)?.path, path);
  });
}

test("a failed conversion is tried again, and a delivery waits for a clip that is still being made", async () => {
  await using folder = await openWithClip();
  const { fit, footage } = folder;
  folder.fit = async () => {
    throw new Error("no ffmpeg");
  };
  const post = await folder.approve([folder.id], shown);
  const account = await folder.accountIs(folder.id, ({ waitsBecause }) => waitsBecause === "failure");
  assert.equal(textOf(account.lastError ?? ""), "The clip could not be converted.");
  folder.fit = fit;
  folder.footage = { state: "pending" };
  await folder.advance(3_600_000);
  await folder.idle();
  assert.equal((await folder.delivery(post, folder.id)).state, "waiting");
  folder.footage = footage;
  await folder.restart();
  await folder.deliveryIs(post, folder.id, "sent");
});

test("after three failed conversions a person decides", async () => {
  await using folder = await openWithClip();
  const { fit } = folder;
  let asked = 0;
  folder.fit = async (media, ...rest) => {
    if (media.kind === "screenshot") return fit(media, ...rest);
    asked += 1;
    throw new Error("ffmpeg crashed");
  };
  const post = await folder.approve([folder.id], shown);
  for (const times of [1, 2]) {
    await folder.accountIs(folder.id, ({ waitsBecause }) => asked === times && waitsBecause === "failure");
    await folder.advance(3_600_000);
  }
  assert.match(
    (await folder.deliveryIs(post, folder.id, "failed")).says ?? "",
    /^It could not be converted to fit the network\. Nothing/,
  );
  await folder.outbox.settle(post, folder.id, "again");
  await folder.deliveryIs(post, folder.id, "sent");
  assert.deepEqual([asked, lastMedia(folder)?.path], [4, "/posters/1.jpg"]);
});

test("a delivery stopped during the conversion waits and counts no attempt", async () => {
  await using folder = await openWithClip();
  const { fit } = folder;
  const begun = Promise.withResolvers<void>();
  folder.fit = (_, __, { signal }) => {
    begun.resolve();
    return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  const post = await folder.approve([folder.id], shown);
  await begun.promise;
  await folder.outbox.stop();
  assert.equal((await folder.delivery(post, folder.id)).state, "waiting");
  folder.fit = fit;
  await folder.restart();
  await folder.deliveryIs(post, folder.id, "sent");
});

test("the part that the draft showed is cut and sent, and not the whole clip", async () => {
  await using folder = await openWithClip();
  const post = await folder.approve([folder.id], { ...shown, part: { fromSeconds: 4, toSeconds: 9 } });
  await folder.deliveryIs(post, folder.id, "sent");
  assert.deepEqual([lastMedia(folder)?.path, lastMedia(folder)?.seconds], ["clip-1 4-9", 5]);
});

test("a clip that is not the one that the draft showed is not posted, and a person decides", async () => {
  await using folder = await openWithClip();
  if (folder.footage.state === "saved") folder.footage = { ...folder.footage, id: "clip-2" };
  const post = await folder.approve([folder.id], shown);
  const { says } = await folder.deliveryIs(post, folder.id, "failed");
  assert.match(says ?? "", /its clip is not the one that the draft showed\. Nothing was posted/);
  assert.equal(folder.networks.discord.seen.length, 0);
});
