// Requests every declared operation as every kind of client, over real HTTP, so that a new operation is covered at once.
// The operations are replaced by counters; authorization is the real code.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { Agent, request } from "node:http";
import {
  type Access,
  createDownloadLink,
  linkParameter,
  type Operation,
  openSignInSession,
  operations,
  passParameter,
  sessionCookie,
  sessionHeader,
} from "@kit/contract";
import { afterAll, test } from "vitest";
import { httpFolderOfFile } from "../support/http-folder.ts";

const hourMs = 3_600_000;
let passedMs = 0;
/** Ids of the operations that were carried out. */
let reached: string[] = [];

/** Stands in for a slice. */
const standIn = (operation: Operation) => (_call: unknown, reply: { send(text: string): void }) => {
  reached.push(operation.id);
  if (operation.stream || operation.file) reply.send("carried out");
  return operation.access === "ingest" ? { status: "accepted" } : {};
};

const zip = "a package";
const sha256 = createHash("sha256").update(zip).digest("hex");
const listed = { binding: "godot", name: "Kit", version: "0.0.0", file: "kit.zip", bytes: zip.length, sha256 };
const files = {
  "index.html": "the page",
  "assets/page.js": "its script",
  "kit.zip": zip,
  "index.json": JSON.stringify({ packages: [listed], missing: [] }),
};
const { port, secret, http } = await httpFolderOfFile(files, standIn, {
  now: () => Date.UTC(2026, 0, 1),
  elapsed: () => passedMs,
});
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
afterAll(() => agent.destroy());

type Headers = Readonly<Record<string, string>>;
type Reply = { readonly status: number; readonly headers: Readonly<Record<string, unknown>>; readonly text: string };

function ask(method: string, path: string, headers: Headers, body?: string): Promise<Reply> {
  const typed = body === undefined ? {} : { "content-type": "application/json", "content-length": `${body.length}` };
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, method, path, agent, headers: { ...typed, ...headers } };
    const asked = request(options, async (answer) => {
      // A feed has no end, so only its head is read.
      const text = `${answer.headers["content-type"]}`.startsWith("text/event-stream")
        ? void answer.destroy()
        : Buffer.concat(await answer.toArray()).toString();
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: text ?? "" });
    });
    asked.once("error", reject);
    asked.end(body);
  });
}

const json = <T>({ text }: Reply) => JSON.parse(text) as T;
const self = () => `http://127.0.0.1:${port}`;

type Session = { readonly cookie: string; readonly token: string; readonly pass: string };
async function signIn(): Promise<Session> {
  const answer = await ask(
    "POST",
    openSignInSession.path,
    { origin: self() },
    JSON.stringify({ ticket: http.createTicket() }),
  );
  assert.equal(answer.status, 201, answer.text);
  const [cookie = ""] = String(answer.headers["set-cookie"]).split(";");
  return { cookie, ...json<{ token: string; pass: string }>(answer) };
}
const bothOf = ({ cookie, token }: Session): Headers => ({ cookie, [sessionHeader]: token });

async function linkOf(session: Session, address: string): Promise<string> {
  const headers = { ...bothOf(session), origin: self() };
  const answer = await ask("POST", createDownloadLink.path, headers, JSON.stringify({ address }));
  assert.equal(answer.status, 201, answer.text);
  return json<{ address: string }>(answer).address;
}

const callAddress = ({ path }: Operation) => path.replace(/\{\w+\}/g, "x-1");
const withQuery = (address: string, member: string, value: string) =>
  `${address}${address.includes("?") ? "&" : "?"}${member}=${value}`;
const refusals = /urn:kit:problem:(unauthorized|origin_refused|consent_needed|misdirected)"/;

/** True if the operation was carried out, or was only refused for its payload. */
async function isOpen(operation: Operation, address: string, headers: Headers): Promise<boolean> {
  reached = [];
  const body = operation.body === undefined ? undefined : "{}";
  const answer = await ask(operation.method, address, headers, body);
  const refused = answer.status >= 400 && refusals.test(answer.text);
  if (refused) assert.deepEqual(reached, [], `${operation.id} was refused and carried out all the same`);
  return !refused;
}

