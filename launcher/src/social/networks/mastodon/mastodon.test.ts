// Tests of posts to an account on a Mastodon server: within the limits that the server names, once for each key.
import assert from "node:assert/strict";
import { KitError, textOf } from "@kit/contract";
import { test } from "vitest";
import { skipWithout } from "../../../../../tools/engines/locate.ts";
import { createOutbound } from "../../../outbound/outbound.ts";
import type { Learned, OutgoingPost, StoredSteps } from "../network.ts";
import { type Certificates, makeCertificates } from "../test/certificates.ts";
import { contextOf, makeMedia, outgoing, tryOnce } from "../test/try-once.ts";
import { type Answer, answerWith, startWire } from "../test/wire.ts";
import { mastodon } from "./mastodon.ts";
import { createMastodonStandIn } from "./test/stand-in.ts";

const skip = skipWithout("OpenSSL");
let made: Certificates | undefined;
const certificates = () => {
  made ??= makeCertificates();
  return made;
};

async function start() {
  const server = createMastodonStandIn();
  const wire = await startWire(server, certificates());
  const reach = createOutbound({ ca: certificates().ca });
  const access = { server: wire.origin, token: server.token };
  let remembered: StoredSteps = {};
  let learned: Learned = {};
  return {
    server,
    wire,
    access,
    needs: contextOf({ reach }).needs,
    forget(members: StoredSteps = {}) {
      remembered = members;
    },
    connect: (given: Record<string, string>) => mastodon.connect({ ...access, ...given }, contextOf({ reach }).needs),
    /** An attempt like the outbox makes it: it begins with what earlier attempts stored. */
    async once(post: OutgoingPost) {
      const once = await tryOnce(mastodon, access, post, { reach, remembered, learned });
      ({ remembered, learned } = once);
      return once;
    },
    count: (way: string) => server.asked.filter((each) => each === way).length,
    async [Symbol.asyncDispose]() {
      await reach.close();
      await wire[Symbol.asyncDispose]();
    },
  };
}

type Once = Awaited<ReturnType<typeof tryOnce>>;
const linkOf = ({ outcome }: Once) =>
  outcome.outcome === "sent" ? outcome.link : assert.fail(JSON.stringify(outcome));
const saysOf = ({ outcome }: Once): string => ("says" in outcome ? textOf(outcome.says) : "");

const refusal = (message: RegExp, path: string) => (error: unknown) => {
  assert.ok(error instanceof KitError);
  assert.match(error.message, message);
  assert.deepEqual(
    error.errors.map((each) => each.path),
    [path],
  );
  return true;
};

test("an account is connected with the limits of its server, and shows nothing of the token", { skip }, async () => {
  await using there = await start();
  Object.assign(there.server.limits, {
    max_characters: 11_000,
    characters_reserved_per_url: 30,
    video_size_limit: 41_943_040,
    video_matrix_limit: 2_304_000,
    video_frame_rate_limit: 60,
    description_limit: 3_000,
  });
  const { credentials, shown, checked } = await there.connect({ token: ` ${there.server.token} ` });
  assert.deepEqual(credentials, there.access);
  assert.deepEqual(shown, {
    name: "@mika@social.example",
    host: new URL(there.wire.origin).host,
    link: "https://social.example/@mika",
    limits: {
      ...mastodon.limits,
      textMax: 11_000,
      linkLength: 30,
      imageBytesMax: 16_777_216,
      videoBytesMax: 41_943_040,
      videoPixelsMax: 2_304_000,
      videoFrameRateMax: 60,
      altTextMax: 3_000,
    },
  });
  assert.deepEqual(
    checked.map(({ ok }) => ok),
    [true, true, true, true],
  );
  assert.equal(there.server.media.size, 0);
  assert.equal(JSON.stringify([shown, checked]).includes(there.server.token), false);
});

