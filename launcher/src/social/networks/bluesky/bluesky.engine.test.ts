// Tests of Bluesky against the real server program (PDS) over TLS.

import assert from "node:assert/strict";
import { KitError, textOf } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { skipWithout } from "../../../../../tools/engines/locate.ts";
import { type Footage, makeFootage } from "../test/footage.ts";
import { createBluesky } from "./bluesky.ts";
import { blueskyMessage } from "./messages.ts";
import { keyOf, linkOf, openBluesky, postWith, saysOf } from "./test/bluesky-rig.ts";
import { openPds, type Pds } from "./test/pds-behind-tls.ts";

const skip = skipWithout("Bluesky's server", "OpenSSL", "ffmpeg");

let pds: Pds;
let footage: Footage;
beforeAll(async () => {
  if (skip !== false) return;
  pds = await openPds();
  footage = makeFootage();
});
afterAll(async () => {
  if (skip !== false) return;
  footage?.[Symbol.dispose]();
  await pds?.[Symbol.asyncDispose]();
});

const accountNamed = (handle: string) => pds.accounts.find((each) => each.handle === handle) ?? assert.fail();
const openRig = (handle = "mika.test") => openBluesky(pds, accountNamed(handle));

const refusal = (message: RegExp, path: string) => (error: unknown) => {
  assert.ok(error instanceof KitError);
  assert.match(error.message, message);
  assert.deepEqual(
    error.errors.map((each) => each.path),
    [path],
  );
  return true;
};

test("an account is connected by its handle and an app password, and the check says whether it accepts videos", {
  skip,
}, async () => {
  await using rig = openRig();
  const { handle, appPassword } = accountNamed("robin.test");
  const given = { handle: `@${handle} `, password: ` ${appPassword}`, service: pds.url };
  const { credentials, shown, checked } = await rig.bluesky.connect(given, rig.needs);
  assert.deepEqual(credentials, { handle, password: appPassword, service: pds.url });
  assert.deepEqual(shown, {
    name: handle,
    host: new URL(pds.url).host,
    link: `https://bsky.app/profile/${handle}`,
    limits: rig.bluesky.limits,
  });
  assert.deepEqual(
    checked.map(({ what, ok }) => [textOf(what), ok]),
    [
      ["Signed in", true],
      ["Videos", true],
    ],
  );
  // With a separate video service the e-mail address has to be confirmed.
  const withService = createBluesky({ videoService: pds.url });
  const look = await withService.checkAccount(credentials, rig.needs);
  assert.equal(look.shown.limits.videoBytesMax, 0);
  assert.match(textOf(look.checked[1]?.says ?? ""), /Confirm it in Bluesky/);
  assert.equal(look.outcome.outcome, "sent");
});

test("wrong credentials are refused with a remedy", { skip }, async () => {
  await using rig = openRig();
  const { handle, password } = accountNamed("mika.test");
  const connect = (given: Record<string, string>) => rig.bluesky.connect(given, rig.needs);
  const service = pds.url;
  await assert.rejects(
    connect({ handle, password: "aaaa-bbbb-cccc-dddd", service }),
    refusal(/new app password/, "/fields/password"),
  );
  await assert.rejects(connect({ handle, password, service }), refusal(/main password/, "/fields/password"));
  await assert.rejects(connect({ handle: "mika", password, service }), refusal(/complete handle/, "/fields/handle"));
  await assert.rejects(
    connect({ handle, password, service: "https://localhost:9" }),
    refusal(/could not be reached/, "/fields/service"),
  );
});

test("a text is posted with its links and tags, mentions nobody, and the post has a link", { skip }, async () => {
  await using rig = openRig();
  const text = "Bøss 🐉 defeated, see https://example.com/run?a=1. #saga @robin.test";
  const once = await rig.once(postWith({ text, contentWarning: "spiders" }));
  assert.equal(linkOf(once), `https://bsky.app/profile/mika.test/post/${keyOf(once)}`);
  const { text: stored, facets } = (await rig.stored(once)) as {
    text: string;
    facets: { index: { byteStart: number; byteEnd: number }; features: { $type: string }[] }[];
  };
  assert.equal(stored, `CW: spiders\n\n${text}`);
  const bytes = Buffer.from(stored);
  assert.deepEqual(
    facets.map(({ index, features }) => [
      features[0]?.$type,
      bytes.subarray(index.byteStart, index.byteEnd).toString(),
    ]),
    [
      ["app.bsky.richtext.facet#link", "https://example.com/run?a=1"],
      ["app.bsky.richtext.facet#tag", "#saga"],
    ],
  );
});

test("a picture is posted with its description and shape, and uploaded once in several attempts", {
  skip,
}, async () => {
  await using rig = openRig();
  const post = postWith({ media: footage.picture, altText: "A dragon falls" });
  pds.fates.set("com.atproto.repo.putRecord", [{ status: 503, body: { error: "Unavailable", message: "later" } }]);
  assert.equal((await rig.once(post)).outcome.outcome, "maybe");
  const { embed } = await rig.stored(await rig.once(post));
  assert.equal(rig.called("com.atproto.repo.uploadBlob"), 1);
  const { images } = embed as {
    images: { alt: string; aspectRatio: object; image: { size: number; mimeType: string } }[];
  };
  const { width, height, bytes } = footage.picture;
  assert.deepEqual(
    images.map(({ alt, aspectRatio, image }) => [alt, aspectRatio, image.size, image.mimeType]),
    [["A dragon falls", { width, height }, bytes, "image/jpeg"]],
  );
});

