// What a recording rule would have made of what already happened.
import { Type } from "typebox";
import { rulePreviewMomentsMax } from "./limits.ts";
import { operation } from "./operation.ts";
import { changeErrors } from "./problem.ts";
import { changeRecordingRule } from "./recorder.ts";

export const RulePreview = Type.Object(
  {
    moments: Type.Array(
      Type.Object({
        id: Type.String({ description: "The event's" }),
        at: Type.String({ description: "ISO 8601, UTC, milliseconds" }),
        became: Type.Enum(["clip", "joined", "screenshot", "marker", "nothing"], {
          description: "clip: one of its own; joined: part of one that another moment began",
        }),
        reason: Type.Union([Type.String(), Type.Null()], { description: "Why it is not what the rule asks for" }),
        clip: Type.Union([Type.Integer(), Type.Null()], { description: "Which of `clips`, from 0" }),
      }),
      { description: `The newest of this id, oldest first, at most ${rulePreviewMomentsMax}` },
    ),
    clips: Type.Array(
      Type.Object({
        from: Type.String({ description: "ISO 8601, UTC, milliseconds" }),
        to: Type.String({ description: "ISO 8601, UTC, milliseconds" }),
        seconds: Type.Number(),
        moments: Type.Integer({ description: "Of this id" }),
        others: Type.Integer({ description: "Of other ids" }),
      }),
      { description: "What would have been recorded, in the order of their times" },
    ),
  },
  { description: "What a rule would have made of what already happened" },
);
export type RulePreview = Type.Static<typeof RulePreview>;

export const previewRecordingRule = operation({
  id: "previewRecordingRule",
  method: "POST",
  path: "/api/recorder/rules/preview",
  access: "session",
  says:
    "What a rule would have made of the moments that already came, had all of it been recorded; other ids' rules as they are. " +
    "Error reports and posts are left out. Changes nothing.",
  body: changeRecordingRule.body,
  status: 200,
  reply: RulePreview,
  errors: changeErrors,
});