test("wrong credentials are refused with a remedy before they are saved", { skip }, async () => {
  await using there = await start();
  await assert.rejects(there.connect({ token: "wrong" }), refusal(/not accepted by this server/, "/fields/token"));
  await assert.rejects(there.connect({ token: "" }), refusal(/access token/, "/fields/token"));
  await assert.rejects(
    there.connect({ server: "https://localhost:9" }),
    refusal(/could not be reached/, "/fields/server"),
  );
  await assert.rejects(there.connect({ server: "http://social.example" }), refusal(/https/, "/fields/server"));
  there.server.scopes = ["read:accounts", "write:statuses"];
  await assert.rejects(there.connect({}), refusal(/lacks write:media/, "/fields/token"));
  there.server.scopes = ["write"];
  await assert.rejects(there.connect({}), refusal(/read:accounts/, "/fields/token"));
});

test("a text is posted with its content warning and visibility", { skip }, async () => {
  await using there = await start();
  const once = await there.once(outgoing({ text: "Beat it", contentWarning: "spiders", visibility: "followers" }));
  assert.equal(linkOf(once), "https://social.example/@mika/1000");
  const [status] = there.server.statuses;
  assert.deepEqual(status, {
    id: "1000",
    status: "Beat it",
    spoiler_text: "spiders",
    visibility: "private",
    media_ids: [],
  });
  assert.equal(once.committed, 1);
});

test("a picture is posted with its description", { skip }, async () => {
  await using there = await start();
  using picture = makeMedia(100_000, "screenshot");
  linkOf(await there.once(outgoing({ media: picture.media, altText: "A dragon – falls" })));
  const [media] = there.server.media.values();
  assert.deepEqual([media?.type, media?.bytes, media?.description], ["image/jpeg", 100_000, "A dragon – falls"]);
  assert.deepEqual(there.server.statuses[0]?.media_ids, [media?.id]);
});

test("a clip is uploaded once in several attempts, and posted when the server has prepared it", {
  skip,
}, async () => {
  await using there = await start();
  using clip = makeMedia(3_000_000);
  const post = outgoing({ media: clip.media });
  there.wire.act = ({ response }) => answerWith(response, { status: 503 });
  const first = await there.once(post);
  assert.deepEqual([first.outcome.outcome, first.progress.at(-1)], ["maybe", 1]);
  there.wire.act = null;
  linkOf(await there.once(post));
  assert.deepEqual([there.count("POST /api/v2/media"), there.server.made], [1, 1]);
});

test("a repeat after a lost answer finds the post with its media", { skip }, async () => {
  await using there = await start();
  using clip = makeMedia(1_000);
  const post = outgoing({ media: clip.media });
  there.wire.act = async ({ take, socket }) => {
    await take();
    socket.destroy();
  };
  assert.equal((await there.once(post)).outcome.outcome, "lost");
  there.wire.act = null;
  assert.equal(linkOf(await there.once(post)), "https://social.example/@mika/1000");
  assert.equal(there.server.made, 1);
  // The server recognizes a repeat by its key, but forgets keys after an hour, so no repeat may be made then.
  assert.ok(mastodon.idempotentForMs < 3_600_000);
  there.server.nowMs += mastodon.idempotentForMs;
  linkOf(await there.once({ ...post, media: null }));
  assert.equal(there.server.made, 1);
});

test("a file that the server deleted is uploaded again", { skip }, async () => {
  await using there = await start();
  using clip = makeMedia(1_000);
  const post = outgoing({ media: clip.media });
  there.wire.act = ({ response }) => answerWith(response, { status: 429 });
  assert.equal((await there.once(post)).outcome.outcome, "later");
  there.wire.act = null;
  there.server.media.clear();
  assert.equal((await there.once(post)).outcome.outcome, "later");
  linkOf(await there.once(post));
  assert.equal(there.count("POST /api/v2/media"), 2);
});

