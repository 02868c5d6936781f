// Conformance cases for launchers: requests with expected responses.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { problemsByCode } from "@kit/contract";
import { Type } from "typebox";
import { Value } from "typebox/value";

const problemCodes = Object.keys(problemsByCode) as (keyof typeof problemsByCode)[];

export const LauncherCase = Type.Object(
  {
    id: Type.String({ pattern: "^[a-z0-9-]+/[a-z0-9-]+$" }),
    says: Type.String({ pattern: "\\.$", description: "One sentence" }),
    method: Type.Optional(Type.String({ description: "POST, when left out" })),
    path: Type.String(),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    body: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "Sent as JSON. {now} in a text is the time of the call; {repeat, times} a text written so often",
      }),
    ),
    raw: Type.Optional(Type.String({ description: "Sent as it stands, instead of a body" })),
    expect: Type.Object(
      {
        status: Type.Integer(),
        reply: Type.Optional(Type.Enum(["acknowledgement", "health"], { description: "What the body has to be" })),
        problem: Type.Optional(
          Type.Enum(problemCodes, { description: "The body is the problem document of this code" }),
        ),
        at: Type.Optional(Type.Array(Type.String(), { description: "Members its errors name" })),
        headers: Type.Optional(Type.Record(Type.String(), Type.String())),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type LauncherCase = Type.Static<typeof LauncherCase>;

const LauncherCaseFile = Type.Object(
  { cases: Type.Array(LauncherCase, { minItems: 1 }) },
  { additionalProperties: false },
);

const file = join(import.meta.dirname, "../launcher-cases.json");

export function readLauncherCases(): LauncherCase[] {
  const parsed: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (Value.Check(LauncherCaseFile, parsed)) return parsed.cases;
  const [first] = Value.Errors(LauncherCaseFile, parsed);
  throw new Error(`${file}${first?.instancePath}: ${first?.message}`);
}

/** The request body of a case. */
export function bodyOf({ body, raw }: LauncherCase, now: string): string | undefined {
  if (body === undefined) return raw;
  const members = Object.entries(body).map(([name, value]) => [name, memberOf(value, now)]);
  return JSON.stringify(Object.fromEntries(members));
}

const Repeat = Type.Object({ repeat: Type.String(), times: Type.Integer() });

function memberOf(value: unknown, now: string): unknown {
  if (Value.Check(Repeat, value)) return value.repeat.repeat(value.times);
  return typeof value === "string" ? value.replaceAll("{now}", now) : value;
}
