// Tests of the sign-in session over HTTP: how a client signs in, what the cookie and the token are for, and that no secret leaks.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { launcherOfFile, startOwnLauncher } from "../support/own-launcher.ts";
import { openRaw, type RawAnswer, type RawConnection, requestBytes, sendRaw } from "../support/raw-http.ts";
import { patienceMs, until } from "../support/until.ts";

const launcher = await launcherOfFile();
const self = `http://127.0.0.1:${launcher.port}`;

type Headers = Readonly<Record<string, string>>;

async function ask(method: string, target: string, headers: Headers, body?: unknown): Promise<RawAnswer> {
  const typed = body === undefined ? headers : { "content-type": "application/json", ...headers };
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await sendRaw(
    launcher.port,
    requestBytes(launcher.port, { method, target, headers: Object.entries(typed), ...text }),
  );
  assert.ok(answer);
  return answer;
}

async function ticket(): Promise<string> {
  return (await launcher.api("POST", "/api/tickets")).json<{ ticket: string }>().ticket;
}

const trade = (given: string, headers: Headers = { origin: self }) =>
  ask("POST", "/api/session", headers, { ticket: given });

/** Signs in like the dashboard. The headers carry the cookie and the token. */
async function signIn(): Promise<{ cookie: string; "x-kit-session": string }> {
  const answer = await trade(await ticket());
  assert.equal(answer.status, 201, answer.body);
  const [cookie = ""] = (answer.headers["set-cookie"] ?? "").split(";");
  return { cookie, "x-kit-session": (JSON.parse(answer.body) as { token: string }).token };
}

test("a ticket opens a session whose cookie no script and no other site gets", async () => {
  const answer = await trade(await ticket());
  const attributes = (answer.headers["set-cookie"] ?? "").split(/;\s*/).slice(1);
  assert.deepEqual(attributes.filter((attribute) => !attribute.startsWith("Max-Age=")).toSorted(), [
    "HttpOnly",
    "Path=/api",
    "SameSite=Strict",
  ]);
  assert.equal(answer.headers["cache-control"], "no-store");
});

test("a ticket works once, for the dashboard's own page only", async () => {
  const given = await ticket();
  for (const headers of [
    {},
    { origin: "http://localhost:1" },
    { origin: "null" },
    { origin: self, "sec-fetch-site": "same-site" },
  ] as Headers[]) {
    assert.equal((await trade(given, headers)).status, 403);
  }
  assert.equal((await trade(given)).status, 201, "the refused attempts did not use it");
  assert.equal((await trade(given)).status, 401);
  assert.equal((await trade("x")).status, 401);
});

test("a ticket redeemed with the cookie of an open session gives its token again, and sets no cookie", async () => {
  const { cookie, "x-kit-session": token } = await signIn();
  for (const isRestarted of [false, true]) {
    if (isRestarted) await launcher.restart();
    const again = await trade(await ticket(), { origin: self, cookie });
    assert.deepEqual([again.status, again.headers["set-cookie"]], [201, undefined]);
    assert.equal((JSON.parse(again.body) as { token: string }).token, token);
  }
});

test("the cookie of an open session gets a token only with a ticket, whatever headers are sent with it", async () => {
  const { cookie } = await signIn();
  const page = { origin: self, "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" };
  assert.equal((await trade("x", { ...page, cookie })).status, 401);
  const used = await ticket();
  assert.equal((await trade(used, page)).status, 201);
  assert.equal((await trade(used, { ...page, cookie })).status, 401);
});

test("from the sixth wrong ticket on each waits a second, and a valid ticket still works", async () => {
  for (let guess = 0; guess < 5; guess += 1) assert.equal((await trade(`guess-${guess}`)).status, 401);
  const beganMs = performance.now();
  assert.equal((await trade("guess-5")).status, 401);
  assert.ok(performance.now() - beganMs >= 990, "the sixth guess was answered at once");
  assert.equal((await trade(await ticket())).status, 201);
});

