// Tests of posts to a Discord channel by its webhook: within its limits, without mentions, never repeated automatically.

import assert from "node:assert/strict";
import { KitError, textOf } from "@kit/contract";
import { test } from "vitest";
import { skipWithout } from "../../../../../tools/engines/locate.ts";
import { createOutbound } from "../../../outbound/outbound.ts";
import { makeCertificates } from "../test/certificates.ts";
import { contextOf, makeMedia, outgoing, tryOnce } from "../test/try-once.ts";
import { answerWith, startWire } from "../test/wire.ts";
import { discord, parseWebhookUrl } from "./discord.ts";
import { discordMessage } from "./messages.ts";
import { createDiscordStandIn } from "./test/stand-in.ts";

const skip = skipWithout("OpenSSL");
const certificates = skip === false ? makeCertificates() : undefined;

async function start(query = "") {
  assert.ok(certificates);
  const reach = createOutbound({ ca: certificates.ca });
  const channel = createDiscordStandIn();
  const wire = await startWire(channel, certificates);
  const url = `${wire.origin}${channel.path}${query}`;
  const { needs } = contextOf({ reach });
  const { credentials, shown, checked } = await discord.connect({ url: url.replace("/v10", "") }, needs);
  return {
    reach,
    needs,
    channel,
    wire,
    url,
    access: credentials,
    shown,
    checked,
    async [Symbol.asyncDispose]() {
      await reach.close();
      await wire[Symbol.asyncDispose]();
    },
  };
}

test("connecting asks Discord for the webhook, posts nothing, and shows nothing of the token", { skip }, async () => {
  await using there = await start();
  const { host } = new URL(there.wire.origin);
  const { guild, channel } = there.channel;
  assert.deepEqual(there.shown, {
    name: "Boss log",
    host,
    link: `${there.wire.origin}/channels/${guild}/${channel}`,
    limits: discord.limits,
  });
  assert.deepEqual([there.checked.map(({ ok }) => ok), there.channel.made], [[true, true], 0]);
  assert.match(textOf(there.checked[1]?.says ?? ""), /^Not tried.*forum/);
  assert.doesNotMatch(JSON.stringify([there.shown, there.checked]), /t0-ken/);
  const looked = await discord.checkAccount(there.access, there.needs);
  assert.deepEqual([looked.outcome.outcome, looked.shown, there.channel.made], ["sent", there.shown, 0]);
});

test("a post arrives with its clip and description, mentions nobody, and its link is known", { skip }, async () => {
  await using there = await start();
  using made = makeMedia(discord.limits.videoBytesMax);
  const post = outgoing({ text: "@everyone 💥 Beat <@123>!", altText: "é".repeat(2_000), media: made.media });
  const { outcome, progress, committed } = await tryOnce(discord, there.access, post, there);
  const [message] = there.channel.messages;
  assert.ok(message);
  const { guild, channel } = there.channel;
  const link = `${there.wire.origin}/channels/${guild}/${channel}/${message.id}`;
  assert.deepEqual(outcome, { outcome: "sent", link, restUntilMs: null, notes: [] });
  assert.deepEqual(message.body, {
    content: "@everyone 💥 Beat <@123>!",
    allowed_mentions: { parse: [] },
    attachments: [{ id: 0, filename: "clip.mp4", description: "é".repeat(1_024) }],
  });
  assert.deepEqual(message.files, [{ name: "clip.mp4", type: "video/mp4", bytes: made.media.bytes }]);
  assert.ok(committed === 1 && progress.length > 2 && progress.at(-1) === 1);
});

test("a content warning begins the text and covers the footage", { skip }, async () => {
  await using there = await start();
  using made = makeMedia(1_000, "screenshot");
  await tryOnce(discord, there.access, outgoing({ contentWarning: "spiders", media: made.media }), there);
  const [message] = there.channel.messages;
  assert.equal(message?.body.content, "Content warning: spiders\n\nBeat the Kraken at last!");
  assert.deepEqual(message?.body.attachments, [{ id: 0, filename: "SPOILER_screenshot.jpg", is_spoiler: true }]);
  assert.equal(message?.files[0]?.type, "image/jpeg");
});

