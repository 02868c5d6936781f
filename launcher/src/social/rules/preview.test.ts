// Tests of previews: the text that would be sent, its length and its problems. Nothing is stored.
import assert from "node:assert/strict";
import { networks, textOf } from "@kit/contract";
import { test } from "vitest";
import { openPostsFolder } from "../../../test/social/posts-folder.ts";
import { networkTitle } from "../text-fit.ts";

test("a preview without accounts covers every connected account and all other networks, otherwise only the given accounts", async () => {
  await using folder = await openPostsFolder();
  const previews = await folder.preview({ text: "{{event}} in {{game}}, {{clipLength}}" });
  assert.deepEqual(
    previews.map(({ network, account, name, text }) => [network, account, name, text]),
    [
      ["discord", "discord-clips", "clips", "Boss defeated in My Game, 17 s"],
      ["bluesky", "bluesky-mika", "mika", "Boss defeated in My Game, 17 s"],
      ...networks.slice(2).map((kind) => [kind, null, textOf(networkTitle(kind)), "Boss defeated in My Game, 17 s"]),
    ],
  );
  assert.ok(previews.some(({ name }) => name === "the webhook"));
  const [only, ...more] = await folder.preview({ text: "{{event}}", accounts: ["bluesky-mika"], eventId: "saga_end" });
  assert.deepEqual([only?.text, only?.length, only?.problems, more], ["End", 3, [], []]);
  const unseen = { eventId: "big_saga_boss_defeated", game: "big_saga", accounts: ["bluesky-mika"] };
  assert.equal(
    (await folder.preview({ text: "{{event}} in {{game}}", ...unseen }))[0]?.text,
    "Boss defeated in Big Saga",
  );
  await assert.rejects(folder.preview({ text: "", accounts: ["nobody"] }), /no such account/);
  assert.deepEqual(await folder.all(), []);
});

test("a text that is too long is reported with the account, the excess and the remedy, and the content warning counts", async () => {
  await using folder = await openPostsFolder();
  const accounts = ["discord-clips", "bluesky-mika"];
  const [discord, bluesky] = await folder.preview({ text: "x".repeat(299), contentWarning: "Spoilers", accounts });
  assert.deepEqual(discord?.problems, []);
  assert.equal(bluesky?.length, 308);
  assert.deepEqual(bluesky?.problems.map(textOf), [
    "For mika the text is 8 characters too long (Bluesky takes 300 characters): shorten it.",
  ]);
});

test("the text of a post is used unchanged, and the invalid text of a rule is refused", async () => {
  await using folder = await openPostsFolder();
  const [own] = await folder.preview({ text: "I said {{boss}}", filled: true });
  assert.equal(own?.text, "I said {{boss}}");
  await assert.rejects(folder.preview({ text: "I said {{boss}}" }), /^KitError: text names/);
  await assert.rejects(folder.preview({ text: "", altText: "{{" }), /^KitError: altText opens/);
});
