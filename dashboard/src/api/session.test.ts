// Tests of the sign-in session: the ticket of a sign-in link is removed from the address at once and exchanged for a token,
// which all tabs of the browser share.
import assert from "node:assert/strict";
import { KitError, listGames } from "@kit/contract";
import { afterEach, test, vi } from "vitest";
import { createSignInSession, type SessionState, type SignInSession, ticketFromLink } from "./session.ts";
import { openBrowser } from "./test/browser-model.ts";

afterEach(() => vi.restoreAllMocks());

const answers = (status: number, document: unknown) =>
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(document, { status }));
const signedIn = { token: "secret", pass: "pass", expiresAt: "" };
const refused = { type: "urn:kit:problem:unauthorized", title: "", status: 401, detail: "expired" };
const open: SessionState = { state: "open", pass: "pass" };

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
  answers(201, signedIn);
  const browser = openBrowser();
  const { window, addresses } = browser.newTab("#t=abc");
  const session = createSignInSession(window);
  assert.deepEqual(addresses, ["/"]);
  assert.deepEqual(session.current(), { state: "opening" });
  assert.deepEqual(await settled(session), open);
  assert.deepEqual(createSignInSession(browser.newTab("").window).current(), open);
});

test("a sign-in link may name a page of the dashboard, and nothing else", () => {
  answers(201, signedIn);
  const addressAfter = (hash: string) => {
    const { window, addresses } = openBrowser().newTab(hash);
    createSignInSession(window);
    return addresses;
  };
  assert.deepEqual(addressAfter("#t=abc&page=storage"), ["/#/storage"]);
  assert.deepEqual(addressAfter("#t=abc&page=join/eyJ2_-"), ["/#/join/eyJ2_-"]);
  for (const page of ["", "//evil.example", "%23t=other", "a".repeat(21), "join/a/b", "live/a"]) {
    assert.deepEqual(addressAfter(`#t=abc&page=${page}`), ["/"], page);
  }
});

test("a refused ticket and a launcher that does not answer have different states", async () => {
  answers(401, refused);
  const opened = () => createSignInSession(openBrowser().newTab("#t=abc").window);
  assert.deepEqual(await settled(opened()), { state: "closed", why: "ticket_refused" });
  vi.restoreAllMocks();
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
    throw new TypeError("Failed to fetch");
  });
  assert.deepEqual(await settled(opened()), { state: "closed", why: "unreachable" });
});

test("in a browser without a token, a tab without a ticket is signed out at once", () => {
  assert.deepEqual(createSignInSession(openBrowser().newTab("").window).current(), { state: "closed", why: "none" });
});

test("a session is open until the launcher refuses its token", async () => {
  answers(401, refused);
  const session = createSignInSession(openBrowser(signedIn).newTab("").window);
  assert.deepEqual(session.current(), open);
  await assert.rejects(session.client.call(listGames), KitError);
  assert.deepEqual(session.current(), { state: "closed", why: "ended" });
});

test("a late refusal of an older token ends no newer session, and the request is sent again", async () => {
  const browser = openBrowser({ token: "older", pass: "pass" });
  const session = createSignInSession(browser.newTab("").window);
  const tokens: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (_url, init) => {
    tokens.push(new Headers(init?.headers).get("x-kit-session") ?? "");
    if (tokens.length > 1) return Response.json({ games: [] });
    browser.store({ token: "newer", pass: "pass" });
    return Response.json(refused, { status: 401 });
  });
  await session.client.call(listGames);
  assert.deepEqual([tokens, session.current()], [["older", "newer"], open]);
});

test("a tab whose token was refused is open again when another tab signs in, even with the same token", async () => {
  const browser = openBrowser(signedIn);
  const session = createSignInSession(browser.newTab("").window);
  answers(401, refused);
  await assert.rejects(session.client.call(listGames), KitError);
  vi.restoreAllMocks();
  answers(201, signedIn);
  await settled(createSignInSession(browser.newTab("#t=abc").window));
  assert.deepEqual(session.current(), open);
});

test("a signed-in tab stays signed in when an old link is opened in it", async () => {
  answers(401, refused);
  assert.deepEqual(await settled(createSignInSession(openBrowser(signedIn).newTab("#t=old").window)), open);
});

test("a page that is open stays while a link is redeemed in its tab", async () => {
  answers(201, signedIn);
  const tab = openBrowser(signedIn).newTab("");
  const session = createSignInSession(tab.window);
  tab.goTo("#t=abc");
  assert.deepEqual(session.current(), open);
  assert.deepEqual(await settled(session), open);
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
    answers(201, signedIn);
    const browser = openBrowser();
    const waiting = createSignInSession(browser.newTab(waitsFor).window);
    assert.deepEqual(waiting.current(), { state: "closed", why: "none" });
    const { window } = browser.newTab(link);
    await settled(createSignInSession(window));
    assert.deepEqual([window.location.hash, waiting.current()], [shown, open], `${link} ${waitsFor}`);
    vi.restoreAllMocks();
  }
});

test("a tab that is signed in shows no invitation to another one that signs in", async () => {
  answers(201, { ...signedIn, token: "newer" });
  const browser = openBrowser(signedIn);
  createSignInSession(browser.newTab("#/join/eyJ2_-").window);
  const { window } = browser.newTab("#t=abc");
  await settled(createSignInSession(window));
  assert.equal(window.location.hash, "");
});
