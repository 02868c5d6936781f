// Tests of range requests and caching over real HTTP, for every operation with a file and for the dashboard's files: the answer
// is the file, exactly the range it names, "not modified", or a problem document.
import assert from "node:assert/strict";
import { join } from "node:path";
import { operations, type ProblemCode, problemsByCode } from "@kit/contract";
import { test } from "vitest";
import { sendMedia } from "../../src/http/send-media.ts";
import { httpFolderOfFile } from "../support/http-folder.ts";
import { problemIn } from "../support/own-launcher.ts";
import { type RawAnswer, requestBytes, sendRaw } from "../support/raw-http.ts";

// Letters only, because a raw answer is read as text.
const content = "abcdefghijklmnopqrstuvwxyz".repeat(4);
const ranged = operations.filter((operation) => "ranged" in operation && operation.ranged);
const video = "20:14 100% my game #1.mp4";
let isGone = false;
const sends = () => (_call: unknown, reply: Parameters<typeof sendMedia>[0]) =>
  sendMedia(reply, { path: join(pages, isGone ? "gone.mp4" : video), type: "video/mp4", saveAs: "boss defeated.mp4" });
const files = { "index.html": content, "assets/page.js": content, [video]: content };
const { port, secret, pages } = await httpFolderOfFile(files, sends);

type Headers = readonly (readonly [name: string, value: string])[];
const ask = (target: string, headers: Headers = [], method = "GET") =>
  sendRaw(port, requestBytes(port, { method, target, headers: [["Authorization", `Bearer ${secret}`], ...headers] }));

const range = (value: string): Headers => [["Range", value]];
const asked: readonly (readonly [label: string, headers: Headers])[] = [
  ["the whole file", []],
  ["a part", range("bytes=10-19")],
  ["the first byte", range("bytes=0-0")],
  ["from the middle on", range("bytes=50-")],
  ["the last ten", range("bytes=-10")],
  ["more bytes at the end than exist", range("bytes=-1000")],
  ["beyond the end", range("bytes=5000-")],
  ["exactly behind the end", range(`bytes=${content.length}-`)],
  ["the last zero bytes", range("bytes=-0")],
  ["an end before its beginning", range("bytes=20-10")],
  ["an end far away", range("bytes=100-99999999999999999999")],
  ["a beginning far away", range("bytes=99999999999999999999-")],
  ["two parts", range("bytes=0-1,5-6")],
  ["a good and a bad part", range("bytes=0-1,5000-6000")],
  ["no number", range("bytes=a-b")],
  ["nothing at all", range("bytes=")],
  ["a line", range("bytes=-")],
  ["another unit", range("items=0-1")],
  ["garbage", range("\u0001=;;--")],
  ["a negative number", range("bytes=--5")],
  ["a fraction", range("bytes=1.5-2")],
  ["in hex", range("bytes=0x1-0x5")],
  ["a thousand parts", range(`bytes=${Array.from({ length: 1_000 }, () => "0-1").join(",")}`)],
  ["a file that differs from the current one", [["If-None-Match", "ETAG"]]],
  ["a file if none exists", [["If-None-Match", "*"]]],
  ["a file that differs from another one", [["If-None-Match", '"x"']]],
  ["a file changed since a future date", [["If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT"]]],
  ["a file unchanged since 1970", [["If-Unmodified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"]]],
  ["the file if it is another one", [["If-Match", '"x"']]],
  ["a part if the file is another one", [["If-Match", '"x"'], ...range("bytes=0-1")]],
  ["a part, or the whole file if it changed", [["If-Range", '"x"'], ...range("bytes=0-1")]],
];

/** Describes the error in the answer; undefined if there is none. */
function wrongIn({ status, headers, body }: RawAnswer): string | undefined {
  if (status === 200) return body === content ? undefined : "not the whole file";
  if (status === 304) return body === "" ? undefined : "something, where nothing changed";
  if (status === 206) {
    const [, from, to, of] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers["content-range"] ?? "") ?? [];
    const isPart = Number(of) === content.length && body === content.slice(Number(from), Number(to) + 1);
    return isPart && body !== "" ? undefined : `not the part ${headers["content-range"]}`;
  }
  if (!/^application\/problem\+json/.test(headers["content-type"] ?? ""))
    return `${headers["content-type"]} as a problem`;
  if (problemsByCode[problemIn({ body }).code as ProblemCode]?.status !== status)
    return "another status in the document";
  if (headers["content-disposition"] !== undefined) return "a problem to be saved as a file";
  const length = headers["content-range"];
  return status !== 416 || length === `bytes */${content.length}` ? undefined : `416 with the length ${length}`;
}

test("several operations return parts of files", () => assert.ok(ranged.length >= 5));

const routes = [...ranged.map(({ path }) => path.replace(/\{\w+\}/g, "x-1")), "/", "/assets/page.js"];
for (const route of routes) {
  test(`GET ${route} answers with the file, the requested part, or a problem document`, async () => {
    const { etag = "" } = (await ask(route))?.headers ?? {};
    const wrong: string[] = [];
    for (const [label, headers] of asked) {
      const answer = await ask(
        route,
        headers.map(([name, value]) => [name, value.replace("ETAG", etag)]),
      );
      const what = answer === undefined ? "no answer" : wrongIn(answer);
      if (what !== undefined) wrong.push(`asked for ${label}: ${answer?.status} ${what}`);
    }
    assert.deepEqual(wrong, []);
  });
}

test("a video has its type and the name of the saved file, and a browser checks it again each time", async () => {
  for (const { id, path } of ranged) {
    const answer = await ask(path.replace(/\{\w+\}/g, "x-1"));
    const { "content-type": type, "accept-ranges": ranges, "cache-control": cached } = answer?.headers ?? {};
    assert.deepEqual([type, ranges, cached], ["video/mp4", "bytes", "private, no-cache"], id);
    assert.equal(answer?.headers["content-disposition"], 'attachment; filename="boss defeated.mp4"', id);
  }
});

test("a missing file is not found", async () => {
  isGone = true;
  for (const { id, path } of ranged) {
    const answer = await ask(path.replace(/\{\w+\}/g, "x-1"));
    assert.equal(problemIn(answer as RawAnswer).code, "not_found", id);
  }
  isGone = false;
});

test("a range beyond the end and a changed file get different problems", async () => {
  for (const { id, path } of ranged) {
    const target = path.replace(/\{\w+\}/g, "x-1");
    const beyond = await ask(target, range("bytes=5000-"));
    assert.equal(problemIn(beyond as RawAnswer).code, "range_not_satisfiable", id);
    const another = await ask(target, [["If-Match", '"x"']]);
    assert.equal(problemIn(another as RawAnswer).code, "precondition_failed", id);
  }
});
