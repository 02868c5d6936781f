// Tests a bucket whose name is the first part of the host name, at a real S3 store.
import assert from "node:assert/strict";
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { test, vi } from "vitest";
import { skipWithout } from "../../../../tools/engines/locate.ts";
import { openBucketServer } from "../../../test/monitor/bucket-server.ts";
import { connectToBucket, contentOf, putFile } from "./bucket.ts";

test("a bucket in the host name is written and read at that host, and its link names it", {
  skip: skipWithout("Swift"),
}, async () => {
  await using server = await openBucketServer();
  const asked: string[] = [];
  // No server of names knows the store of the test.
  const stub = vi.spyOn(dns, "lookup").mockImplementation(((
    name: string,
    _: object,
    answer: (error: null, found: dns.LookupAddress[]) => void,
  ) => {
    asked.push(name);
    setImmediate(answer, null, [{ address: "127.0.0.1", family: 4 }]);
  }) as never);
  syncBuiltinESMExports();
  using _ = {
    [Symbol.dispose]() {
      stub.mockRestore();
      syncBuiltinESMExports();
    },
  };
  const { port } = new URL(server.settings.endpoint);
  const endpoint = `http://s3.example:${port}`;
  const access = { ...server.settings, ...server.keys, endpoint, hostStyle: true, withoutTls: true, prefix: "a/" };
  const bucket = await connectToBucket(access, Date.now);
  const { signal } = new AbortController();
  try {
    const result = await bucket.test(signal);
    assert.ok(result.ok, JSON.stringify(result));
    await putFile(bucket, "door.mp4", { content: contentOf("a video"), signal });
    assert.equal(String(await server.object("a/door.mp4")), "a video");
    assert.equal(await bucket.has("door.mp4", 7, signal), true);
    const { host, pathname } = new URL((await bucket.linkTo("door.mp4", signal)).url);
    assert.deepEqual([host, pathname], [`${server.settings.name}.s3.example:${port}`, "/a/door.mp4"]);
    assert.deepEqual([...new Set(asked)], [`${server.settings.name}.s3.example`]);
  } finally {
    bucket.close();
  }
});