test("a post whose file is still being processed is tried again with the same key, in any language", {
  skip,
}, async () => {
  await using there = await start();
  using picture = makeMedia(1_000, "screenshot");
  there.server.unfinishedPosts = 1;
  const early = await there.once(outgoing({ media: picture.media }));
  assert.deepEqual([early.outcome.outcome, there.server.made], ["later", 0]);
  assert.match(saysOf(early), /still processing/);
  linkOf(await there.once(outgoing({ media: picture.media })));
  assert.deepEqual([there.server.made, there.count("POST /api/v2/media")], [1, 1]);
  there.server.unfinishedSays = "Dateien, die noch nicht verarbeitet wurden, können nicht angehängt werden.";
  there.server.media.set("7", { id: "7", type: "video/mp4", bytes: 1, description: "", asksLeft: 1 });
  there.forget({ media: "7", ready: "yes" });
  const other = outgoing({ media: picture.media, key: "another" });
  assert.match(saysOf(await there.once(other)), /still processing/);
  linkOf(await there.once(other));
  assert.deepEqual([there.server.made, there.count("POST /api/v2/media")], [2, 1]);
});

test("a file is not uploaded again because the server refuses the text", { skip }, async () => {
  await using there = await start();
  using picture = makeMedia(1_000, "screenshot");
  const post = outgoing({ media: picture.media });
  there.wire.act = ({ response }) => answerWith(response, { status: 429 });
  await there.once(post);
  there.wire.act = null;
  there.server.limits.max_characters = 3;
  const refused = await there.once(post);
  assert.equal(refused.outcome.outcome, "refused");
  assert.match(saysOf(refused), /character limit of 3 exceeded/);
});

/** What servers without an upload answer: that it is missing, or where to sign in. */
const lacking: readonly Answer[] = [
  { status: 404, body: '{"error":"Not found"}' },
  { status: 302, headers: { location: "https://social.example/login", "content-type": "text/html" }, body: "<html>" },
  { status: 200, headers: { "content-type": "text/html; charset=utf-8" }, body: "<!DOCTYPE html><h1>Sign in</h1>" },
];

test("a server without the newer upload gets the file the older way, and the next post begins with that", {
  skip,
}, async () => {
  using picture = makeMedia(1_000, "screenshot");
  for (const answer of lacking) {
    await using there = await start();
    there.server.others.set("POST /api/v2/media", answer);
    linkOf(await there.once(outgoing({ media: picture.media })));
    there.forget();
    linkOf(await there.once(outgoing({ media: picture.media, key: "another" })));
    assert.deepEqual([there.count("POST /api/v2/media"), there.count("POST /api/v1/media")], [1, 2]);
  }
});

test("a server without any upload is known when the account is connected, and refuses a file in plain words", {
  skip,
}, async () => {
  using picture = makeMedia(1_000, "screenshot");
  for (const answer of lacking) {
    await using there = await start();
    there.server.others.set("POST /api/v2/media", answer).set("POST /api/v1/media", answer);
    const { shown, checked } = await there.connect({});
    assert.deepEqual([shown.limits.videoBytesMax, shown.limits.imageBytesMax], [0, 0]);
    assert.deepEqual(
      checked.map(({ ok }) => ok),
      [true, true, true, false],
    );
    const refused = await there.once(outgoing({ media: picture.media }));
    assert.deepEqual([refused.outcome.outcome, "isTooLarge" in refused.outcome], ["refused", false]);
    assert.match(saysOf(refused), /^The server takes no files/);
    linkOf(await there.once(outgoing({ key: "another" })));
  }
});

test("an account that may not upload is refused even if the server reports no permissions", { skip }, async () => {
  await using there = await start();
  there.server.others.set("GET /api/v1/apps/verify_credentials", { status: 404, body: "{}" });
  there.server.scopes = ["read:accounts", "write:statuses"];
  await assert.rejects(there.connect({}), refusal(/lacks write:media/, "/fields/token"));
  there.server.scopes = ["read", "write"];
  there.server.others.set("POST /api/v2/media", { status: 503, body: "" });
  assert.match(textOf((await there.connect({})).checked[3]?.says ?? ""), /^Could not be checked/);
});

