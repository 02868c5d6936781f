// Tests of posts to a webhook: signed, with the same id in each repeat, and with the footage.
import assert from "node:assert/strict";
import { KitError } from "@kit/contract";
import { test } from "vitest";
import { skipWithout } from "../../../../../tools/engines/locate.ts";
import { createOutbound } from "../../../outbound/outbound.ts";
import { makeCertificates } from "../test/certificates.ts";
import { contextOf, makeMedia, outgoing, tryOnce } from "../test/try-once.ts";
import { startWire } from "../test/wire.ts";
import { createWebhookStandIn } from "./test/stand-in.ts";
import { webhook } from "./webhook.ts";

const skip = skipWithout("OpenSSL");
const certificates = skip === false ? makeCertificates() : undefined;

async function start() {
  assert.ok(certificates);
  const reach = createOutbound({ ca: certificates.ca });
  const { needs } = contextOf({ reach });
  const { credentials, secret = "" } = await webhook.connect({ url: "https://localhost/posts" }, needs);
  const receiver = createWebhookStandIn(secret);
  const wire = await startWire(receiver, certificates);
  return {
    reach,
    needs,
    receiver,
    wire,
    access: { ...credentials, url: `${wire.origin}/posts` },
    async [Symbol.asyncDispose]() {
      await reach.close();
      await wire[Symbol.asyncDispose]();
    },
  };
}

test("a post arrives signed and complete, and a repeat has the same id", { skip }, async () => {
  await using there = await start();
  const post = outgoing({ contentWarning: "spiders", altText: "A kraken falls.", visibility: "followers" });
  for (const _ of [1, 2]) {
    const { outcome, committed } = await tryOnce(webhook, there.access, post, there);
    assert.deepEqual(outcome, { outcome: "sent", link: null, restUntilMs: null, notes: [] });
    assert.equal(committed, 1);
  }
  assert.equal(there.receiver.verified, 2);
  assert.deepEqual(there.receiver.taken, [
    {
      id: post.key,
      payload: {
        type: "post.created",
        timestamp: "2026-11-22T10:00:00.000Z",
        data: {
          post: "post-1",
          event: "event-1",
          eventId: "saga_boss_defeated",
          game: "saga",
          at: "2026-11-22T10:00:00.000Z",
          text: "Beat the Kraken at last!",
          contentWarning: "spiders",
          visibility: "followers",
          altText: "A kraken falls.",
          media: null,
        },
      },
    },
  ]);
});

test("footage is in the document, byte for byte, up to the limit", { skip }, async () => {
  await using there = await start();
  for (const bytes of [1, 2, 3, 192 * 1_024 + 1, webhook.limits.videoBytesMax]) {
    using made = makeMedia(bytes);
    const { outcome } = await tryOnce(
      webhook,
      there.access,
      outgoing({ key: `key-${bytes}`, media: made.media }),
      there,
    );
    assert.equal(outcome.outcome, "sent");
    const { path, ...described } = made.media;
    const { base64 = "", ...rest } = there.receiver.taken.at(-1)?.payload.data.media ?? {};
    assert.deepEqual(rest, described);
    assert.ok(Buffer.from(base64, "base64").equals(made.content), `${bytes} bytes`);
  }
  using large = makeMedia(webhook.limits.videoBytesMax + 1);
  const refused = await tryOnce(webhook, there.access, outgoing({ media: large.media }), there);
  assert.deepEqual([refused.outcome.outcome, refused.committed], ["refused", 0]);
  const gone = { ...large.media, bytes: 5, path: `${large.media.path}-gone` };
  const later = await tryOnce(webhook, there.access, outgoing({ media: gone }), there);
  assert.deepEqual([later.outcome.outcome, later.committed], ["later", 0]);
});

test("testing an account sends a test message and reports the receiver's answer", { skip }, async () => {
  await using there = await start();
  const { outcome, checked, shown } = await webhook.checkAccount(there.access, there.needs);
  assert.deepEqual([outcome.outcome, checked.map(({ ok }) => ok)], ["sent", [true]]);
  assert.equal(shown.host, new URL(there.wire.origin).host);
  assert.equal(there.receiver.taken[0]?.payload.type, "kit.test");
  const wrong = await webhook.checkAccount(
    { ...there.access, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" },
    there.needs,
  );
  assert.equal(wrong.outcome.outcome, "stopped");
  const nobody = await webhook.checkAccount({ ...there.access, url: "https://localhost:1/" }, there.needs);
  assert.equal(nobody.outcome.outcome, "later");
  assert.deepEqual(
    nobody.checked.map(({ ok }) => ok),
    [false],
  );
});

test("the address and the secret are checked before they are saved; a generated secret is shown once", async () => {
  const { needs } = contextOf({ reach: createOutbound() });
  const mine = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const own = await webhook.connect({ url: " https://example.com/a?b=c ", secret: ` ${mine} ` }, needs);
  assert.deepEqual(own.credentials, { url: "https://example.com/a?b=c", secret: mine });
  assert.deepEqual([own.secret, own.shown.name, own.shown.host], [undefined, "example.com", "example.com"]);
  const [first, second] = await Promise.all([1, 2].map(() => webhook.connect({ url: "https://example.com/" }, needs)));
  assert.match(first?.secret ?? "", /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.ok(first?.secret === first?.credentials.secret && first?.secret !== second?.secret);
  for (const [given, path] of [
    [{ url: "http://example.com" }, "/fields/url"],
    [{ url: "https://192.168.1.1/" }, "/fields/url"],
    [{}, "/fields/url"],
    [{ url: "https://example.com", secret: "hunter2" }, "/fields/secret"],
    [{ url: "https://example.com", secret: "whsec_c2hvcnQ=" }, "/fields/secret"],
    [{ url: "https://example.com", secret: `whsec_${"A".repeat(100)}` }, "/fields/secret"],
  ] as const)
    await assert.rejects(webhook.connect(given, needs), (error) => {
      assert.ok(error instanceof KitError);
      assert.equal(error.errors[0]?.path, path);
      return !/hunter2|c2hvcnQ|AAAA/.test(error.message);
    });
});
