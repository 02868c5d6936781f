// Tests of posts from a whole launcher: an account, a rule, a trigger, and the request that real servers receive.
import assert from "node:assert/strict";
import { type NewPostRule, textOf } from "@kit/contract";
import { afterAll, test } from "vitest";
import { launcherOfFile } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";
import { postingOf } from "./social-launcher.ts";
import { discordUrl, serveDiscord, serveWebhook, webhookSecret } from "./stand-ins.ts";

const launcher = await launcherOfFile();
const discord = await serveDiscord();
const webhook = await serveWebhook();
afterAll(async () => {
  await discord[Symbol.asyncDispose]();
  await webhook[Symbol.asyncDispose]();
});
const posting = postingOf(launcher);
await posting.set({ undoSeconds: 0 });
let channel = "";
let receiver = "";

/** Sends a trigger with its own rule, because a rule has a cooldown. Returns the draft. */
async function draftOf(pattern: string, more: Partial<NewPostRule> = {}) {
  await posting.addRule({ pattern, accounts: [channel], attach: "none", ...more });
  const event = await posting.trigger(pattern);
  const { id } = await posting.postOf(event, ({ state }) => state === "draft");
  return { event, id };
}

test("a trigger becomes a draft with the text of its rule, and after approval it is sent once, with its link", async () => {
  const url = discordUrl(discord);
  const { account } = await posting.connect({ network: "discord", fields: { url } });
  channel = account.id;
  assert.deepEqual([account.name, account.host, account.kept], ["Boss log", new URL(url).host, "file"]);
  await posting.addRule({ pattern: "saga_*", accounts: [channel], text: "{{event}}!", attach: "none" });
  const event = await posting.trigger("saga_boss_defeated");
  const draft = await posting.postOf(event, ({ state }) => state === "draft");
  assert.deepEqual([draft.text, draft.deliveries.length, discord.standIn.made], ["Boss defeated!", 1, 0]);
  await posting.edit(draft.id, { text: "The boss is down" });
  await posting.decide(draft.id, "approve");
  const { deliveries } = await posting.postOf(event, ({ state }) => state === "sent");
  const [message] = discord.standIn.messages;
  const page = `${discord.origin}/channels/${discord.standIn.guild}/${discord.standIn.channel}/${message?.id}`;
  assert.deepEqual([deliveries[0]?.state, deliveries[0]?.link, deliveries[0]?.tries], ["sent", page, 1]);
  assert.deepEqual([discord.standIn.made, message?.body.content], [1, "The boss is down"]);
  const said = await posting.receiptStates(event);
  assert.equal(said.at(-1), "sent: to 1 account");
  assert.deepEqual(
    said.map((entry) => entry.split(":")[0]),
    ["drafted", "approved", "sent"],
  );
});

test("an undone approval is not sent, and an automatic rule sends without asking", async () => {
  await posting.set({ undoSeconds: 600 });
  const { event: undone, id } = await draftOf("saga_undone");
  assert.equal((await posting.decide(id, "approve")).state, "approved");
  assert.equal((await posting.decide(id, "undo")).state, "draft");
  await posting.set({ undoSeconds: 0 });
  const fields = { url: `${webhook.origin}/posts`, secret: webhookSecret };
  const { account } = await posting.connect({ network: "webhook", fields, name: "Archive" });
  receiver = account.id;
  const rule = { pattern: "quest_*", attach: "none", approval: "automatic" } as const;
  await posting.addRule({ ...rule, accounts: [receiver], text: "{{eventId}}" });
  const event = await posting.trigger("quest_won");
  await posting.postOf(event, ({ state }) => state === "sent");
  assert.deepEqual(
    webhook.standIn.taken.map(({ payload }) => payload.data.text),
    ["quest_won"],
  );
  assert.equal((await posting.postOf(undone, () => true)).state, "draft");
  assert.equal(discord.standIn.made, 1);
});

test("a post whose footage is missing asks, and is not sent without it automatically", async () => {
  const rule = { pattern: "film_*", text: "{{event}}", approval: "automatic" } as const;
  await posting.addRule({ ...rule, accounts: [receiver], attach: "clip" });
  const event = await posting.trigger("film_won");
  const asking = await posting.postOf(event, ({ asks }) => asks !== null);
  assert.deepEqual([asking.state, asking.footage.state], ["draft", "missing"]);
  await posting.edit(asking.id, { attach: "none" });
  await posting.decide(asking.id, "approve");
  await posting.postOf(event, ({ state }) => state === "sent");
  assert.equal(webhook.standIn.taken.at(-1)?.payload.data.media, null);
});

test("a request without an answer is reported as unsure, even after a restart, and a person has it sent again", async () => {
  discord.wire.act = ({ socket }) => socket.destroy();
  const { event, id } = await draftOf("saga_unanswered", { text: "{{event}}!" });
  await posting.decide(id, "approve");
  await posting.postOf(event, ({ state }) => state === "unsure");
  discord.wire.act = null;
  await launcher.restart();
  const unsure = await posting.postOf(event, ({ state }) => state === "unsure");
  assert.match(textOf(unsure.deliveries[0]?.says ?? ""), /The post may have arrived/);
  await posting.settle(id, channel, "again");
  await posting.postOf(event, ({ state }) => state === "sent");
  assert.equal(discord.standIn.messages.at(-1)?.body.content, "Unanswered!");
});

test("the rate limit of a network is respected, even after a restart", async () => {
  discord.standIn.remaining = 0;
  const { event, id } = await draftOf("saga_limited");
  const before = discord.requests.length;
  await posting.decide(id, "approve");
  await until("a request", () => discord.requests.length > before);
  await launcher.restart();
  discord.standIn.remaining = 10;
  await posting.postOf(event, ({ state }) => state === "sent");
  const [limited, next] = discord.requests.slice(before).map(({ atMs }) => atMs) as [number, number];
  assert.ok(next - limited > 1_500, "the two seconds that it required");
});

test("a post to a forum begins a thread with the title of its event, and the next one needs no second request", async () => {
  discord.standIn.isForum = true;
  const asked = discord.requests.length;
  for (const [n, pattern] of ["saga_forum_found", "saga_forum_won"].entries()) {
    const { event, id } = await draftOf(pattern);
    await posting.decide(id, "approve");
    const { deliveries } = await posting.postOf(event, ({ state }) => state === "sent");
    const { thread, body } = discord.standIn.messages.at(-1) ?? {};
    assert.deepEqual([body?.thread_name, deliveries[0]?.tries], [n === 0 ? "Forum found" : "Forum won", 1]);
    assert.ok(deliveries[0]?.link?.includes(`/${thread}/`));
  }
  assert.equal(discord.requests.length - asked, 3);
  discord.standIn.isForum = false;
});

test("removing an account deletes its secret", async () => {
  assert.equal((await launcher.api("DELETE", `/api/accounts/${receiver}`)).status, 204);
  assert.deepEqual(
    (await posting.accounts()).map(({ id }) => id),
    [channel],
  );
  assert.equal((await launcher.api("POST", `/api/accounts/${receiver}/test`)).status, 404);
});