test("text is counted in code points, and a refusal is reported in Discord's words", { skip }, async () => {
  await using there = await start();
  const longest = `${"👩‍🚀".repeat(666)}ab`;
  assert.equal(discord.textLength({ text: longest, contentWarning: "" }, discord.limits), 2_000);
  assert.equal((await tryOnce(discord, there.access, outgoing({ text: longest }), there)).outcome.outcome, "sent");
  const { outcome } = await tryOnce(discord, there.access, outgoing({ text: `${longest}c` }), there);
  assert.deepEqual(outcome, {
    outcome: "refused",
    says: discordMessage("discord.post_refused_because", {
      status: 400,
      reason: "Invalid Form Body: Must be 2000 or fewer in length.",
    }),
  });
  using large = makeMedia(discord.limits.videoBytesMax + 1);
  const tooLarge = await tryOnce(discord, there.access, outgoing({ media: large.media }), there);
  assert.match(JSON.stringify(tooLarge.outcome), /refused.*too large/);
  assert.ok("isTooLarge" in tooLarge.outcome, "a smaller copy may be accepted");
  assert.equal(discord.smallerBytes, 10_485_760);
  there.wire.act = ({ response }) => answerWith(response, { status: 400, body: '{"code":40005,"message":"No"}' });
  assert.ok("isTooLarge" in (await tryOnce(discord, there.access, outgoing(), there)).outcome, "by its code");
  there.wire.act = null;
  assert.equal(there.channel.made, 1);
});

test("the rate limit is respected, both from the last accepted post and from a refusal", { skip }, async () => {
  await using there = await start();
  there.channel.remaining = 1;
  const nowMs = Date.now();
  const last = (await tryOnce(discord, there.access, outgoing(), { ...there, now: () => nowMs })).outcome;
  assert.ok(last.outcome === "sent" && last.restUntilMs === nowMs + 1_250);
  const limited = (await tryOnce(discord, there.access, outgoing(), { ...there, now: () => nowMs })).outcome;
  assert.ok(limited.outcome === "later" && limited.notBeforeMs === nowMs + 2_000 && limited.limits === "destination");
  assert.equal(there.channel.made, 1);
});

test("a limit of Discord itself, or of what stands in front of it, holds for all webhooks", { skip }, async () => {
  await using there = await start();
  const json = { "content-type": "application/json" };
  const page = "<!DOCTYPE html><html><body>error code: 1015</body></html>";
  const limits = [
    [
      { ...json, "x-ratelimit-global": "true" },
      { message: "…", retry_after: 65, global: true },
    ],
    [
      { ...json, "x-ratelimit-scope": "global" },
      { message: "…", retry_after: 65, global: false },
    ],
    [json, { message: "You are being blocked from accessing our API temporarily.", code: 0 }],
    [{ "content-type": "text/html", "retry-after": "900" }, page],
  ] as const;
  for (const [headers, body] of limits) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    there.wire.act = ({ response }) => answerWith(response, { status: 429, headers, body: text });
    const { outcome } = await tryOnce(discord, there.access, outgoing(), there);
    assert.ok(outcome.outcome === "later" && outcome.limits === "host", text);
    assert.doesNotMatch(outcome.says.text, /</);
  }
});

test("a deleted webhook stops the account and names the remedy, and posts can go to a thread", { skip }, async () => {
  await using there = await start("?thread_id=441122445566778899");
  const { outcome } = await tryOnce(discord, there.access, outgoing(), there);
  assert.ok(outcome.outcome === "sent" && outcome.link?.includes("/441122445566778899/"));
  assert.equal(there.channel.messages[0]?.thread, "441122445566778899");
  const wrong = { ...there.access, url: there.access.url?.replace("t0-ken_?", "t0-ken-?") ?? "" };
  const unauthorized = (await tryOnce(discord, wrong, outgoing(), there)).outcome;
  assert.ok(unauthorized.outcome === "stopped" && /\(401\)/.test(unauthorized.says.text));
  there.channel.isGone = true;
  const gone = (await tryOnce(discord, there.access, outgoing(), there)).outcome;
  assert.ok(gone.outcome === "stopped" && /no longer exists.*[Cc]reate/.test(gone.says.text));
  assert.equal((await discord.checkAccount(there.access, there.needs)).outcome.outcome, "stopped");
  await assert.rejects(discord.connect({ url: there.url }, there.needs), (error) => {
    assert.ok(error instanceof KitError && error.errors[0]?.path === "/fields/url");
    return !/t0-ken/.test(error.message);
  });
});

