// Tests of the picture of a post.
import assert from "node:assert/strict";
import { test } from "vitest";
import { openPostsFolder, savedClip, triggerOf } from "../../../test/social/posts-folder.ts";
import { createPostMedia } from "./post-media.ts";

const clipFile = {
  id: "c1",
  kind: "clip",
  path: "c1.mp4",
  bytes: 9,
  seconds: 17,
  width: 640,
  height: 360,
  poster: null,
  momentPart: null,
  pictureSeconds: null,
} as const;

test("the picture of a post is the poster of its clip, and a frame of the clip while that has none yet", async () => {
  await using folder = await openPostsFolder();
  await folder.addRule({ text: "{{event}}" });
  const entry = triggerOf("saga_boss");
  await folder.take(entry);
  folder.world.footage.set(entry.event.id, savedClip("c1"));
  folder.footage.checkWaiting();
  const { id } = await folder.post(({ footage }) => footage.state === "ready");
  const posters = new Map<string, string>();
  const media = createPostMedia({
    find: folder.posts.get,
    footageOf: async () => ({ state: "saved", ...clipFile }),
    parts: {
      video: () => assert.fail("no video was requested"),
      picture: async (clip, atSeconds) => `${clip} at ${atSeconds}`,
    },
    posterOf: async (clip) => posters.get(clip),
  });
  const picture = async () => (await media.picture(id, AbortSignal.timeout(10_000))).path;
  assert.equal(await picture(), "c1 at 0");
  posters.set("c1", "c1.jpg");
  assert.equal(await picture(), "c1.jpg");
});
