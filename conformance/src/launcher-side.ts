// Runs the launcher cases against a launcher at any address. The launcher stores the accepted events.
import { type IncomingHttpHeaders, request } from "node:http";
import { Acknowledgement, getHealth, Problem, problemsByCode, problemType } from "@kit/contract";
import type { TSchema } from "typebox";
import { Value } from "typebox/value";
import { bodyOf, type LauncherCase, readLauncherCases } from "./launcher-case.ts";

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };
export type LauncherVerdict = { readonly one: LauncherCase; readonly faults: readonly string[] };

const answerMsMax = 10_000;

/** Uses Node's HTTP client, because fetch does not allow setting the Host header. */
function ask(url: URL, one: LauncherCase): Promise<Answer> {
  const text = bodyOf(one, new Date().toISOString());
  const json =
    text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const asked = request({
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port || 80,
      method: one.method ?? "POST",
      path: one.path,
      headers: { ...json, ...one.headers },
      timeout: answerMsMax,
    });
    asked.once("timeout", () => asked.destroy(new Error(`no answer in ${answerMsMax} ms`)));
    asked.once("error", reject);
    asked.once("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, text: Buffer.concat(chunks).toString("utf8") });
      });
    });
    asked.end(text);
  });
}

const replies = { acknowledgement: Acknowledgement, health: getHealth.reply } as const;

/** The response body if it is JSON that matches the schema. */
function fitting(schema: TSchema, { text }: Answer): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return Value.Check(schema, parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function faultsOfProblem(answer: Answer, { problem, at = [] }: LauncherCase["expect"]): string[] {
  if (problem === undefined) return [];
  const found = fitting(Problem, answer) as Problem | undefined;
  if (found === undefined) return [`the body is no problem document: ${answer.text.slice(0, 200)}`];
  const paths = (found.errors ?? []).map(({ path }) => path);
  const type = answer.headers["content-type"] ?? "";
  return [
    ...(type.startsWith("application/problem+json") ? [] : [`content-type is ${type}, not application/problem+json`]),
    ...(found.type === problemType(problem) ? [] : [`the problem is ${found.type}, not ${problemType(problem)}`]),
    ...(found.status === problemsByCode[problem].status ? [] : [`the document says status ${found.status}`]),
    ...at
      .filter((path) => !paths.includes(path))
      .map((path) => `errors names ${paths.join(", ") || "nothing"}, not ${path}`),
  ];
}

function judgeAnswer({ expect }: LauncherCase, answer: Answer): string[] {
  const { status, reply, headers = {} } = expect;
  return [
    ...(answer.status === status
      ? []
      : [`the status is ${answer.status}, not ${status}: ${answer.text.slice(0, 200)}`]),
    ...(reply && fitting(replies[reply], answer) === undefined
      ? [`the body is no ${reply}: ${answer.text.slice(0, 200)}`]
      : []),
    ...faultsOfProblem(answer, expect),
    ...Object.entries(headers)
      .filter(([name, value]) => answer.headers[name] !== value)
      .map(([name, value]) => `${name} is ${answer.headers[name] ?? "absent"}, not ${value}`),
  ];
}

/** Runs the cases one after another, because a launcher may limit refusals. */
export async function askLauncher(address: string, cases = readLauncherCases()): Promise<LauncherVerdict[]> {
  const url = new URL(address);
  const verdicts: LauncherVerdict[] = [];
  for (const one of cases) {
    const faults = await ask(url, one).then(
      (answer) => judgeAnswer(one, answer),
      (error: Error) => [`no answer: ${error.message}`],
    );
    verdicts.push({ one, faults });
  }
  return verdicts;
}
