// A file is sent whole, in the ranges a player asks for, and not at all when it is gone.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { KitError, problems } from "@kit/contract";
import Fastify, { type FastifyInstance } from "fastify";
import { type MediaFile, sendMedia } from "./send-media.ts";

const bytes = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 251));
let folder: string;
let app: FastifyInstance;
let asked: MediaFile;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "kit-media-"));
  writeFileSync(join(folder, "20:14 100% my game #1.mp4"), bytes);
  app = Fastify();
  app.get("/video", async (_, reply) => {
    await sendMedia(reply, asked);
    return reply;
  });
  app.setErrorHandler((error, _, reply) =>
    reply.code(error instanceof KitError ? problems[error.code].status : 500).send(),
  );
});
after(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const get = (headers: Record<string, string> = {}, file: Partial<MediaFile> = {}) => {
  asked = { path: join(folder, "20:14 100% my game #1.mp4"), type: "video/mp4", ...file };
  return app.inject({ url: "/video", headers });
};

test("a file is sent whole with its type, whatever stands in its name", async () => {
  const answer = await get();
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.headers["content-type"], "video/mp4");
  assert.equal(answer.headers["accept-ranges"], "bytes");
  assert.deepEqual(answer.rawPayload, bytes);
});

test("a player gets the range it asks for", async () => {
  const answer = await get({ range: "bytes=100-199" });
  assert.equal(answer.statusCode, 206);
  assert.equal(answer.headers["content-range"], "bytes 100-199/1000");
  assert.deepEqual(answer.rawPayload, bytes.subarray(100, 200));
});

test("a range beyond the end is refused with the length", async () => {
  const answer = await get({ range: "bytes=5000-" });
  assert.equal(answer.statusCode, 416);
  assert.equal(answer.headers["content-range"], "bytes */1000");
});

test("a file that has not changed is not sent again", async () => {
  const first = await get();
  const answer = await get({ "if-none-match": String(first.headers.etag) });
  assert.equal(answer.statusCode, 304);
  assert.equal(first.headers["cache-control"], "private, no-cache");
});

test("a download is saved under its name", async () => {
  const answer = await get({}, { saveAs: "boss defeated.mp4" });
  assert.equal(answer.headers["content-disposition"], 'attachment; filename="boss defeated.mp4"');
});

test("a file that is gone is not found", async () => {
  assert.equal((await get({}, { path: join(folder, "gone.mp4") })).statusCode, 404);
});