test("the API requires the cookie and the token together", async () => {
  const { cookie, "x-kit-session": token } = await signIn();
  const other = await signIn();
  const rows: readonly (readonly [headers: Headers, status: number])[] = [
    [{ cookie, "x-kit-session": token }, 200],
    [{ cookie, "x-kit-session": token, origin: self, "sec-fetch-site": "same-origin" }, 200],
    [{ cookie: `a=b; ${cookie}; c=d`, "x-kit-session": token }, 200],
    [{ cookie }, 401],
    [{ "x-kit-session": token }, 401],
    [{ cookie, "x-kit-session": other["x-kit-session"] }, 401],
    [{ cookie, "x-kit-session": "" }, 401],
    [{ cookie: cookie.replace(/=.*/, "="), "x-kit-session": token }, 401],
    [{ cookie, "x-kit-session": token, origin: "http://localhost:1" }, 403],
    [{ cookie, "x-kit-session": token, "sec-fetch-site": "same-site" }, 403],
  ];
  for (const [headers, status] of rows)
    assert.equal((await ask("GET", "/api/events", headers)).status, status, JSON.stringify(headers));
});

test("a change by session must come from the dashboard's own page", async () => {
  const halves = await signIn();
  const change = (headers: Headers) => ask("PUT", "/api/services", { ...halves, ...headers }, { social: true });
  assert.equal((await change({ origin: self })).status, 200);
  assert.equal((await change({})).status, 401);
  assert.equal((await change({ "sec-fetch-site": "same-origin" })).status, 401);
  assert.equal((await change({ origin: "http://localhost:1" })).status, 403);
});

test("the install secret is accepted from programs, never from a browser", async () => {
  const authorization = `Bearer ${launcher.secret()}`;
  assert.equal((await ask("GET", "/api/events", { authorization })).status, 200);
  for (const headers of [{ origin: self }, { "sec-fetch-site": "same-origin" }] as Headers[]) {
    assert.equal((await ask("GET", "/api/events", { authorization, ...headers })).status, 401);
  }
  for (const wrong of [
    "",
    "Bearer ",
    `${authorization}0`,
    authorization.slice(0, -1),
    authorization.toLowerCase().replace("bearer", "Basic"),
  ]) {
    assert.equal((await ask("GET", "/api/events", { authorization: wrong })).status, 401, wrong);
  }
});

test("a session survives a restart, and ends when it is closed", async () => {
  const halves = await signIn();
  await launcher.restart();
  assert.equal((await ask("GET", "/api/events", halves)).status, 200);
  const closed = await ask("DELETE", "/api/session", { ...halves, origin: self });
  assert.equal(closed.status, 204);
  assert.match(closed.headers["set-cookie"] ?? "", /^\w+=;.*Max-Age=0/);
  assert.equal((await ask("GET", "/api/events", halves)).status, 401);
});

test("signing out ends the feeds of a session, and a program's feed only until it connects again", async () => {
  const halves = await signIn();
  const feedWith = async (headers: Headers) => {
    const { socket, received, ended } = openRaw(launcher.port);
    socket.write(requestBytes(launcher.port, { target: "/api/feed", headers: Object.entries(headers) }));
    await until("the feed is open", () => received().includes("Kit's live feed") || undefined);
    return { socket, ended };
  };
  const followers = [await feedWith(halves), await feedWith({ authorization: `Bearer ${launcher.secret()}` })];
  assert.equal((await ask("DELETE", "/api/session", { ...halves, origin: self })).status, 204);
  for (const { ended } of followers) await ended;
  assert.equal((await ask("GET", "/api/feed", halves)).status, 401);
  (await feedWith({ authorization: `Bearer ${launcher.secret()}` })).socket.destroy();
});

test("no session, ticket, pass, link or secret is in a file, the log or an answer", async () => {
  const halves = await signIn();
  const unused = await ticket();
  const page = { ...halves, origin: self };
  const again = await trade(await ticket(), { origin: self, cookie: halves.cookie });
  const { pass } = JSON.parse(again.body) as { pass: string };
  const made = await ask("POST", "/api/session/download", page, { address: "/api/export" });
  const { address } = JSON.parse(made.body) as { address: string };
  for (const target of [`/api/clips/none/video?pass=${pass}`, `/api/nothing?pass=${pass}`, `${address}&x`]) {
    assert.ok((await ask("GET", target, { cookie: halves.cookie })).status >= 400);
  }
  await launcher.report("m");
  const secret = launcher.secret();
  const answers = await Promise.all(
    ["/api/events", "/api/games", "/api/origins", "/api/health", "/api/refusals"].map((path) =>
      launcher.api("GET", path),
    ),
  );
  await launcher.stop();
  const files = readdirSync(launcher.dataDir, { recursive: true }).map((name) => join(launcher.dataDir, String(name)));
  const texts = files
    .filter((path) => statSync(path).isFile() && !path.endsWith("/secret"))
    .map((path) => readFileSync(path, "latin1"));
  const haystack = [...texts, launcher.output(), ...answers.map(({ text }) => text)].join("\n");
  for (const canary of [
    halves.cookie.replace(/^[^=]*=/, ""),
    halves["x-kit-session"],
    unused,
    secret,
    pass,
    address.slice(-43),
  ]) {
    assert.ok(canary.length >= 43);
    assert.ok(!haystack.includes(canary), "a secret is readable");
  }
  await launcher.restart();
});

