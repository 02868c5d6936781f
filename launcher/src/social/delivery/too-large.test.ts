// Tests of a file that a network refuses as too large (413): a smaller copy is made once, and then a person decides.
import assert from "node:assert/strict";
import { test } from "vitest";
import {
  afterCommitting,
  noAnswer,
  type OutboxFolder,
  openOutboxFolder,
  saying,
} from "../../../test/social/outbox-folder.ts";
import type { FootageFile } from "./prepare-media.ts";

const tooLarge = afterCommitting(() => ({ outcome: "refused", says: saying("Too large (413)."), isTooLarge: true }));
const shown = { attach: "clip", footage: "ready" } as const;

/** Opens an account and a clip of this size. A copy is as large as it may be. */
async function openWithClip(bytes = 8_000): Promise<OutboxFolder & { readonly id: string }> {
  const folder = await openOutboxFolder();
  const { fit } = folder;
  folder.footage = { ...folder.footage, bytes } as FootageFile;
  folder.fit = async (media, bounds, options) => {
    const made = await fit(media, bounds, options);
    return { ...made, bytes: Math.min(bytes, bounds.bytesMax) };
  };
  return Object.assign(folder, { id: await folder.account("one") });
}
const sentBytes = ({ networks }: OutboxFolder) => networks.discord.seen.map(({ post }) => post.media?.bytes);

test("a file that is refused as too large is made smaller and sent, without a person and without an error", async () => {
  await using folder = await openWithClip();
  folder.networks.discord.script = [tooLarge];
  const post = await folder.approve([folder.id], shown);
  const { notes, says } = await folder.deliveryIs(post, folder.id, "sent");
  assert.deepEqual(sentBytes(folder), [8_000, 4_000]);
  assert.deepEqual([says, notes], [null, ["made smaller than 0.0 MB, because the server refused a larger file"]]);
  const account = await folder.accountIs(folder.id, ({ sent }) => sent === 1);
  assert.deepEqual([account.lastError, folder.shared], [null, ["clip-1"]]);
});

test("the smaller copy has the size that the network names, if the refused file was larger", async () => {
  await using folder = await openWithClip();
  Object.assign(folder.networks.discord, { smallerBytes: 5_000 });
  folder.networks.discord.script = [tooLarge];
  const post = await folder.approve([folder.id], shown);
  await folder.deliveryIs(post, folder.id, "sent");
  assert.deepEqual(sentBytes(folder), [8_000, 5_000]);
});

test("a second refusal is an error that names both, and if a person sends it again, the text is posted alone", async () => {
  await using folder = await openWithClip();
  folder.networks.discord.script = [tooLarge, tooLarge];
  const post = await folder.approve([folder.id], shown);
  const { says } = await folder.deliveryIs(post, folder.id, "failed");
  assert.equal(
    says,
    "Too large (413). A copy of at most 0.0 MB was refused too. Nothing was posted. If you send it again, it is posted without a clip.",
  );
  assert.deepEqual(sentBytes(folder), [8_000, 4_000]);
  assert.equal(await folder.receipt(post), `failed: Main: ${says}`);
  await folder.outbox.settle(post, folder.id, "again");
  const { notes } = await folder.deliveryIs(post, folder.id, "sent");
  assert.deepEqual(sentBytes(folder).at(-1), undefined);
  assert.deepEqual(notes, ["posted without its clip: the server refused the file twice because of its size"]);
});

test("after a restart the smaller copy is still the only one, and a lost answer to it is not repeated", async () => {
  await using folder = await openWithClip();
  const { fit } = folder;
  const begun = Promise.withResolvers<void>();
  folder.networks.discord.script = [tooLarge, noAnswer];
  folder.fit = async (media, bounds, options) => {
    if (bounds.bytesMax < 8_000) {
      begun.resolve();
      await new Promise((_, reject) => options.signal.addEventListener("abort", () => reject(options.signal.reason)));
    }
    return fit(media, bounds, options);
  };
  const post = await folder.approve([folder.id], shown);
  await begun.promise;
  folder.fit = fit;
  await folder.restart();
  await folder.deliveryIs(post, folder.id, "maybe");
  assert.deepEqual(sentBytes(folder), [8_000, 4_000]);
});

test("a post without a file that is refused as too large fails", async () => {
  await using folder = await openWithClip();
  folder.networks.discord.script = [tooLarge];
  const post = await folder.approve([folder.id]);
  const { says } = await folder.deliveryIs(post, folder.id, "failed");
  assert.equal(says, "Too large (413).");
});
