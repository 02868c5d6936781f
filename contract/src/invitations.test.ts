// Tests of the text form of an invitation.
import assert from "node:assert/strict";
import { test } from "vitest";
import {
  decodeInvitation,
  encodeInvitation,
  hasForeignLetters,
  type Invitation,
  invitationLink,
} from "./invitations.ts";

const invitation: Invitation = {
  version: 1,
  studio: "灯台ゲームズ <b>",
  text: "Für den Test.\nFragen? ??>>~~ \u{1f3ee}",
  kind: "sentry",
  address: "https://0123456789abcdef0123456789abcdef@errors.example.com/4",
  game: null,
  environment: null,
  asks: ["installation"],
};

test("an invitation is the same after its way through a link, its code and a file", () => {
  const link = invitationLink(invitation, 9_876);
  const forms = [link, `  ${link}\n`, encodeInvitation(invitation), JSON.stringify(invitation, null, 2)];
  for (const form of forms) assert.deepEqual(decodeInvitation(form), invitation);
  assert.match(link, /^http:\/\/127\.0\.0\.1:9876\/#\/join\/[\w-]+$/);
});

test("a text that is no invitation, or only a part of one, is not decoded", () => {
  const link = invitationLink(invitation, 9_876);
  for (const text of ["", "hello", "https://example.com/", link.slice(0, -8), "{", "null", "/1", "%"])
    assert.equal(decodeInvitation(text), undefined, text);
});

test("a text that is longer than any invitation is not decoded", () => {
  const padded = (length: number) => JSON.stringify(invitation).padEnd(length);
  assert.deepEqual(decodeInvitation(padded(100_000)), invitation);
  assert.equal(decodeInvitation(padded(100_001)), undefined);
});

test("letters outside of ASCII in a host name are recognised", () => {
  assert.equal(hasForeignLetters(new URL("https://sentrу.io").host), true);
  assert.equal(hasForeignLetters(new URL("https://o1.sentry.io:443").host), false);
});
