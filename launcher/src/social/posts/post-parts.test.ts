// Tests of the part of a clip that a post carries: the seconds of its moment, unless a person chooses others, and never other than shown.
import assert from "node:assert/strict";
import { KitError } from "@kit/contract";
import { test } from "vitest";
import { openPostsFolder, savedClip, triggerOf } from "../../../test/social/posts-folder.ts";
import type { EventFootage } from "./post-footage.ts";

const around = { fromSeconds: 20, toSeconds: 37 };

/** A draft of an event whose moment is in the last seconds of a clip of 41 seconds. */
async function openWithLongClip() {
  const folder = await openPostsFolder();
  await folder.addRule({ text: "{{event}} {{clipLength}}" });
  const entry = triggerOf("saga_boss");
  await folder.take(entry);
  const setFootage = (footage: EventFootage) => {
    folder.world.footage.set(entry.event.id, footage);
    folder.footage.checkWaiting();
  };
  const clip = savedClip("c1", 41);
  if (clip.state === "saved") setFootage({ ...clip, momentPart: around, pictureSeconds: 32 });
  const draft = await folder.post(({ footage }) => footage.state === "ready");
  return Object.assign(folder, { draft, setFootage });
}

test("a post of a longer clip carries the seconds of its moment, and its text names their length", async () => {
  await using folder = await openWithLongClip();
  const { text, footage } = folder.draft;
  assert.deepEqual([text, footage.part, footage.seconds, footage.clipSeconds], ["Boss 17 s", around, 17, 41]);
  const approved = await folder.posts.approve(folder.draft.id);
  assert.deepEqual([approved.state, approved.footage.part], ["approved", around]);
});

test("a person chooses the whole clip, other seconds, and those of the moment again", async () => {
  await using folder = await openWithLongClip();
  const { id } = folder.draft;
  const whole = await folder.posts.change(id, { part: null });
  assert.deepEqual([whole.text, whole.footage.part, whole.footage.seconds], ["Boss 41 s", null, 41]);
  const part = { fromSeconds: 30, toSeconds: 36.5 };
  const other = await folder.posts.change(id, { part });
  assert.deepEqual([other.text, other.footage.part, other.footage.momentPart], ["Boss 7 s", part, around]);
  assert.deepEqual((await folder.posts.approve(id)).footage.part, part);
  await folder.posts.undo(id);
  assert.deepEqual((await folder.posts.get(id)).footage.part, part);
  assert.equal((await folder.posts.change(id, { part: around })).text, "Boss 17 s");
});

test("a part that is too short or ends after the clip is refused with its field", async () => {
  await using folder = await openWithLongClip();
  const refusal = (part: { fromSeconds: number; toSeconds: number }) =>
    folder.posts.change(folder.draft.id, { part }).then(
      () => assert.fail("it was accepted"),
      (error: unknown) => error instanceof KitError && error.errors.map(({ path }) => path),
    );
  assert.deepEqual(await refusal({ fromSeconds: 3, toSeconds: 3.4 }), ["/part/toSeconds"]);
  assert.deepEqual(await refusal({ fromSeconds: 30, toSeconds: 42 }), ["/part/toSeconds"]);
  await folder.posts.change(folder.draft.id, { attach: "none" });
  await assert.rejects(folder.posts.change(folder.draft.id, { part: around }), /Only a post with a finished clip/);
});

test("a draft whose clip has changed since it was shown is not approved, and shows the new clip", async () => {
  await using folder = await openWithLongClip();
  folder.setFootage(savedClip("c2", 9));
  await assert.rejects(folder.posts.approve(folder.draft.id), /not the one that the draft showed/);
  const { state, footage, text } = await folder.posts.get(folder.draft.id);
  assert.deepEqual([state, footage.clip, footage.part, text], ["draft", "c2", null, "Boss 9 s"]);
  assert.equal((await folder.posts.approve(folder.draft.id)).state, "approved");
});

test("an approval keeps the part that the draft showed, even if the rule of the moment changed since", async () => {
  await using folder = await openWithLongClip();
  const clip = savedClip("c1", 41);
  const later = { fromSeconds: 30, toSeconds: 34 };
  if (clip.state === "saved") folder.setFootage({ ...clip, momentPart: later, pictureSeconds: 32 });
  assert.deepEqual((await folder.posts.approve(folder.draft.id)).footage.part, around);
});
