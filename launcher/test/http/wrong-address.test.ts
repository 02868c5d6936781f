// Tests of what a developer learns who sends events to a mistyped address, over real HTTP.
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { listRefusals, type Problem } from "@kit/contract";
import { test } from "vitest";
import { httpFolderOfFile } from "../support/http-folder.ts";

const { port, secret } = await httpFolderOfFile({ "index.html": "<!doctype html>" }, () => () => ({}));
const at = (path: string) => `http://127.0.0.1:${port}${path}`;

async function send(path: string): Promise<Problem> {
  const body = JSON.stringify({ eventId: "saga_won", timestamp: "2026-05-03T10:20:30.000Z" });
  const answer = await fetch(at(path), { method: "POST", headers: { "content-type": "application/json" }, body });
  return (await answer.json()) as Problem;
}
const refusals = async () => {
  const answer = await fetch(at(listRefusals.path), { headers: { authorization: `Bearer ${secret}` } });
  return ((await answer.json()) as { refusals: { path: string; status: number }[] }).refusals;
};

for (const [path, meant] of [
  ["/api/recording/triger", "/api/recording/trigger"],
  ["/api/recording/trigger/", "/api/recording/trigger"],
  ["/recording/trigger", "/api/recording/trigger"],
  ["/social/triger", "/api/social/trigger"],
] as const) {
  test(`an event sent to ${path} is answered with the address that was meant`, async () => {
    const { status, detail } = await send(path);
    assert.deepEqual([status, detail], [404, `There is no ${path} here. Did you mean ${meant}?`]);
    const last = (await refusals()).find((refusal) => refusal.path === path);
    assert.equal(last?.status, 404);
  });
}

test("an address that resembles none names the list of operations, and a page's file still asks for GET", async () => {
  assert.match((await send("/api/nothing")).detail, /\/openapi\.json lists the operations/);
  assert.deepEqual((await send("/")).status, 405);
});

test("a known address without a session still asks for one", async () => {
  const answer = await fetch(at("/api/clips"));
  assert.equal(answer.status, 401);
});

test("a connection that sends nothing is closed and leaves no refusal", async () => {
  const before = (await refusals()).length;
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.resume();
  await once(socket, "close");
  assert.equal((await refusals()).length, before);
});