test("a file that is too large is known by what the server says, and its web pages are not shown", {
  skip,
}, async () => {
  await using there = await start();
  using picture = makeMedia(1_000, "screenshot");
  const words = { message: "The file may not be greater than 15000 kilobytes.", errors: {} };
  for (const answer of [
    { status: 422, body: JSON.stringify(words) },
    {
      status: 413,
      headers: { "content-type": "text/html" },
      body: "<html><h1>413 Request Entity Too Large</h1></html>",
    },
  ]) {
    there.server.others.set("POST /api/v2/media", answer);
    const { outcome } = await there.once(outgoing({ media: picture.media }));
    assert.ok(outcome.outcome === "refused" && "isTooLarge" in outcome, answer.body);
    assert.doesNotMatch(outcome.says.text, /</);
  }
});

test("the limits of a server with an older description are read", { skip }, async () => {
  await using there = await start();
  const instance = { uri: "pleroma.example", max_toot_chars: 5_000, upload_limit: 16_000_000 };
  for (const answer of lacking) {
    there.server.others
      .set("GET /api/v2/instance", answer)
      .set("GET /api/v1/instance", { status: 200, body: JSON.stringify(instance) });
    const { shown } = await there.connect({});
    const { textMax, videoBytesMax, imageBytesMax } = shown.limits;
    assert.deepEqual([textMax, videoBytesMax, imageBytesMax], [5_000, 16_000_000, 16_000_000]);
  }
});

test("text that is too long is refused before any request, and a refusal is reported in the server's words", {
  skip,
}, async () => {
  await using there = await start();
  const tooLong = await there.once(outgoing({ text: "a".repeat(495), contentWarning: "spiders" }));
  assert.match(saysOf(tooLong), /500 characters/);
  assert.deepEqual([tooLong.outcome.outcome, there.server.asked], ["refused", []]);
  there.server.limits.max_characters = 100;
  const refused = await there.once(outgoing({ text: "a".repeat(101) }));
  assert.deepEqual([refused.outcome.outcome, there.server.made], ["refused", 0]);
  assert.match(saysOf(refused), /character limit of 100 exceeded/);
});

test("a revoked token and a missing scope stop the account with a remedy, and a check reports the same", {
  skip,
}, async () => {
  await using there = await start();
  there.server.scopes = ["read:accounts"];
  const missing = await there.once(outgoing());
  assert.deepEqual([missing.outcome.outcome, there.server.made], ["stopped", 0]);
  assert.match(saysOf(missing), /outside the authorized scopes.*write:statuses/);
  const look = await mastodon.checkAccount(there.access, there.needs);
  assert.deepEqual([look.outcome.outcome, look.checked[1]?.ok], ["stopped", false]);
  there.server.isTokenRevoked = true;
  const revoked = await there.once(outgoing());
  assert.match(saysOf(revoked), /no longer accepts the access token/);
  const again = await mastodon.checkAccount(there.access, there.needs);
  assert.deepEqual([again.outcome.outcome, again.checked[0]?.ok], ["stopped", false]);
});

test("the server gets no request until its limit resets, after a refusal and after the last accepted request", {
  skip,
}, async () => {
  await using there = await start();
  there.server.remaining = 1;
  const last = await there.once(outgoing());
  const rests = (untilMs: number | null) => {
    const restMs = (untilMs ?? 0) - Date.now();
    assert.ok(restMs > 240_000 && restMs <= 301_000, `${restMs} ms`);
  };
  rests(last.outcome.outcome === "sent" ? last.outcome.restUntilMs : null);
  const no = await there.once(outgoing({ key: "another" }));
  rests(no.outcome.outcome === "later" ? no.outcome.notBeforeMs : null);
  assert.equal(there.server.made, 1);
});