test("a forum gets one more request with the title as the name of a thread, and the next post names it at once", {
  skip,
}, async () => {
  await using there = await start();
  using made = makeMedia(1_000);
  there.channel.isForum = true;
  const first = await tryOnce(discord, there.access, outgoing({ media: made.media }), there);
  const [message] = there.channel.messages;
  assert.deepEqual(
    [first.outcome.outcome, first.committed, there.channel.asked, message?.body.thread_name, message?.files.length],
    ["sent", 1, 2, "Boss defeated", 1],
  );
  assert.ok(first.outcome.outcome === "sent" && first.outcome.link?.includes(`/${message?.thread}/`));
  const title = `${"👩‍🚀".repeat(30)} and more`;
  const next = await tryOnce(discord, there.access, outgoing({ title }), { ...there, learned: first.learned });
  const name = there.channel.messages[1]?.body.thread_name ?? "";
  assert.deepEqual([next.outcome.outcome, there.channel.asked, name.isWellFormed()], ["sent", 3, true]);
  assert.ok(name.length > 95 && name.length <= 100 && title.startsWith(name));
});

test("a channel that is a forum no longer gets the post without a thread, and only one more request is made", {
  skip,
}, async () => {
  await using there = await start();
  there.channel.isForum = true;
  const { learned } = await tryOnce(discord, there.access, outgoing(), there);
  there.channel.isForum = false;
  const again = await tryOnce(discord, there.access, outgoing(), { ...there, learned });
  assert.deepEqual([again.outcome.outcome, there.channel.messages[1]?.body.thread_name], ["sent", undefined]);
  await tryOnce(discord, there.access, outgoing(), { ...there, learned: again.learned });
  assert.deepEqual([there.channel.made, there.channel.asked], [3, 5]);
});

test("a forum that requires a tag stops the account and names the remedy", { skip }, async () => {
  await using there = await start();
  Object.assign(there.channel, { isForum: true, needsTag: true });
  const { outcome } = await tryOnce(discord, there.access, outgoing(), there);
  assert.ok(outcome.outcome === "stopped" && /requires a tag/.test(outcome.says.text));
  assert.deepEqual([there.channel.made, there.channel.asked], [0, 2]);
});

test("a webhook that does not accept posts is refused, and so is any other address", { skip }, async () => {
  await using there = await start();
  there.channel.type = 2;
  await assert.rejects(discord.connect({ url: there.url }, there.needs), /does not accept posts/);
  const token = "a".repeat(68);
  const right = `https://discord.com/api/v10/webhooks/112233445566778899/${token}`;
  for (const host of ["discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com", "DISCORD.com:443"])
    for (const path of ["/api", "/api/v10", "/api/v9"])
      assert.equal(parseWebhookUrl(` https://${host}${path}/webhooks/112233445566778899/${token} `), right);
  for (const url of [
    `https://discord.com.example/api/webhooks/112233445566778899/${token}`,
    `https://evil-discord.com/api/webhooks/112233445566778899/${token}`,
    `https://discord.com:8443/api/webhooks/112233445566778899/${token}`,
    `http://discord.com/api/webhooks/112233445566778899/${token}`,
    `https://discord.com@example.com/api/webhooks/112233445566778899/${token}`,
    "https://discord.com/api/webhooks/112233445566778899/",
    `https://discord.com/api/webhooks/112233445566778899/${token}/slack`,
    `https://discord.com/api/webhooks/112233445566778899/${token}/../x`,
    `https://discord.com/api/webhooks/x/${token}`,
    "https://discord.com/channels/1/2",
    `${right}?thread_id=../../x`,
    `https://10.0.0.1/api/webhooks/112233445566778899/${token}`,
    "discord",
  ])
    assert.throws(
      () => parseWebhookUrl(url),
      (error) => error instanceof KitError && !error.message.includes(token),
      url,
    );
});
