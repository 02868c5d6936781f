// The demo: a minute of a made-up game, so that a newcomer sees everything work before touching an engine.
import { Type } from "typebox";
import { ReceiptState } from "./events.ts";
import { nullable } from "./issues.ts";
import { operation } from "./operation.ts";
import { changeErrors, sessionErrors } from "./problem.ts";

/** Its events begin with this, so all of it is one game that can be wiped. */
export const demoGame = "kit_demo";

/** What it takes in seconds, at the least and at the most, and when nobody says. */
export const demoSeconds = { min: 10, max: 300, usual: 60 } as const;

/** The parts of its story, in their order. Each is one event. */
export const demoParts = ["started", "streak", "jewel", "error", "again", "boss", "score"] as const;
export type DemoPart = (typeof demoParts)[number];

export const DemoOutcome = Type.Object(
  {
    part: Type.Enum(demoParts, { description: "The part of its story that sent it" }),
    event: Type.String({ description: "Id of the event; its receipt is at /api/events/{id}" }),
    state: ReceiptState,
    reason: nullable(Type.String(), "Why, as its receipt says it"),
    clip: nullable(Type.String(), "Id of what shows it; null while there is none"),
    issue: nullable(Type.String(), "Id of the issue it was counted in"),
    post: nullable(Type.String(), "Id of the post it became"),
  },
  { description: "One event of the demo, and what its receipt says became of it" },
);
export type DemoOutcome = Type.Static<typeof DemoOutcome>;

/** `waiting`: for the recorder to have footage; `telling`: the story is over, and what was promised is not made yet. */
export const demoPhases = ["waiting", ...demoParts, "telling"] as const;
export type DemoPhase = (typeof demoPhases)[number];

export const Demo = Type.Object(
  {
    state: Type.Enum(["none", "playing", "played"], { description: "played: something of it is kept" }),
    second: Type.Integer({ description: "How far it is, in seconds; 0 unless it plays" }),
    seconds: Type.Integer({ description: "How long it takes" }),
    window: Type.Boolean({ description: "True where it can show a window of its own" }),
    phase: nullable(Type.Enum(demoPhases), "What it is at; null unless it plays"),
    says: Type.String({
      description: "What it does now, or how it ended, in one sentence; empty where it was not played",
    }),
    failed: Type.Boolean({ description: "The last one ended before its time, and `says` tells why" }),
    outcomes: Type.Array(DemoOutcome, { description: "What became of the last one's events, as far as it is known" }),
    session: nullable(Type.String(), "Id of the last one's session, once it is known"),
  },
  { description: "The made-up game" },
);
export type Demo = Type.Static<typeof Demo>;

export const getDemo = operation({
  id: "getDemo",
  method: "GET",
  path: "/api/demo",
  access: "session",
  says: "Whether the made-up game plays.",
  status: 200,
  reply: Demo,
  errors: sessionErrors,
});

export const startDemo = operation({
  id: "startDemo",
  method: "POST",
  path: "/api/demo",
  access: "session",
  says: "Plays a minute of the made-up game; once at a time.",
  status: 202,
  reply: Demo,
  errors: [...changeErrors, "too_many_requests"],
});

export const stopDemo = operation({
  id: "stopDemo",
  method: "DELETE",
  path: "/api/demo",
  access: "session",
  says: "Ends the made-up game. What it sent stays until it is wiped.",
  status: 204,
  errors: changeErrors,
});

export const startDemoWebhook = operation({
  id: "openDemoLetterbox",
  method: "POST",
  path: "/api/demo/letterbox",
  access: "session",
  says: "Opens the address on this machine that the demo's posts go to: it confirms what comes, and keeps nothing.",
  status: 200,
  reply: Type.Object({ url: Type.String() }),
  errors: changeErrors,
});

/** What the demo's account is called; its posts never leave this machine. */
export const demoAccountName = "Kit's demo (stays on this machine)";
/** The event that asks for a post: its rule goes before any other. */
export const demoSocialId = `${demoGame}_high_score`;
export const demoGameName = "Kit's demo";
