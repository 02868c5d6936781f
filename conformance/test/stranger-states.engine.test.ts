// Tests of the stand-in's foreign-server states: each behaves as described in conformance/README.md.
import assert from "node:assert/strict";
import { gunzipSync, constants as zlib } from "node:zlib";
import { describe, test } from "vitest";
import { until } from "../../launcher/test/support/until.ts";
import type { LauncherState } from "../src/case.ts";
import { answerOf, body, connected, inState, send } from "./asking.ts";

describe("the stand-in in state", { concurrent: true }, () => {
  for (const [state, ...parts] of [
    ["wants-password", /^HTTP\/1\.1 401 /, /^www-authenticate: Basic realm=".+"\r$/im],
    ["wants-proxy-password", /^HTTP\/1\.1 407 /, /^proxy-authenticate: Basic realm=".+"\r$/im],
    ["latin1-status", /^HTTP\/1\.1 202 D\u00e9j\u00e0 re\u00e7u\r$/m, /^x-place: M\u00fcnchen\r$/m],
    ["sets-cookies", /^HTTP\/1\.1 202 /, /^set-cookie: stranger=1; Path=\/\r$/im],
  ] as const satisfies readonly (readonly [LauncherState, ...RegExp[]])[]) {
    test(`${state}: sends the described head`, () =>
      inState(state, async (standIn) => {
        const answer = await answerOf(standIn);
        for (const part of parts) assert.match(answer, part);
        assert.equal(standIn.arrivals.length, 1);
      }));
  }

  test("redirects-to-itself: redirects to the requested address", () =>
    inState("redirects-to-itself", async (standIn) => {
      const answer = await answerOf(standIn);
      assert.match(answer, /^HTTP\/1\.1 307 /);
      assert.match(answer, /^location: http:\/\/127\.0\.0\.1:1\/api\/recording\/trigger\r$/im);
    }));

  test("refreshes: names another address, and records the requests there", () =>
    inState("refreshes", async (standIn) => {
      const [, address = ""] = /^refresh: 0; url=(.*)\r$/im.exec(await answerOf(standIn)) ?? [];
      assert.notEqual(new URL(address).port, new URL(standIn.url).port);
      await fetch(address);
      assert.deepEqual(
        standIn.followed.map(({ method }) => method),
        ["GET"],
      );
    }));

  test("switches-protocol: sends 101 and keeps the connection open", () =>
    inState("switches-protocol", async (standIn) => {
      const client = await connected(standIn);
      send(client);
      await until("the head arrived", () => client.text().endsWith("\r\n\r\n"));
      assert.match(client.text(), /^HTTP\/1\.1 101 [\s\S]*^upgrade: websocket\r$/m);
      assert.equal(client.socket.closed, false);
    }));

  test("continues-forever: sends 100 Continue again and again", () =>
    inState("continues-forever", async (standIn) => {
      const client = await connected(standIn);
      send(client);
      await until("a hundred arrived", () => client.text().split("HTTP/1.1 100 Continue\r\n\r\n").length > 100);
      assert.equal(standIn.arrivals[0]?.closedAtMs, undefined);
      client.socket.destroy();
      await until("the closed connection is recorded", () => standIn.arrivals[0]?.closedAtMs !== undefined);
    }));

  test("headers-forever: never ends its head, and stops at 64 MB", () =>
    inState("headers-forever", async (standIn) => {
      const client = await connected(standIn);
      send(client);
      await until("64 MB arrived", () => client.bytes() > 64 * 1024 * 1024);
      assert.doesNotMatch(client.text().slice(-100_000), /\r\n\r\n/);
      client.socket.destroy();
      await until("the sent bytes are counted", () => (standIn.arrivals[0]?.answeredBytes ?? 0) > 64 * 1024 * 1024);
      assert.ok(client.bytes() < 65 * 1024 * 1024);
    }));

  test("gzip-bomb: sends data that unpacks to a thousand times its size, and never ends", () =>
    inState("gzip-bomb", async (standIn) => {
      const client = await connected(standIn);
      send(client);
      // Chunked encoding with one chunk and no end.
      const packed = () =>
        Buffer.from(
          client
            .text()
            .split("\r\n\r\n")[1]
            ?.replace(/^[0-9a-f]+\r\n/, "") ?? "",
          "latin1",
        );
      await until("the whole chunk arrived", () => packed().length > 60_000 && client.text().endsWith("\r\n"));
      const unpacked = gunzipSync(packed().subarray(0, -2), { finishFlush: zlib.Z_SYNC_FLUSH });
      assert.equal(unpacked.length, 64 * 1024 * 1024);
      assert.match(client.text(), /^content-encoding: gzip\r$/im);
      assert.equal(client.socket.closed, false);
    }));

  test("wants-password: lets a web page read its answer", () =>
    inState("wants-password", async ({ url }) => {
      const answer = await fetch(url, { method: "POST", body, headers: { origin: "https://game.example" } });
      assert.equal(answer.headers.get("access-control-allow-origin"), "https://game.example");
    }));
});
