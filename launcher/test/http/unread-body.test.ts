// Tests of requests for reading that announce a large body, which nobody reads.
import assert from "node:assert/strict";
import { test } from "vitest";
import { launcherOfFile } from "../support/own-launcher.ts";
import { openRaw } from "../support/raw-http.ts";

const launcher = await launcherOfFile();

for (const [body, header] of [
  ["of 1 GB", "Content-Length: 1000000000"],
  ["without an end", "Transfer-Encoding: chunked"],
] as const) {
  test(`a GET with a body ${body} is answered, and its connection ends instead of being read`, async () => {
    const connection = openRaw(launcher.port);
    connection.socket.write(`GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:${launcher.port}\r\n${header}\r\n\r\n`);
    const [answer] = await connection.answers(1);
    assert.deepEqual([answer?.status, answer?.headers.connection], [200, "close"]);
    await connection.ended;
  });
}

test("a GET with a small body keeps its connection", async () => {
  const connection = openRaw(launcher.port);
  const request = `GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:${launcher.port}\r\nContent-Length: 2\r\n\r\n{}`;
  connection.socket.write(request + request);
  assert.deepEqual(
    (await connection.answers(2)).map(({ status }) => status),
    [200, 200],
  );
  connection.socket.destroy();
});