test("the 17th reader of the feed is refused, and gets a place when another one leaves", async () => {
  const authorization = `Bearer ${launcher.secret()}`;
  const bytes = requestBytes(launcher.port, { target: "/api/feed", headers: [["Authorization", authorization]] });
  const follow = async (): Promise<RawConnection> => {
    const connection = openRaw(launcher.port);
    connection.socket.write(bytes);
    while (!connection.received().includes("\r\n\r\n"))
      await new Promise((resolve) => connection.socket.once("data", resolve));
    return connection;
  };
  const followers: RawConnection[] = [];
  for (let count = 0; count < 16; count += 1) followers.push(await follow());
  const refused = await ask("GET", "/api/feed", { authorization });
  assert.equal(refused.status, 429);
  assert.match(refused.headers["content-type"] ?? "", /^application\/problem\+json/);
  assert.ok(Number(refused.headers["retry-after"]) > 0);
  assert.match(refused.body, /too_many_requests/);
  followers[0]?.socket.destroy();
  await followers[0]?.ended;
  const endsMs = performance.now() + patienceMs;
  let next = await follow();
  while (!next.received().toString("latin1").startsWith("HTTP/1.1 200 ")) {
    assert.ok(performance.now() < endsMs, "the place stayed taken");
    next = await follow();
  }
  for (const { socket } of [...followers, next]) socket.destroy();
});

const tenYearsMs = 3_652 * 86_400_000;
for (const [way, byMs] of [
  ["on", tenYearsMs],
  ["back", -tenYearsMs],
] as const) {
  test(`a clock that jumps ten years ${way} and is corrected signs nobody out`, async () => {
    let aheadMs = 0;
    const own = await startOwnLauncher({ now: () => Date.now() + aheadMs });
    try {
      const page = `http://127.0.0.1:${own.port}`;
      const json = { "content-type": "application/json", origin: page };
      const newTicket = async () =>
        (await own.api("POST", "/api/tickets")).json<{ ticket: string; expiresAt: string }>();
      const body = JSON.stringify({ ticket: (await newTicket()).ticket });
      const opened = await fetch(`${page}/api/session`, { method: "POST", headers: json, body });
      const [cookie = ""] = (opened.headers.get("set-cookie") ?? "").split(";");
      const halves = { cookie, "x-kit-session": ((await opened.json()) as { token: string }).token };
      const statusNow = async () => (await fetch(`${page}/api/games`, { headers: halves })).status;
      assert.equal(await statusNow(), 200);
      for (aheadMs of [byMs, 0]) {
        const { expiresAt } = await newTicket();
        assert.ok(Math.abs(Date.parse(expiresAt) - Date.now() - aheadMs) < 600_000, "the launcher has that clock");
        assert.equal(await statusNow(), 200, `ahead by ${aheadMs}`);
      }
      await own.restart();
      assert.equal(await statusNow(), 200, "after a restart");
    } finally {
      await own[Symbol.asyncDispose]();
    }
  });
}

test("a cookie of the same name that another program set, for a longer path, locks nobody out", async () => {
  const { cookie, ...token } = await signIn();
  const [name = ""] = cookie.split("=");
  const both = { cookie: `${name}=${"x".repeat(43)}; ${cookie}`, ...token };
  assert.equal((await ask("GET", "/api/events", both)).status, 200);
  const again = await trade(await ticket(), { origin: self, cookie: both.cookie });
  assert.equal(again.headers["set-cookie"], undefined, "the browser keeps its session");
  assert.equal((await ask("DELETE", "/api/session", { ...both, origin: self })).status, 204);
  assert.equal((await ask("GET", "/api/events", both)).status, 401);
});

test("headers that are too large because of a browser's cookies say what to delete", async () => {
  const answer = await ask("GET", "/", { cookie: `a=${"x".repeat(20_000)}` });
  assert.equal(answer.status, 431);
  assert.match(answer.body, /delete its cookies of 127\.0\.0\.1/);
});
