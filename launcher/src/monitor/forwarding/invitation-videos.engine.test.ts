// Tests, with a real S3 store, that videos of an invitation wait until a user enters the keys of its bucket.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Invitation, textOf } from "@kit/contract";
import { test } from "vitest";
import { skipWithout } from "../../../../tools/engines/locate.ts";
import { openBucketServer } from "../../../test/monitor/bucket-server.ts";
import { openVideoFolder } from "../../../test/monitor/video-folder.ts";

test("videos of an invitation's bucket wait for its keys, and go nowhere else meanwhile", {
  skip: skipWithout("Swift"),
}, async () => {
  await using store = await openBucketServer();
  await using folder = await openVideoFolder();
  await folder.remove(folder.id);
  const invitation: Invitation = {
    version: 1,
    studio: "Lantern Games",
    text: "",
    kind: "sentry",
    address: folder.dsn,
    game: null,
    environment: null,
    asks: ["videos"],
    bucket: store.settings,
  };
  const { id } = await folder.accept({
    invitation,
    reports: true,
    earlierEvents: false,
    installation: false,
    videos: true,
  });
  const event = await folder.report("No key");
  folder.save(event, 25_000);
  folder.clipsChanged();
  const state = await folder.videos(({ stopped }) => stopped !== null);
  assert.deepEqual(
    [textOf(state?.stopped ?? ""), state?.waiting],
    ["The keys of the bucket are missing. Enter them.", 1],
  );
  assert.deepEqual([folder.uploads().length, store.requests.length], [0, 0]);
  await folder.change(id, { bucket: { ...store.settings, ...store.keys } });
  await folder.videos(({ sent }) => sent === 1);
  const clip = folder.clips.get(event);
  const file = clip?.state === "saved" ? readFileSync(clip.path) : assert.fail();
  assert.deepEqual(await store.object(`${createHash("sha256").update(file).digest("hex")}.mp4`), file);
  assert.equal(folder.uploads().length, 0, "nothing was attached");
});
