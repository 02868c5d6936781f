// Tests of the page's addresses: every address that the page creates can be parsed again.
import assert from "node:assert/strict";
import { bindings } from "@kit/contract";
import { test } from "vitest";
import {
  accountsAddress,
  clipsAddress,
  connectAddress,
  eventIdFromRuleLink,
  eventPostAddress,
  forwardingAddress,
  issuesAddress,
  parseAddress,
  postRulesAddress,
  postsAddress,
  recorderAddress,
  rowAddress,
  rowFromAddress,
  sessionsAddress,
} from "./address.ts";

test("an address of the Connect page opens it, with the engine that it names", () => {
  assert.deepEqual(parseAddress(connectAddress()), { page: "connect" });
  for (const binding of bindings) assert.deepEqual(parseAddress(connectAddress(binding)), { page: "connect", binding });
});

test("an unknown engine in the address selects no engine", () => {
  for (const fragment of ["#/connect/", "#/connect/unreal", "#/connect/Godot", "#/connect/__proto__"]) {
    assert.deepEqual(parseAddress(fragment), { page: "connect" }, fragment);
  }
});

test("an address of the gallery, the player, the recorder or forwarding opens its page", () => {
  assert.deepEqual(parseAddress(clipsAddress()), { page: "clips" });
  assert.deepEqual(parseAddress(clipsAddress(undefined, "kind=marker")), { page: "clips" });
  const clip = "01990000-0000-7000-8000-000000000001";
  assert.deepEqual(parseAddress(clipsAddress(clip)), { page: "clips", clip });
  assert.deepEqual(parseAddress(clipsAddress(clip, "game=a%2Fb%3Fc")), { page: "clips", clip });
  assert.deepEqual(parseAddress(recorderAddress), { page: "recorder" });
  assert.deepEqual(parseAddress(forwardingAddress), { page: "forwarding" });
  assert.deepEqual(parseAddress("#/join/eyJ2_-"), { page: "join", invitation: "eyJ2_-" });
});

test("an invalid clip id in the address opens the gallery", () => {
  for (const fragment of ["#/clips/", "#/clips/..%2f..", "#/clips/a b", `#/clips/${"x".repeat(65)}`]) {
    assert.deepEqual(parseAddress(fragment), { page: "clips" }, fragment);
  }
});

test("an address of the Issues page opens the list, or the issue that it names", () => {
  assert.deepEqual(parseAddress(issuesAddress()), { page: "issues" });
  const issue = "01990000-0000-7000-8000-000000000001";
  assert.deepEqual(parseAddress(issuesAddress(issue, "state=muted&event=x")), { page: "issues", issue });
  for (const fragment of ["#/issues/", "#/issues/..%2f..", `#/issues/${"x".repeat(65)}`]) {
    assert.deepEqual(parseAddress(fragment), { page: "issues" }, fragment);
  }
});

test("an address of the Sessions page opens the list, or the session that it names", () => {
  assert.deepEqual(parseAddress(sessionsAddress()), { page: "sessions" });
  const session = "01990000-0000-7000-8000-000000000001";
  assert.deepEqual(parseAddress(sessionsAddress(session, "game=saga&at=x")), { page: "sessions", session });
  for (const fragment of ["#/sessions/", "#/sessions/..%2f..", `#/sessions/${"x".repeat(65)}`]) {
    assert.deepEqual(parseAddress(fragment), { page: "sessions" }, fragment);
  }
});

test("an address of the posts, the accounts or the post rules opens its page, with or without a query", () => {
  assert.deepEqual(parseAddress(postsAddress()), { page: "posts" });
  assert.deepEqual(parseAddress(postsAddress("state=failed")), { page: "posts" });
  assert.deepEqual(parseAddress(eventPostAddress("01990000-0000-7000-8000-000000000001")), { page: "posts" });
  assert.deepEqual(parseAddress(accountsAddress), { page: "accounts" });
  assert.deepEqual(parseAddress(postRulesAddress()), { page: "post-rules" });
  assert.deepEqual(parseAddress(postRulesAddress("a&b=c#d?e/f")), { page: "post-rules" });
  assert.equal(eventIdFromRuleLink(postRulesAddress("a&b=c#d?e/f")), "a&b=c#d?e/f");
  assert.equal(eventIdFromRuleLink(postRulesAddress()), undefined);
});

test("any other address, also one with a ticket, opens the Home page", () => {
  for (const fragment of ["", "#", "#/", "#/home", "#t=abc", "#/connected", "#connect", "#/clip", "#/recorders"]) {
    assert.deepEqual(parseAddress(fragment), { page: "home" }, fragment);
  }
  assert.deepEqual(parseAddress("#/live?game=connect"), { page: "live" });
});

test("a row's address contains its key, whatever characters the key has", () => {
  for (const key of ["0198c2a4-0000-7000-8000-000000000001", "refusal 17 2026-01-31T12:00:00.000Z", "a&b=c#d?e/f"]) {
    assert.equal(rowFromAddress(rowAddress(key)), key);
    assert.deepEqual(parseAddress(rowAddress(key)), { page: "live" });
  }
  assert.equal(rowFromAddress("#/live?game=x"), undefined);
});
