// Sends every address invalid requests of each kind over real HTTP: each refusal is a problem document with its own status.
// Addresses and operations come from the contract.
import assert from "node:assert/strict";
import { METHODS } from "node:http";
import {
  bodyBytesMax,
  getRecorder,
  linkParameter,
  listClips,
  type Operation,
  operations,
  type Problem,
  type ProblemCode,
  passParameter,
  problemsByCode,
  problemType,
} from "@kit/contract";
import { test } from "vitest";
import { httpFolderOfFile } from "../support/http-folder.ts";
import { openRaw, type RawAnswer, type RawRequest, requestBytes, sendRaw } from "../support/raw-http.ts";

/** Fails like a bug, because the answers of slices are not tested here. */
const broken = () => () => Promise.reject(new TypeError("a bug"));
const files = { "index.html": "<!doctype html>", "assets/page.css": "" };
const { port, secret } = await httpFolderOfFile(files, broken);

/** Describes the error in the answer; undefined if there is none. */
function wrongIn(answer: RawAnswer | undefined, method: string): string | undefined {
  if (answer === undefined) return "no answer";
  const { status, headers, body } = answer;
  if (status < 400) return undefined;
  if (!/^application\/problem\+json/.test(headers["content-type"] ?? "")) return `${status} ${headers["content-type"]}`;
  if (status === 405 && !headers.allow) return "405 without Allow";
  if (method === "HEAD") return undefined;
  const { type = "", status: said } = JSON.parse(body) as { type?: string; status?: number };
  const code = type.replace("urn:kit:problem:", "") as ProblemCode;
  return said === status && problemsByCode[code]?.status === status ? undefined : `${status} with ${body}`;
}

const bearer = ["Authorization", `Bearer ${secret}`] as const;
const json = ["Content-Type", "application/json"] as const;
/** Kinds of requests, with or without a body. */
const ways: readonly (readonly [label: string, more: RawRequest])[] = [
  ["without credentials", {}],
  ["with the secret", { headers: [bearer] }],
  ["with a body that is not JSON", { headers: [bearer, json], body: "no" }],
  ["with unknown members", { headers: [bearer, json], body: '{"no":"member","of":["it"]}' }],
  ["with a list", { headers: [bearer, json], body: "[]" }],
  ["with a body without a type", { headers: [bearer], body: "x" }],
  ["with a page's form", { headers: [bearer, ["Content-Type", "multipart/form-data; boundary=x"]], body: "--x--" }],
  ["with a broken type", { headers: [bearer, ["Content-Type", "///"]], body: "{}" }],
  ["with a compressed body", { headers: [bearer, json, ["Content-Encoding", "br"]], body: "{}" }],
  ["with a too large Content-Length", { headers: [bearer, json, ["Content-Length", String(bodyBytesMax + 1)]] }],
  ["from a web page", { headers: [["Origin", "https://evil.test"]] }],
  ["for another host", { headers: [bearer], host: "evil.test" }],
  ["for a socket", { headers: [bearer, ["Connection", "Upgrade"], ["Upgrade", "websocket"]] }],
  ["with an expectation", { headers: [bearer, ["Expect", "tea"]] }],
  ["in HTTP/1.0", { headers: [bearer], version: "HTTP/1.0" }],
  ["with a range", { headers: [bearer, ["Range", "bytes=5-2"]] }],
];

const callAddress = ({ path }: Operation) => path.replace(/\{\w+\}/g, "x-1");
const besides = [
  ...[
    "/",
    "/index.html",
    "/nothing",
    "/assets",
    "/assets/",
    "/assets/x.js",
    "/sdk/",
    "/sdk/x.zip",
    "/sdk/../x",
    "/api",
  ],
  ...[
    "/api/",
    "/api/nothing",
    "/%",
    "/api/%",
    "/api/events/%ff",
    "/api/clips/%2e%2e/video",
    `/api/events/${"x".repeat(500)}`,
  ],
  ...[
    "/api/events?limit=x",
    "/api/events?limit=1&limit=2",
    "/api/clips?%",
    "/?%ff",
    "//",
    "/a//b",
    "/.",
    "/..",
    "/%00",
  ],
];
/** The operations of that method, one address of another, and everything else. */
function addressesFor(method: string): readonly string[] {
  const [some] = operations.filter((each) => each.method !== method && each.access === "session");
  const of = operations.filter((each) => each.method === method);
  return [...of, ...(some ? [some] : [])].map(callAddress).concat(besides);
}
const declared = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"];

