// The demo: a made-up game of about a minute, which shows every feature without an engine.
import { Type } from "typebox";
import { ReceiptState } from "./events.ts";
import { nullable } from "./issues.ts";
import { messageSchema } from "./message-schema.ts";
import { operation } from "./operation.ts";
import { inputErrors, sessionErrors } from "./problem.ts";

/** All event ids of the demo begin with this, so that the demo counts as one game, which a person can wipe. */
export const demoGame = "kit_demo";

/** Length of the demo in seconds: minimum, maximum and default (`usual`). */
export const demoSeconds = { min: 10, max: 300, usual: 60 } as const;

/** The steps of the demo's story, in order. In each step, the demo sends one event. */
export const demoSteps = ["started", "streak", "jewel", "error", "again", "boss", "score"] as const;
export type DemoStep = (typeof demoSteps)[number];

export const DemoOutcome = Type.Object(
  {
    part: Type.Enum(demoSteps, { description: "The step of the story that sent the event" }),
    event: Type.String({ description: "Id of the event; its receipt is at /api/events/{id}" }),
    state: ReceiptState,
    reason: nullable(messageSchema(), "The reason of the receipt's last state"),
    clip: nullable(
      Type.String(),
      "Id of the clip, screenshot or marker that contains the event; null while there is none",
    ),
    issue: nullable(Type.String(), "Id of the issue that counts the event"),
    post: nullable(Type.String(), "Id of the post made from the event"),
  },
  { description: "One event of the demo and its outcome, read from its receipt" },
);
export type DemoOutcome = Type.Static<typeof DemoOutcome>;

/**
 * `waiting`: the recorder has no footage yet. `telling`: the story is over, but its last clips and posts are still
 * being made.
 */
export const demoPhases = ["waiting", ...demoSteps, "telling"] as const;
export type DemoPhase = (typeof demoPhases)[number];

export const Demo = Type.Object(
  {
    state: Type.Enum(["none", "playing", "played"], { description: "played: data of an earlier demo is stored" }),
    second: Type.Integer({ description: "Seconds played so far; 0 unless the demo plays" }),
    seconds: Type.Integer({ description: "Length of the demo in seconds" }),
    window: Type.Boolean({ description: "True if the demo can open a window" }),
    phase: nullable(Type.Enum(demoPhases), "The current step; null unless the demo plays"),
    says: messageSchema("One sentence on what the demo does now, or how the last one ended; empty if none was played"),
    failed: Type.Boolean({ description: "True if the last demo ended early; `says` gives the reason" }),
    outcomes: Type.Array(DemoOutcome, { description: "Outcomes of the last demo's events so far" }),
    session: nullable(Type.String(), "Id of the last demo's session, once known"),
  },
  { description: "State of the demo" },
);
export type Demo = Type.Static<typeof Demo>;

export const getDemo = operation({
  id: "getDemo",
  method: "GET",
  path: "/api/demo",
  access: "session",
  says: "The state of the demo.",
  status: 200,
  reply: Demo,
  errors: sessionErrors,
});

export const startDemo = operation({
  id: "startDemo",
  method: "POST",
  path: "/api/demo",
  access: "session",
  says: "Starts the demo. Only one demo can play at a time.",
  status: 202,
  reply: Demo,
  errors: [...inputErrors, "too_many_requests"],
});

export const stopDemo = operation({
  id: "stopDemo",
  method: "DELETE",
  path: "/api/demo",
  access: "session",
  says: "Ends the demo. Its events stay stored until the demo is wiped.",
  status: 204,
  errors: inputErrors,
});

export const startDemoWebhook = operation({
  id: "openDemoLetterbox",
  method: "POST",
  path: "/api/demo/letterbox",
  access: "session",
  says: "Starts a webhook on this computer that receives the demo's posts. It confirms each post and stores nothing.",
  status: 200,
  reply: Type.Object({ url: Type.String() }),
  errors: inputErrors,
});

/** Name of the demo's account. Posts to it never leave this computer. */
export const demoAccountName = "Kit's demo (stays on this machine)";
/** The demo's social event id. Its post rule is tried before all others. */
export const demoSocialId = `${demoGame}_high_score`;
export const demoGameName = "Kit's demo";
