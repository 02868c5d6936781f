// Tests of invitations that name a bucket for videos: its keys come from a person, and until then no video leaves.
import assert from "node:assert/strict";
import type { ForwardBucket, Invitation } from "@kit/contract";
import { textOf } from "@kit/contract";
import { test } from "vitest";
import { type ForwardFolder, openForwardFolder } from "../../../test/monitor/forwarding-folder.ts";

const bucket: ForwardBucket = {
  endpoint: "https://s3.eu-central-1.amazonaws.com",
  region: "eu-central-1",
  name: "lantern-videos",
  prefix: "playtest/",
  hostStyle: false,
};
const keys = { accessKey: "AKIDOFTHETEST", secretKey: "secretOfTheTestBucket" };
const all = { reports: true, earlierEvents: false, installation: false, videos: true };
const invitationTo = (folder: ForwardFolder, changes: Partial<Invitation> = {}): Invitation => ({
  version: 1,
  studio: "Lantern Games",
  text: "",
  kind: "otlp",
  address: `http://127.0.0.1:${folder.server.port}`,
  game: null,
  environment: null,
  asks: ["installation", "videos"],
  bucket,
  ...changes,
});

test("the bucket of an invitation is the bucket of its target, without keys, and keeps those that a person enters", async () => {
  await using folder = await openForwardFolder();
  const invitation = invitationTo(folder);
  assert.deepEqual(
    [
      (await folder.check(invitation)).bucketHost,
      await folder.check({ ...invitation, bucket: { ...bucket, hostStyle: true } }),
    ].map((one) => (typeof one === "object" ? one?.bucketHost : one)),
    ["s3.eu-central-1.amazonaws.com", "lantern-videos.s3.eu-central-1.amazonaws.com"],
  );
  const { id, ...joined } = await folder.accept({ invitation, ...all });
  assert.deepEqual([joined.bucket, joined.videos], [{ ...bucket, hasKeys: false }, true]);
  assert.equal(textOf((await folder.testBucket(id)).says), "The keys of the bucket are missing. Enter them.");
  const keyed = await folder.change(id, { bucket: { ...bucket, ...keys } });
  assert.deepEqual(keyed.bucket, { ...bucket, hasKeys: true });
  const reordered = { ...invitation, bucket: Object.fromEntries(Object.entries(bucket).toReversed()) as ForwardBucket };
  const again = await folder.accept({ invitation: reordered, ...all });
  assert.deepEqual([again.id, again.bucket], [id, { ...bucket, hasKeys: true }]);
  const elsewhere = { ...bucket, endpoint: "https://s3.example.com" };
  await folder.change(id, { bucket: { ...elsewhere, ...keys } });
  const { bucket: back } = await folder.accept({ invitation, ...all });
  assert.deepEqual(back, { ...bucket, hasKeys: false }, "the keys are those of another bucket");
  const off = await folder.accept({ invitation, ...all, reports: false });
  assert.deepEqual([off.enabled, off.decisions.map((one) => `${one.switch} ${one.on}`)], [false, ["reports false"]]);
  assert.ok(![...folder.secrets.values()].join("").includes(keys.secretKey));
});

test("who withdraws keeps the bucket that they entered, with its keys", async () => {
  await using folder = await openForwardFolder();
  const invitation = invitationTo(folder);
  const { id } = await folder.accept({ invitation, ...all });
  const own = { ...bucket, endpoint: "https://s3.example.com" };
  await folder.change(id, { bucket: { ...own, ...keys } });
  const off = await folder.accept({ invitation, ...all, reports: false });
  assert.deepEqual([off.enabled, off.bucket], [false, { ...own, hasKeys: true }]);
  const withoutVideos = await folder.accept({ invitation, ...all, videos: false });
  assert.deepEqual([withoutVideos.videos, withoutVideos.bucket], [false, { ...own, hasKeys: true }]);
});

test("a bucket at another store does not keep the permission to do without TLS", async () => {
  await using folder = await openForwardFolder();
  const { id } = await folder.accept({ invitation: invitationTo(folder), ...all });
  const inHouse = { ...bucket, endpoint: "http://192.168.1.5:9000", ...keys };
  await folder.change(id, { bucket: { ...inHouse, withoutTls: true } });
  await folder.change(id, { bucket: { ...inHouse, prefix: "other/" } });
  await assert.rejects(folder.change(id, { bucket: { ...inHouse, endpoint: "http://192.168.1.6:9000" } }), /endpoint/);
});

test("a change that names an invalid bucket switches nothing off", async () => {
  await using folder = await openForwardFolder();
  const { id } = await folder.accept({ invitation: invitationTo(folder), ...all });
  await assert.rejects(
    folder.change(id, { enabled: false, bucket: { ...bucket, ...keys, endpoint: "s3" } }),
    /endpoint/,
  );
  assert.equal((await folder.target(() => true)).enabled, true);
});

test("keys that somebody put into an invitation are not used", async () => {
  await using folder = await openForwardFolder();
  const { id, bucket: joined } = await folder.accept({
    invitation: invitationTo(folder, { bucket: { ...bucket, ...keys } as ForwardBucket }),
    ...all,
  });
  assert.deepEqual(joined, { ...bucket, hasKeys: false });
  assert.ok(!folder.secrets.get(`forward-${id}-bucket`)?.includes(keys.secretKey));
});

test("a bucket in an invitation is checked as strictly as one that a person names, and needs the question for videos", async () => {
  await using folder = await openForwardFolder();
  const refuse = async (changes: Partial<Invitation>, field: RegExp) => {
    const invitation = invitationTo(folder, changes);
    await assert.rejects(folder.check(invitation), field, JSON.stringify(changes));
    await assert.rejects(folder.accept({ invitation, ...all }), field, JSON.stringify(changes));
  };
  const withBucket = (changes: Partial<ForwardBucket>) => ({ bucket: { ...bucket, ...changes } });
  const endpoints = [
    "http://s3.example.com",
    "http://192.168.1.5:9000",
    "https://169.254.169.254",
    "https://me:secret@s3.example.com",
    "https://s3.example.com/?a=b",
    "ftp://s3.example.com",
    "javascript:alert(1)",
    "s3",
  ];
  for (const endpoint of endpoints) await refuse(withBucket({ endpoint }), /invitation\.bucket\.endpoint/);
  await refuse(
    { ...withBucket({ endpoint: "http://93.184.215.14" }), withoutTls: true },
    /invitation\.bucket\.endpoint/,
  );
  await refuse(withBucket({ endpoint: "https://127.0.0.1", hostStyle: true }), /invitation\.bucket\.hostStyle/);
  await refuse(withBucket({ prefix: "a/../b" }), /invitation\.bucket\.prefix/);
  await refuse({ asks: ["installation"] }, /invitation\.bucket /);
  const { bucket: _, ...without } = invitationTo(folder);
  await assert.rejects(folder.check(without), /invitation\.asks/, "a collector takes no videos itself");
  await assert.rejects(
    folder.check({ ...invitationTo(folder), asks: ["earlierEvents", "videos"] }),
    /invitation\.asks/,
  );
  assert.equal(folder.secrets.size, 0);
});