for (const method of declared) {
  test(`every refused ${method} request gets a problem document`, async () => {
    const wrong: string[] = [];
    for (const target of addressesFor(method)) {
      // A few at a time, because each has its own connection.
      const look = async ([label, more]: (typeof ways)[number]) => {
        // The answer to HEAD names the length of a body that is not sent.
        const bytes = requestBytes(port, { method, target, ...more });
        const answer = method === "HEAD" ? await headOf(bytes) : await sendRaw(port, bytes);
        const what = wrongIn(answer, method);
        if (what !== undefined) wrong.push(`${target} ${label}: ${what}`);
      };
      await Promise.all(ways.map(look));
    }
    assert.deepEqual(wrong, []);
  });
}

async function headOf(bytes: Buffer): Promise<RawAnswer | undefined> {
  const { socket, received, ended } = openRaw(port);
  socket.write(bytes);
  const isWhole = () => received().includes("\r\n\r\n");
  while (!isWhole()) {
    const more = new Promise((resolve) => socket.once("data", resolve));
    await Promise.race([more, ended]);
    if (socket.destroyed) break;
  }
  socket.destroy();
  const [line = "", ...lines] = received().toString("latin1").split("\r\n");
  if (line === "") return undefined;
  const headers = lines
    .filter(Boolean)
    .map((each) => [each.split(":", 1)[0]?.toLowerCase(), each.replace(/^[^:]*:\s*/, "")]);
  return { status: Number(line.split(" ")[1]), headers: Object.fromEntries(headers), body: "" };
}

test("every refused request of another method gets a problem document", async () => {
  const wrong: string[] = [];
  // CONNECT asks for a tunnel, and is closed without an answer.
  for (const method of METHODS.filter((each) => !declared.includes(each) && each !== "CONNECT")) {
    for (const target of ["/", "/nothing", "/api/health", "/api/events", "/api/recording/trigger", "/api/nothing"]) {
      for (const headers of [[], [bearer]]) {
        const answer = await sendRaw(port, requestBytes(port, { method, target, headers }));
        const what = wrongIn(answer, method);
        if (what !== undefined || (answer?.status ?? 0) < 400)
          wrong.push(`${method} ${target}: ${what ?? answer?.status}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

const self = () => ["Origin", `http://127.0.0.1:${port}`] as const;
/** The problem for a request of an authorized client with an additional query. */
async function problemOf(operation: Operation, query: string): Promise<Problem> {
  const { method, access } = operation;
  const headers = [access === "ticket" ? self() : bearer, ...(operation.body === undefined ? [] : [json])];
  const body = operation.body === undefined ? {} : { body: "{}" };
  const bytes = requestBytes(port, { method, target: `${callAddress(operation)}?${query}`, headers, ...body });
  return JSON.parse((await sendRaw(port, bytes))?.body ?? "{}");
}
const isUnknown = ({ type }: Problem) => type === problemType("unknown_parameter");

test("every operation refuses an unknown query parameter, except ingest and the health check", async () => {
  for (const operation of operations) {
    const problem = await problemOf(operation, "nobody-knows=1");
    const isLenient = operation.access === "ingest" || operation.access === "public";
    assert.equal(isUnknown(problem), !isLenient, `${operation.id}: ${JSON.stringify(problem)}`);
    if (isLenient) continue;
    assert.equal(problem.status, 400);
    assert.match(problem.detail, /nobody-knows/);
    assert.deepEqual(
      problem.errors?.map(({ path }) => path),
      ["/nobody-knows"],
      operation.id,
    );
  }
});

test("known query parameters and the keys of images and downloads are not refused", async () => {
  for (const operation of operations) {
    const known = Object.keys(operation.query?.properties ?? {});
    if (operation.access === "media") known.push(passParameter);
    if (operation.access === "download") known.push(linkParameter);
    for (const name of known) assert.ok(!isUnknown(await problemOf(operation, `${name}=1`)), `${operation.id} ${name}`);
  }
});

test("the refusal of an unknown query parameter names the nearest ones", async () => {
  const messageOf = async (operation: Operation, query: string) =>
    (await problemOf(operation, query)).errors?.[0]?.message;
  assert.match((await messageOf(listClips, "txet=boss")) ?? "", /did you mean text\?/);
  assert.match((await messageOf(listClips, "search=boss")) ?? "", /expected one of .*\btext\b/);
  assert.match((await messageOf(getRecorder, "x=1")) ?? "", /has no query parameters/);
  // A name that every object has is not a name that the operation knows.
  assert.ok(isUnknown(await problemOf(listClips, "constructor=1")));
});

test("a connection answers 1,000 requests, and the last answer announces its end", async () => {
  const connection = openRaw(port);
  connection.socket.write(
    Buffer.concat(Array.from({ length: 1_005 }, () => requestBytes(port, { target: "/api/health" }))),
  );
  await connection.ended;
  const answers = await connection.answers();
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  assert.equal(answers.length, 1_000);
  assert.equal(answers.at(-1)?.headers.connection, "close");
});
