// Each state of the stand-in behaves as described in conformance/README.md.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { answerOf, body, connected, inState, send, until } from "./asking.ts";

describe("a launcher that", { concurrency: true }, () => {
  test("answers gives 202 and a receipt, and keeps every byte of the request", () =>
    inState("answers", async (standIn) => {
      assert.match(await answerOf(standIn), /^HTTP\/1\.1 202 [\s\S]*\{"id":"[-0-9a-f]{36}","status":"accepted"\}/);
      const [arrival] = standIn.arrivals;
      assert.deepEqual(
        [arrival?.method, arrival?.target, String(arrival?.body)],
        ["POST", "/api/recording/trigger", body],
      );
      assert.deepEqual(
        arrival?.headers.filter(([name]) => name === "x-twice"),
        [
          ["x-twice", "a"],
          ["x-twice", "b"],
        ],
      );
      assert.equal(standIn.arrivals.length, 1);
    }));

  test("answers does so on both loopback addresses", () =>
    inState("answers", async (standIn) => {
      assert.match(await answerOf(standIn, "::1"), /^HTTP\/1\.1 202 /);
      assert.equal(standIn.arrivals.length, 1);
    }));

  test("fails gives 500", () =>
    inState("fails", async (standIn) => assert.match(await answerOf(standIn), /^HTTP\/1\.1 500 /)));

  test("rejects gives 503, a problem document and Retry-After", () =>
    inState("rejects", async (standIn) => {
      const answer = await answerOf(standIn);
      assert.match(answer, /^HTTP\/1\.1 503 /);
      assert.match(answer, /^content-type: application\/problem\+json\r$/im);
      assert.match(answer, /^retry-after: 1\r$/im);
    }));

  test("redirects gives 307 to another address, which records what follows", () =>
    inState("redirects", async (standIn) => {
      const [, location = ""] = /^location: (.*)\r$/im.exec(await answerOf(standIn)) ?? [];
      const other = new URL(location);
      assert.notEqual(other.port, new URL(standIn.url).port);
      await fetch(other, { method: "POST", body });
      assert.deepEqual(
        standIn.followed.map(({ target }) => target),
        ["/api/recording/trigger"],
      );
      assert.equal(standIn.arrivals.length, 1);
    }));

  test("hangs reads the request, says nothing and keeps the connection", () =>
    inState("hangs", async (standIn) => {
      const client = await connected(standIn);
      send(client);
      await until("the request arrived", () => standIn.arrivals.length === 1);
      await pause(300);
      assert.equal(client.bytes(), 0);
      assert.equal(client.socket.closed, false);
      assert.equal(standIn.arrivals[0]?.closedAtMs, undefined);
      client.socket.destroy();
      await until("it is noticed", () => standIn.arrivals[0]?.closedAtMs !== undefined);
    }));

  test("drops closes without a word once the request is there", () =>
    inState("drops", async (standIn) => {
      assert.equal(await answerOf(standIn), "");
      assert.equal(standIn.arrivals.length, 1);
    }));

  test("slow answers after two seconds", () =>
    inState("slow", async (standIn) => {
      const beganMs = performance.now();
      assert.match(await answerOf(standIn), /^HTTP\/1\.1 202 /);
      assert.ok(performance.now() - beganMs > 1_950);
    }));

  test("floods never ends, and counts what was taken", () =>
    inState("floods", async (standIn) => {
      const client = await connected(standIn);
      send(client);
      await until("100 MB came", () => client.bytes() > 100_000_000);
      assert.equal(client.socket.closed, false);
      assert.match(client.text().slice(0, 20), /^HTTP\/1\.1 202 /);
      client.socket.destroy();
      await until("it is counted", () => (standIn.arrivals[0]?.answeredBytes ?? 0) > 100_000_000);
    }));

  test("floods stops where nobody reads", () =>
    inState("floods", async (standIn) => {
      const client = await connected(standIn);
      client.socket.pause();
      send(client);
      await until("the request arrived", () => standIn.arrivals.length === 1);
      await pause(500);
      client.socket.destroy();
      await until("it is counted", () => (standIn.arrivals[0]?.answeredBytes ?? 0) > 0);
      assert.ok((standIn.arrivals[0]?.answeredBytes ?? 0) < 32_000_000);
    }));

  test("babbles answers what is not HTTP, and ends", () =>
    inState("babbles", async (standIn) => assert.match(await answerOf(standIn), /this is no HTTP/)));

  test("refuses has nobody at its port", () =>
    inState("refuses", async (standIn) => {
      await assert.rejects(connected(standIn), { code: "ECONNREFUSED" });
    }));

  test("is absent never completes a connection", () =>
    inState("absent", async ({ url }) => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      socket.on("error", () => undefined);
      await pause(1_500);
      assert.equal(socket.connecting, true);
      socket.destroy();
    }));

  test("is in any state answers a browser's question beforehand, and keeps it from what arrived", () =>
    inState("hangs", async (standIn) => {
      const answer = await fetch(standIn.url, { method: "OPTIONS", headers: { origin: "https://game.example" } });
      assert.equal(answer.status, 204);
      assert.equal(answer.headers.get("access-control-allow-origin"), "https://game.example");
      assert.equal(standIn.arrivals.length, 0);
    }));
});
