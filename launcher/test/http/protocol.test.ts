// Tests that docs/protocol.md is true: sends its requests in their order, and compares its responses, its problems and its limits.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  bodyBytesMax,
  bodyDepthMax,
  buildCharsMax,
  clockDriftMsMax,
  defaultPort,
  eventIdCharsMax,
  ingestOperations,
  messageCharsMax,
  type ProblemCode,
  problemsByCode,
  quitFlushMsMax,
  type Receipt,
  requestsPendingMax,
  requestTimeoutMs,
  stackTraceCharsMax,
  switchServices,
  uncaughtPerSecondMax,
} from "@kit/contract";
import { test } from "vitest";
import { startOwnLauncher } from "../support/own-launcher.ts";
import { requestBytes, sendRaw } from "../support/raw-http.ts";
import { until } from "../support/until.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/protocol.md"), "utf8");

type Block = {
  /** Method and path of a request, or the status of a response. */
  readonly first: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
};

function blockOf(text: string): Block {
  const [head = "", body = ""] = text.trim().split("\n\n");
  const [first = "", ...lines] = head.split("\n");
  return { first, headers: lines.map((line) => line.split(": ", 2) as [string, string]), body };
}

const blocks = [...page.matchAll(/^```http\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);

test("the launcher responds to each request of the protocol as the page shows", async () => {
  await using launcher = await startOwnLauncher({ now: () => Date.parse("2026-03-14T09:26:53.612Z") });
  const { port } = launcher;
  /** What stands for something that the launcher makes, and that. */
  const made = new Map([["INSTALL_SECRET", launcher.secret()]]);
  const actual = (text = "") => [...made].reduce((all, [shown, value]) => all.replace(shown, value), text);
  for (let index = 0; index < blocks.length; index += 2) {
    const { first, headers, body } = blockOf(actual(blocks[index]));
    const [method = "", target = ""] = first.split(" ");
    const shown = blockOf(blocks[index + 1] ?? "");
    const { id, ...expected } = JSON.parse(shown.body) as { id?: string; event?: Receipt["event"]; status?: string };
    if (expected.status === "ignored") await launcher.api("PUT", switchServices.path, { social: false });
    const { event } = expected;
    const receiptIsComplete = async () => (await launcher.receipt(target.slice(-36))).event.state === event?.state;
    if (event) await until("the receipt is complete", receiptIsComplete);
    const request = { method, target, headers, ...(body !== "" && { body }) };
    const response = await sendRaw(port, requestBytes(port, request));
    assert.equal(String(response?.status), shown.first, `${first}: ${response?.body}`);
    for (const [name, value] of shown.headers) assert.equal(response?.headers[name.toLowerCase()], value);
    const given = JSON.parse(response?.body ?? "") as { id?: string };
    assert.partialDeepStrictEqual(given, expected);
    assert.equal(typeof given.id, typeof id);
    if (id !== undefined) made.set(id, given.id ?? "");
  }
  assert.ok(blocks.length > 0);
});

test("the protocol lists every problem that a game can meet, with its status", () => {
  const listed = [...page.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map(
    ([, status, code = ""]) => [code, Number(status)] as const,
  );
  for (const [code, status] of listed) assert.equal(problemsByCode[code as ProblemCode]?.status, status, code);
  const codes = new Set(listed.map(([code]) => code));
  for (const { errors } of Object.values(ingestOperations))
    assert.deepEqual(
      errors.filter((code) => !codes.has(code)),
      [],
    );
});

test("the protocol names the limits of the contract", () => {
  const limits = [
    `127.0.0.1:${defaultPort}\``,
    `1 to ${eventIdCharsMax} characters`,
    `more than ${clockDriftMsMax / 1_000} s before the arrival`,
    `message longer than ${messageCharsMax.toLocaleString("en-US")} characters`,
    `stack trace longer than ${stackTraceCharsMax.toLocaleString("en-US")} `,
    `build longer than ${buildCharsMax} `,
    `more than ${bodyBytesMax / 1_024} KiB`,
    `more than ${bodyDepthMax} levels`,
    `a request after ${requestTimeoutMs / 1_000} s`,
    `At most ${requestsPendingMax} requests`,
    `for ${quitFlushMsMax} ms at most`,
    `at most ${uncaughtPerSecondMax} in any second`,
  ];
  const text = page.replaceAll("\n", " ");
  assert.deepEqual(
    limits.filter((limit) => !text.includes(limit)),
    [],
  );
});
