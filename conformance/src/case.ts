// Schema and types of a conformance case.
import { Type } from "typebox";
import { Value } from "typebox/value";
import { misfits, parsedJson } from "./misfits.ts";

/** A text in a case. Drivers only get strings, null and code units, with repetitions expanded. */
export const Text = Type.Union([
  Type.String(),
  Type.Null(),
  Type.Object({ utf16: Type.Array(Type.Integer({ minimum: 0, maximum: 0xffff })) }, { additionalProperties: false }),
  Type.Object(
    { repeat: Type.String({ minLength: 1 }), times: Type.Integer({ minimum: 1 }) },
    { additionalProperties: false },
  ),
]);
export type Text = Type.Static<typeof Text>;

export const Settings = Type.Object(
  {
    launcherUrl: Type.Optional(
      Type.String({
        description: "{url} is the case's launcher, {port} its port; the launcher's address when left out",
      }),
    ),
    enableRecording: Type.Optional(Type.Boolean()),
    enableMonitor: Type.Optional(Type.Boolean()),
    enableSocial: Type.Optional(Type.Boolean()),
    build: Type.Optional(Type.String({ description: "The one that the engine knows when left out; empty for none" })),
    reportUncaughtErrors: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type Settings = Type.Static<typeof Settings>;

const step = <const Name extends string, Members extends Record<string, Type.TSchema>>(name: Name, members: Members) =>
  Type.Object({ do: Type.Literal(name), ...members }, { additionalProperties: false });
const count = Type.Integer({ minimum: 1 });

const Call = Type.Union([
  step("recording", { eventId: Text }),
  step("social", { eventId: Text }),
  step("monitor", { message: Text, stackTrace: Type.Optional(Text) }),
]);

/** An error that nobody catches. Its text is a word, because some engines only take the name of something that is missing. */
const Fail = step("fail", { message: Type.String({ pattern: "^[a-z_]+(\\{n\\})?$" }) });

export const Step = Type.Union([
  Call,
  Fail,
  step("initialize", { config: Type.Optional(Settings) }),
  step("read", {}),
  step("repeat", { times: count, step: Type.Union([Call, Fail]) }),
  step("threads", { count, step: Call }),
  step("frames", { count }),
  step("wait", { ms: count }),
  step("block", { ms: count }),
  step("pause", {}),
  step("quit", {}),
]);
export type Step = Type.Static<typeof Step>;

const launcherStates = [
  "answers",
  "answers-default",
  "fails",
  "rejects",
  "redirects",
  "hangs",
  "drops",
  "slow",
  "floods",
  "babbles",
  "refuses",
  "absent",
  "wants-password",
  "wants-proxy-password",
  "switches-protocol",
  "continues-forever",
  "headers-forever",
  "gzip-bomb",
  "redirects-to-itself",
  "latin1-status",
  "sets-cookies",
  "refreshes",
] as const;
export type LauncherState = (typeof launcherStates)[number];

const anyOf = Type.Object({ anyOf: Type.Array(Text, { minItems: 2 }) }, { additionalProperties: false });
const Arriving = Type.Union([Text, anyOf], {
  description: "With anyOf: what languages that cannot hold it may make of it",
});
export type Arriving = Type.Static<typeof Arriving>;

export const Request = Type.Object(
  {
    to: Type.Enum(["recording", "monitor", "social"]),
    eventId: Type.Optional(Arriving),
    message: Type.Optional(Arriving),
    stackTrace: Type.Optional(Arriving),
  },
  { additionalProperties: false },
);
export type Request = Type.Static<typeof Request>;

const Read = Type.Object(
  {
    initialized: Type.Union([Type.Boolean(), Type.Literal("if-by-itself")], {
      description: "if-by-itself: true for a binding that starts by itself, false for one that waits to be asked",
    }),
    config: Type.Optional(Settings),
  },
  { additionalProperties: false },
);

const Expectation = Type.Object(
  {
    requests: Type.Optional(Type.Array(Request, { description: "These arrive, and nothing else, in any order" })),
    burst: Type.Optional(
      Type.Object(
        {
          to: Type.Enum(["recording", "social"]),
          eventId: Type.String({ description: "With {n}" }),
          first: Type.Integer({ minimum: 1, description: "The first so many all arrive" }),
          atMost: Type.Integer({ minimum: 1, description: "No more of them than so many arrive" }),
          also: Type.Optional(Type.Array(Type.String(), { description: "IDs of other calls that arrive" })),
        },
        { additionalProperties: false },
      ),
    ),
    uncaught: Type.Optional(
      Type.Object(
        {
          message: Type.String({ description: "Stands in the message of each report; with {n} in the last words" }),
          atLeast: Type.Integer({ minimum: 1, description: "So many different ones are reported, each once" }),
          later: Type.Optional(
            Type.String({
              description: "An error after those, whose report says how many before it were not reported",
            }),
          ),
        },
        { additionalProperties: false, description: "Reports of errors that nobody caught; only these" },
      ),
    ),
    build: Type.Optional(
      Type.String({
        description: "The build in every error report; empty for none; the one that the engine knows when left out",
      }),
    ),
    below: Type.Optional(Type.String({ description: "What stands before /api in the address of the request" })),
    reads: Type.Optional(Type.Array(Read)),
    arriveWithinMs: Type.Optional(
      Type.Integer({ description: "Every request arrives so long after the last call: nothing holds it back" }),
    ),
    givenUpMs: Type.Optional(
      Type.Tuple([Type.Integer(), Type.Integer()], { description: "An unfinished request is given up in this time" }),
    ),
    answerBytesMax: Type.Optional(
      Type.Integer({ description: "No answer is read further, what lies in the system's buffers included" }),
    ),
    framesMin: Type.Optional(Type.Integer({ description: "The game goes on for at least so many frames" })),
    quitMsMax: Type.Optional(Type.Integer({ description: "The game is gone so long after its quit" })),
  },
  { additionalProperties: false },
);

export const Case = Type.Object(
  {
    id: Type.String({
      pattern: "^[a-z0-9-]+/[a-z0-9-]+$",
      description: "area/name; never used again for another case",
    }),
    says: Type.String({ pattern: "\\.$", description: "One sentence" }),
    launcher: Type.Optional(Type.Enum(launcherStates, { description: "answers, when left out" })),
    alone: Type.Optional(Type.Literal(true)),
    start: Type.Optional(Type.Literal("nothing")),
    config: Type.Optional(Settings),
    steps: Type.Array(Step, { minItems: 1 }),
    expect: Expectation,
  },
  { additionalProperties: false },
);
export type Case = Type.Static<typeof Case>;

const CaseFile = Type.Object({ cases: Type.Array(Case, { minItems: 1 }) }, { additionalProperties: false });

/** Parses the cases in a file. Throws an error with all schema violations. */
export function casesOf(path: string, text: string): Case[] {
  const parsed = parsedJson(path, text);
  if (Value.Check(CaseFile, parsed)) return parsed.cases;
  throw new Error(`${path} is no case file:\n  ${misfits(CaseFile, parsed).slice(0, 5).join("\n  ")}`);
}

/** The text as a JavaScript string, or undefined for null. */
export function written(text: Text): string | undefined {
  if (text === null || typeof text === "string") return text ?? undefined;
  return "utf16" in text ? String.fromCharCode(...text.utf16) : text.repeat.repeat(text.times);
}

/** All event ids and messages in the calls of a case. */
export function textsOf(steps: readonly Step[]): (string | undefined)[] {
  return steps.flatMap((step) => {
    if (step.do === "recording" || step.do === "social") return [written(step.eventId)];
    if (step.do === "monitor") return [written(step.message)];
    return step.do === "repeat" || step.do === "threads" ? textsOf([step.step]) : [];
  });
}

/** How often the steps cause each uncaught error, by its message. */
export function failuresOf(steps: readonly Step[]): Map<string, number> {
  const failures = new Map<string, number>();
  for (const step of steps) {
    const [fail, times] = step.do === "repeat" ? [step.step, step.times] : [step, 1];
    if (fail.do === "fail") failures.set(fail.message, (failures.get(fail.message) ?? 0) + times);
  }
  return failures;
}
