// A preview is what would be sent, counted as it would be counted; nothing is kept of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { networks, textOf } from "@kit/contract";
import { openPostsFolder } from "../../../test/social/posts-folder.ts";
import { networkTitle } from "../text-fit.ts";

test("without accounts there is one of each network, connected or not; with accounts one of each of them", async () => {
  await using folder = await openPostsFolder();
  const previews = await folder.preview({ text: "{{event}} in {{game}}, {{clipLength}}" });
  assert.deepEqual(
    previews.map(({ network, account, name, text }) => [network, account, name, text]),
    [
      ["discord", "discord-clips", "clips", "boss defeated in my game, 17 s"],
      ["bluesky", "bluesky-mika", "mika", "boss defeated in my game, 17 s"],
      ...networks.slice(2).map((kind) => [kind, null, textOf(networkTitle(kind)), "boss defeated in my game, 17 s"]),
    ],
  );
  assert.ok(previews.some(({ name }) => name === "the webhook"));
  const [only, ...more] = await folder.preview({ text: "{{event}}", accounts: ["bluesky-mika"], eventId: "saga_end" });
  assert.deepEqual([only?.text, only?.length, only?.problems, more], ["end", 3, [], []]);
  await assert.rejects(folder.preview({ text: "", accounts: ["nobody"] }), /no such account/);
  assert.deepEqual(await folder.all(), []);
});

test("what is too long says where, by how much and what to do; the warning counts where it is part of the text", async () => {
  await using folder = await openPostsFolder();
  const accounts = ["discord-clips", "bluesky-mika"];
  const [discord, bluesky] = await folder.preview({ text: "x".repeat(299), contentWarning: "Spoilers", accounts });
  assert.deepEqual(discord?.problems, []);
  assert.equal(bluesky?.length, 308);
  assert.deepEqual(bluesky?.problems.map(textOf), [
    "For mika the text is 8 characters too long (Bluesky takes 300 characters): shorten it.",
  ]);
});

test("a post's own text is taken as it is, braces and all; a rule's is refused when it is broken", async () => {
  await using folder = await openPostsFolder();
  const [own] = await folder.preview({ text: "I said {{boss}}", filled: true });
  assert.equal(own?.text, "I said {{boss}}");
  await assert.rejects(folder.preview({ text: "I said {{boss}}" }), /^KitError: \/text names/);
  await assert.rejects(folder.preview({ text: "", altText: "{{" }), /^KitError: \/altText opens/);
});