/** Possible browser headers; a native program can send each of them. */
const browserHeaders = (): readonly (readonly [label: string, headers: Headers])[] => [
  ["without any browser header", {}],
  ["claiming to be the dashboard's page", { "sec-fetch-site": "same-origin" }],
  ["claiming to be its script", { origin: self(), "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" }],
  [
    "claiming to be its picture",
    { "sec-fetch-site": "same-origin", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" },
  ],
  [
    "claiming to be its link",
    { "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
  ],
  [
    "claiming to be typed by hand",
    { "sec-fetch-site": "none", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
  ],
];

type Opens = (access: Access) => boolean;
/** Needs no secret: ingest, the health check, and the page that redeems its ticket. */
const needsNothing: Opens = (access) => access === "ingest" || access === "public" || access === "ticket";

/**
 * Where many headers are tried in turn, each is tried at one of so many operations of each kind of access, and the next one at
 * others. `npm run test:nightly` tries all at all, and admission.property.test.ts has every combination.
 */
const sharesTotal = Number(process.env.KIT_OPERATION_SHARES ?? 3);
const shares = Array.from({ length: sharesTotal }, (_, share) =>
  operations.filter((operation) => {
    const kind = operations.filter(({ access }) => access === operation.access);
    return kind.length < sharesTotal || kind.indexOf(operation) % sharesTotal === share;
  }),
);
let turns = 0;
const nextShare = (): readonly Operation[] => {
  turns += 1;
  return shares[turns % sharesTotal] ?? operations;
};

async function assertOpens(
  label: string,
  headers: Headers,
  opens: Opens,
  { addressFor = callAddress, at = operations }: { addressFor?: typeof callAddress; at?: readonly Operation[] } = {},
): Promise<void> {
  for (const operation of at) {
    const isOpened = await isOpen(operation, addressFor(operation), headers);
    // These depend on the browser headers alone, which the tests of the admission table cover.
    if (needsNothing(operation.access)) continue;
    assert.equal(isOpened, opens(operation.access), `${operation.id} (${operation.access}), ${label}`);
  }
}
const nothing: Opens = () => false;

type Half = readonly [label: string, of: (mine: Session, other: Session) => Headers];
const name = () => sessionCookie(port);
const halves: readonly Half[] = [
  ["a client without credentials", () => ({})],
  ["the cookie alone", ({ cookie }) => ({ cookie })],
  ["the token alone", ({ token }) => ({ [sessionHeader]: token })],
  ["the token as a cookie", ({ token }) => ({ cookie: `${name()}=${token}` })],
  ["the cookie as the token", ({ cookie }) => ({ cookie, [sessionHeader]: cookie.replace(/^.*=/, "") })],
  ["the cookie with the pass as the token", ({ cookie, pass }) => ({ cookie, [sessionHeader]: pass })],
  ["the cookie with another session's token", ({ cookie }, { token }) => ({ cookie, [sessionHeader]: token })],
  ["an invented session", () => ({ cookie: `${name()}=${"a".repeat(43)}`, [sessionHeader]: "b".repeat(43) })],
  ["a wrong secret", () => ({ authorization: `Bearer ${"0".repeat(64)}` })],
  ["the cookie and a wrong secret", ({ cookie }) => ({ cookie, authorization: "Bearer x" })],
];
for (const [who, of] of halves) {
  test(`${who} opens no operation that needs a session, with any browser headers`, async () => {
    const mine = await signIn();
    const other = await signIn();
    for (const [label, headers] of browserHeaders()) {
      await assertOpens(`${who}, ${label}`, { ...of(mine, other), ...headers }, nothing, { at: nextShare() });
    }
  });
}

const socket: Headers = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "a2l0a2l0a2l0a2l0a2l0aQ==",
};
/** Everything else that answers: pages, packages, unknown addresses, other spellings of operations. */
const besides = [
  ...["/", "/index.html", "/assets/page.js", "/assets/nothing.js", "/sdk/kit.zip", "/sdk/nothing.zip", "/nothing"],
  ...["/api", "/api/", "/api/nothing", "/API/export", "/%61pi/export", "/api//export", "/api/export/", "/api/export;x"],
];
const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"];

/** Every address and method without an operation: the operations' addresses with other methods, and `besides`. */
function elsewhere(): readonly (readonly [method: string, address: string])[] {
  const isOperation = (method: string, address: string) =>
    operations.some((each) => each.method === method && callAddress(each) === address);
  const addresses = [...new Set([...operations.map(callAddress), ...besides])];
  return addresses
    .flatMap((address) => methods.map((method) => [method, address] as const))
    .filter(([method, address]) => !isOperation(method, address));
}

test("the cookie alone makes no difference at addresses without an operation, with any browser headers", async () => {
  const session = await signIn();
  const half = { cookie: session.cookie };
  const summaryOf = ({ status, text }: Reply) => `${status} ${text}`;
  const isOfShare = (address: string, index: number) => besides.includes(address) || index % sharesTotal === 0;
  for (const [method, address] of elsewhere().filter(([, each], index) => isOfShare(each, index))) {
    const label = besides.includes(address) ? browserHeaders() : browserHeaders().slice(0, 1);
    for (const [who, headers] of [...label, ["asking for a socket", socket] as const]) {
      reached = [];
      const nobody = summaryOf(await ask(method, address, headers));
      assert.equal(
        summaryOf(await ask(method, address, { ...half, ...headers })),
        nobody,
        `${method} ${address}, ${who}`,
      );
      assert.deepEqual(reached, [], `${method} ${address}, ${who}`);
    }
  }
});

test("no operation accepts an upgrade to a socket, with any credentials", async () => {
  const session = await signIn();
  for (const headers of [{}, { cookie: session.cookie }, { ...bothOf(session), origin: self() }]) {
    for (const operation of operations) {
      const answer = await ask(operation.method, callAddress(operation), { ...headers, ...socket });
      assert.equal(answer.status, 400, `${operation.id}: ${answer.text}`);
    }
  }
});

const everything: Opens = (access) => access !== "ingest";
const media: Opens = (access) => access === "media";
/** Headers of pages of another origin, port or name, and requests to a foreign host name. */
const foreign = (): readonly (readonly [label: string, headers: Headers])[] => [
  ["from a web page", { origin: "https://evil.test", "sec-fetch-site": "cross-site" }],
  ["from a page without an origin of its own", { origin: "null", "sec-fetch-site": "cross-site" }],
  ["from a page of another port", { origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" }],
  ["from the same page by another host name", { origin: `http://localhost:${port}`, "sec-fetch-site": "same-site" }],
  ["from NW.js", { origin: "chrome-extension://game" }],
  ["from a page of another port that names no origin", { "sec-fetch-site": "same-site" }],
  ["from a web page that names no origin", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }],
  ["to a rebound name", { host: `rebind.test:${port}` }],
  ["to a rebound name by its own page", { host: `rebind.test:${port}`, origin: `http://rebind.test:${port}` }],
];

test("a complete session opens every operation to the dashboard's own page", async () => {
  let session = await signIn();
  for (const operation of operations.filter(({ access }) => everything(access) && access !== "ticket")) {
    const page = { origin: self(), "sec-fetch-site": "same-origin" };
    assert.ok(await isOpen(operation, callAddress(operation), { ...bothOf(session), ...page }), operation.id);
    // The operation may have been the one that signs out.
    session = await signIn();
  }
});

test("the install secret opens every operation to a program, and none to a client with browser headers", async () => {
  const authorization = `Bearer ${secret}`;
  // Links belong to sessions, and a program has none.
  const isOfProgram = ({ id, access }: Operation) => access !== "ticket" && id !== createDownloadLink.id;
  for (const operation of operations.filter(isOfProgram)) {
    assert.ok(await isOpen(operation, callAddress(operation), { authorization }), operation.id);
  }
  for (const [label, headers] of [...browserHeaders().slice(1), ...foreign()]) {
    await assertOpens(`the secret ${label}`, { authorization, ...headers }, nothing, { at: nextShare() });
  }
});

test("a session and the secret open nothing to any page except the dashboard's own", async () => {
  const session = await signIn();
  for (const [label, headers] of foreign()) {
    const at = nextShare();
    await assertOpens(label, { ...bothOf(session), ...headers }, nothing, { at });
    const authorization = `Bearer ${secret}`;
    await assertOpens(label, { ...bothOf(session), authorization, ...headers }, nothing, { at });
  }
});

test("a pass opens pictures and videos, only with the cookie of its own session, and nothing else", async () => {
  const mine = await signIn();
  const other = await signIn();
  const { pass } = mine;
  const wrong = `${pass.startsWith("A") ? "B" : "A"}${pass.slice(1)}`;
  type Row = readonly [label: string, headers: Headers, pass: string, opens: Opens];
  const rows: readonly Row[] = [
    ["its own session's pass", { cookie: mine.cookie }, pass, media],
    ["the pass without the cookie", {}, pass, nothing],
    ["the pass with the token alone", { [sessionHeader]: mine.token }, pass, nothing],
    ["the pass of another session", { cookie: mine.cookie }, other.pass, nothing],
    ["a wrong pass", { cookie: mine.cookie }, wrong, nothing],
    ["an empty pass", { cookie: mine.cookie }, "", nothing],
    ["the token as a pass", { cookie: mine.cookie }, mine.token, nothing],
  ];
  for (const [label, headers, shown, opens] of rows) {
    for (const [who, browser] of browserHeaders()) {
      // A request typed by hand is refused everywhere except at the page itself.
      const expected = browser["sec-fetch-site"] === "none" ? nothing : opens;
      const addressFor = (operation: Operation) => withQuery(callAddress(operation), passParameter, shown);
      const at = nextShare();
      await assertOpens(`${label}, ${who}`, { ...headers, ...browser }, expected, { addressFor, at });
    }
  }
  for (const [label, headers] of foreign()) {
    const addressFor = (operation: Operation) => withQuery(callAddress(operation), passParameter, pass);
    await assertOpens(`a pass ${label}`, { cookie: mine.cookie, ...headers }, nothing, { addressFor, at: nextShare() });
  }
});

test("a pass lasts as long as its session", async () => {
  const session = await signIn();
  const addressFor = (operation: Operation) => withQuery(callAddress(operation), passParameter, session.pass);
  passedMs += 11 * hourMs;
  await assertOpens("after eleven hours", { cookie: session.cookie }, media, { addressFor });
  passedMs += hourMs;
  await assertOpens("after twelve hours without use", { cookie: session.cookie }, nothing, { addressFor });
  const next = await signIn();
  assert.equal((await ask("DELETE", "/api/session", { ...bothOf(next), origin: self() })).status, 204);
  const ended = (operation: Operation) => withQuery(callAddress(operation), passParameter, next.pass);
  await assertOpens("after signing out", { cookie: next.cookie }, nothing, { addressFor: ended });
});

test("a link opens its own download once, within a minute, with the cookie of its session", async () => {
  const mine = await signIn();
  const other = await signIn();
  const downloads = operations.filter(({ access }) => access === "download");
  assert.ok(downloads.length > 0);
  const page = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" };
  for (const operation of downloads) {
    const open = (address: string, headers: Headers) => isOpen(operation, address, { ...headers, ...page });
    const address = callAddress(operation);
    const fresh = (asked = address) => linkOf(mine, asked);
    const link = await fresh();
    assert.ok(await open(link, { cookie: mine.cookie }), `${operation.id} by its link`);
    assert.ok(!(await open(link, { cookie: mine.cookie })), `${operation.id} by a used link`);
    assert.ok(!(await open(await fresh(), {})), `${operation.id} by a link without the cookie`);
    assert.ok(!(await open(await fresh(), { cookie: other.cookie })), `${operation.id} by a link of another session`);
    assert.ok(
      !(await open(`${await fresh(`${address}?files=true`)}&x=1`, { cookie: mine.cookie })),
      "with an additional parameter",
    );
    const moved = (await fresh(`${address}?files=false`)).replace("files=false", "files=true");
    assert.ok(!(await open(moved, { cookie: mine.cookie })), `${operation.id} with another parameter`);
    const late = await fresh();
    passedMs += 60_000;
    assert.ok(!(await open(late, { cookie: mine.cookie })), `${operation.id} after a minute`);
    const ended = await signIn();
    const left = await linkOf(ended, address);
    await ask("DELETE", "/api/session", { ...bothOf(ended), origin: self() });
    assert.ok(!(await open(left, { cookie: ended.cookie })), `${operation.id} after signing out`);
    // The key of the link, at every other operation.
    const key = new URL(await fresh(), self()).searchParams.get(linkParameter) ?? "";
    const elsewhere = (each: Operation) =>
      each.id === operation.id ? address : withQuery(callAddress(each), linkParameter, key);
    await assertOpens("the link of another operation", { cookie: mine.cookie, ...page }, nothing, {
      addressFor: elsewhere,
    });
  }
});

test("links are created for downloads only", async () => {
  const session = await signIn();
  for (const operation of operations) {
    const body = JSON.stringify({ address: callAddress(operation) });
    const answer = await ask("POST", createDownloadLink.path, { ...bothOf(session), origin: self() }, body);
    assert.equal(answer.status, operation.access === "download" ? 201 : 422, operation.id);
  }
  for (const address of ["/", "/api/nothing", "//evil.test/api/export", "http://evil.test/api/export", "/API/export"]) {
    const answer = await ask(
      "POST",
      createDownloadLink.path,
      { ...bothOf(session), origin: self() },
      JSON.stringify({ address }),
    );
    assert.equal(answer.status, 422, address);
  }
});

test("the list of refused requests contains no pass and no link", async () => {
  const { pass } = await signIn();
  for (const target of ["/api/nothing", "/elsewhere", "/api/clips/x/video", "/api/recording/trigger"]) {
    await ask("GET", `${target}?${passParameter}=${pass}`, {});
    await ask("POST", `${target}?${linkParameter}=${pass}`, { origin: "https://evil.test" }, "{}");
  }
  const { text } = await ask("GET", "/api/refusals", { authorization: `Bearer ${secret}` });
  assert.match(text, /\/api\/nothing/);
  assert.ok(!text.includes(pass), "a pass was kept");
});
