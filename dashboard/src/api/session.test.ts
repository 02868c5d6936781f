// Tests of the sign-in session: the ticket of a sign-in link is removed from the address at once and exchanged for a token.
import assert from "node:assert/strict";
import { afterEach, test, vi } from "vitest";
import {
  createSignInSession,
  type SessionState,
  type SessionWindow,
  type SignInSession,
  type TabChannel,
  ticketFromLink,
} from "./session.ts";

afterEach(() => vi.restoreAllMocks());

function windowAt(hash: string, kept: Record<string, string> = {}) {
  const addresses: string[] = [];
  const stored = new Map(Object.entries(kept));
  const window: SessionWindow = {
    location: { hash, pathname: "/" },
    history: {
      replaceState(_state, _title, address) {
        addresses.push(String(address));
        window.location.hash = new URL(String(address), "http://127.0.0.1").hash;
      },
    },
    sessionStorage: {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
      removeItem: (key) => void stored.delete(key),
    },
    addEventListener: () => {},
  };
  return { window, addresses, stored };
}

const loneTab = (): TabChannel => ({ postMessage: () => {}, onmessage: null });

/** Two tabs of one browser that receive each other's messages. */
function tabPair(): [TabChannel, TabChannel] {
  const one = loneTab();
  const other = loneTab();
  const deliverTo = (tab: TabChannel) => (data: unknown) =>
    tab.onmessage?.call(tab as BroadcastChannel, { data } as MessageEvent);
  one.postMessage = deliverTo(other);
  other.postMessage = deliverTo(one);
  return [one, other];
}

const answers = (status: number, document: unknown) =>
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(document, { status }));

const settled = (session: SignInSession) =>
  new Promise<SessionState>((resolve) => {
    const stop = session.subscribe(() => {
      if (session.current().state === "opening") return;
      stop();
      resolve(session.current());
    });
  });

test("a ticket is read from the address fragment", () => {
  assert.equal(ticketFromLink("#t=abc_-9"), "abc_-9");
  assert.equal(ticketFromLink("#/live?kind=social"), undefined);
  assert.equal(ticketFromLink(""), undefined);
});

test("the ticket is removed from the address before the launcher answers, and the token is stored", async () => {
  answers(201, { token: "secret", expiresAt: "" });
  const { window, addresses, stored } = windowAt("#t=abc");
  const session = createSignInSession(window, loneTab());
  assert.deepEqual(addresses, ["/"]);
  assert.deepEqual(session.current(), { state: "opening" });
  assert.deepEqual(await settled(session), { state: "open" });
  assert.equal(stored.get("kit-session"), "secret");
});

test("a sign-in link may name a page of the dashboard, and nothing else", () => {
  answers(201, { token: "secret", expiresAt: "" });
  const addressAfter = (hash: string) => {
    const { window, addresses } = windowAt(hash);
    createSignInSession(window, loneTab());
    return addresses;
  };
  assert.deepEqual(addressAfter("#t=abc&page=storage"), ["/#/storage"]);
  assert.deepEqual(addressAfter("#t=abc&page=join/eyJ2_-"), ["/#/join/eyJ2_-"]);
  for (const page of ["", "//evil.example", "%23t=other", "a".repeat(21), "join/a/b", "live/a"]) {
    assert.deepEqual(addressAfter(`#t=abc&page=${page}`), ["/"], page);
  }
});

test("a refused ticket and a launcher that does not answer have different states", async () => {
  answers(401, { type: "urn:kit:problem:unauthorized", title: "", status: 401, detail: "expired" });
  assert.deepEqual(await settled(createSignInSession(windowAt("#t=abc").window, loneTab())), {
    state: "closed",
    why: "ticket_refused",
  });
  vi.restoreAllMocks();
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
    throw new TypeError("Failed to fetch");
  });
  assert.deepEqual(await settled(createSignInSession(windowAt("#t=abc").window, loneTab())), {
    state: "closed",
    why: "unreachable",
  });
});

test("without a ticket or token the session is closed, once no other tab has answered", async () => {
  const session = createSignInSession(windowAt("").window, loneTab());
  assert.deepEqual(session.current(), { state: "opening" });
  assert.deepEqual(await settled(session), { state: "closed", why: "none" });
});

test("a session with a token is open until it ends", () => {
  const { window, stored } = windowAt("", { "kit-session": "secret" });
  const session = createSignInSession(window, loneTab());
  assert.deepEqual(session.current(), { state: "open" });
  session.end();
  assert.deepEqual(session.current(), { state: "closed", why: "ended" });
  assert.equal(stored.has("kit-session"), false);
});

test("a new tab gets the token from a tab that is signed in", () => {
  const [one, other] = tabPair();
  createSignInSession(windowAt("", { "kit-session": "secret" }).window, one);
  const { window, stored } = windowAt("");
  assert.deepEqual(createSignInSession(window, other).current(), { state: "open" });
  assert.equal(stored.get("kit-session"), "secret");
});

test("an open tab continues with the token of a newer session", async () => {
  answers(201, { token: "newer", expiresAt: "" });
  const [one, other] = tabPair();
  const before = windowAt("", { "kit-session": "older" });
  const session = createSignInSession(before.window, one);
  await settled(createSignInSession(windowAt("#t=abc").window, other));
  assert.equal(before.stored.get("kit-session"), "newer");
  assert.deepEqual(session.current(), { state: "open" });
});

test("a signed-in tab stays signed in when an old link is opened in it", async () => {
  answers(401, { type: "urn:kit:problem:unauthorized", title: "", status: 401, detail: "expired" });
  const session = createSignInSession(windowAt("#t=old", { "kit-session": "secret" }).window, loneTab());
  assert.deepEqual(await settled(session), { state: "open" });
});

test("a tab that signs in shows the invitation for which another tab waits, unless its link names a page", async () => {
  const invitation = "#/join/eyJ2_-";
  const cases = [
    ["#t=abc", invitation, invitation],
    ["#t=abc&page=storage", invitation, "#/storage"],
    ["#t=abc", "#/issues", ""],
    ["#t=abc", "#/join/a/b", ""],
  ] as const;
  for (const [link, waitsFor, shown] of cases) {
    answers(201, { token: "secret", expiresAt: "" });
    const [one, other] = tabPair();
    const waiting = createSignInSession(windowAt(waitsFor).window, one);
    assert.deepEqual(await settled(waiting), { state: "closed", why: "none" });
    const { window } = windowAt(link);
    await settled(createSignInSession(window, other));
    assert.deepEqual([window.location.hash, waiting.current()], [shown, { state: "open" }], `${link} ${waitsFor}`);
    vi.restoreAllMocks();
  }
});

test("a tab that is signed in shows no invitation to another one that signs in", async () => {
  answers(201, { token: "secret", expiresAt: "" });
  const [one, other] = tabPair();
  createSignInSession(windowAt("#/join/eyJ2_-", { "kit-session": "secret" }).window, one);
  const { window } = windowAt("#t=abc");
  await settled(createSignInSession(window, other));
  assert.equal(window.location.hash, "");
});
