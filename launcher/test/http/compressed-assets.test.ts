// Tests of the dashboard's compressed files over real HTTP.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { test } from "vitest";
import { startOwnLauncher } from "../support/own-launcher.ts";
import { patienceMs } from "../support/until.ts";

const built = join(import.meta.dirname, "../../../dist/dashboard");

async function get(port: number, path: string, acceptEncoding?: string) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = acceptEncoding === undefined ? {} : { "accept-encoding": acceptEncoding };
    const signal = AbortSignal.timeout(patienceMs);
    request({ host: "127.0.0.1", port, path, headers, signal }, resolve).once("error", reject).end();
  });
  return { headers: response.headers, body: Buffer.concat(await response.toArray()) };
}

test("a browser that accepts gzip gets compressed scripts and styles, others get the same bytes uncompressed", async () => {
  await using launcher = await startOwnLauncher();
  const assets = globSync("assets/*.{js,css}", { cwd: built });
  assert.ok(assets.length > 10);
  let plainBytes = 0;
  let compressedBytes = 0;
  for (const asset of assets) {
    const content = readFileSync(join(built, asset));
    const plain = await get(launcher.port, `/${asset}`);
    assert.equal(plain.headers["content-encoding"], undefined);
    assert.deepEqual(plain.body, content);
    const compressed = await get(launcher.port, `/${asset}`, "gzip, deflate, br");
    assert.equal(compressed.headers["content-encoding"], "gzip");
    assert.equal(compressed.headers["content-type"], plain.headers["content-type"]);
    assert.equal(compressed.headers["cache-control"], "public, max-age=31536000, immutable");
    assert.equal(compressed.headers.vary, "Accept-Encoding");
    assert.deepEqual(gunzipSync(compressed.body), content);
    plainBytes += plain.body.length;
    compressedBytes += compressed.body.length;
  }
  assert.ok(compressedBytes < plainBytes / 2, `${compressedBytes} of ${plainBytes} bytes`);
});