test("a post whose answer was lost is found by the next attempt and exists once", { skip }, async () => {
  await using rig = openRig();
  const before = (await pds.records(rig.did)).length;
  const post = postWith({ text: "Once" });
  pds.fates.set("com.atproto.repo.putRecord", ["lost"]);
  const first = await rig.once(post);
  assert.deepEqual([first.outcome.outcome, first.committed], ["lost", 1]);
  const second = await rig.once(post);
  assert.equal(linkOf(await rig.once({ ...post, text: "Twice" })), linkOf(second));
  assert.deepEqual([(await pds.records(rig.did)).length - before, (await rig.stored(second)).text], [1, "Once"]);
});

test("several posts share one sign-in; an expired session is renewed, and a rejected renewal signs in again", {
  skip,
}, async () => {
  await using rig = openRig();
  const expired = { status: 400, body: { error: "ExpiredToken", message: "Token has expired" } };
  linkOf(await rig.once(postWith({ text: "1" })));
  pds.fates.set("com.atproto.repo.putRecord", [expired]);
  linkOf(await rig.once(postWith({ text: "2" })));
  assert.deepEqual(
    [rig.called("com.atproto.server.createSession"), rig.called("com.atproto.server.refreshSession")],
    [1, 1],
  );
  pds.fates.set("com.atproto.repo.putRecord", [expired]);
  pds.fates.set("com.atproto.server.refreshSession", [expired]);
  linkOf(await rig.once(postWith({ text: "3" })));
  assert.equal(rig.called("com.atproto.server.createSession"), 2);
});

test("a revoked app password stops the account and names the remedy", { skip }, async () => {
  await using rig = openRig("robin.test");
  const { handle, password } = accountNamed("robin.test");
  linkOf(await rig.once(postWith({ text: "1" })));
  const { accessJwt } = await pds.call("com.atproto.server.createSession", { identifier: handle, password }, "");
  await pds.call("com.atproto.server.revokeAppPassword", { name: "kit" }, String(accessJwt));
  pds.fates.set("com.atproto.repo.putRecord", [{ status: 400, body: { error: "ExpiredToken", message: "" } }]);
  const once = await rig.once(postWith({ text: "2" }));
  assert.equal(once.outcome.outcome, "stopped");
  assert.match(saysOf(once), /Create a new app password/);
  const look = await rig.bluesky.checkAccount(rig.access, rig.needs);
  assert.deepEqual([look.outcome.outcome, look.checked[0]?.ok], ["stopped", false]);
});

test("a file that the server deleted is uploaded again", { skip }, async () => {
  await using rig = openRig();
  const gone = "bafkreib7mznjufhvyx7m3wgl2w7l6yqg6jqqdqfbzjqkcfhx4jqvhjqwxq";
  const old = { blob: JSON.stringify({ $type: "blob", ref: { $link: gone }, mimeType: "image/jpeg", size: 9 }) };
  const post = postWith({ media: footage.picture });
  const first = await rig.once(post, old);
  assert.deepEqual([first.outcome.outcome, rig.remembered().blob], ["later", ""]);
  linkOf(await rig.once(post));
});

test("text that is too long is refused before any request, and invalid posts are refused by the server", {
  skip,
}, async () => {
  await using rig = openRig();
  assert.equal((await rig.once(postWith({ text: "👨‍👩‍👧‍👦".repeat(121) }))).outcome.outcome, "refused");
  assert.equal((await rig.once(postWith({ text: "a".repeat(301) }))).outcome.outcome, "refused");
  assert.equal(rig.called("com.atproto.server.createSession"), 0);
  linkOf(await rig.once(postWith({ text: "👨‍👩‍👧‍👦".repeat(119) })));
  const invalid = { error: "InvalidRequest", message: "Invalid app.bsky.feed.post record" };
  pds.fates.set("com.atproto.repo.putRecord", [{ status: 400, body: invalid }]);
  const { outcome } = await rig.once(postWith({}));
  const says = blueskyMessage("bluesky.post_refused", { reason: invalid.message });
  assert.deepEqual(outcome, { outcome: "refused", says });
});

test("the rate limit of the server for sign-ins is respected", { skip }, async () => {
  await using rig = openRig();
  const given = { handle: "nobody.test", password: "aaaa-bbbb-cccc-dddd", service: pds.url };
  for (let count = 0; count < 30; count += 1)
    await assert.rejects(rig.bluesky.connect(given, rig.needs), refusal(/new app password/, "/fields/password"));
  await assert.rejects(rig.bluesky.connect(given, rig.needs), refusal(/rate limit/, "/fields/service"));
  const look = await rig.bluesky.checkAccount(given, rig.needs);
  const waitMs = look.outcome.outcome === "later" ? (look.outcome.notBeforeMs ?? 0) - Date.now() : 0;
  assert.ok(waitMs > 200_000 && waitMs <= 301_000, `${waitMs} ms`);
});
