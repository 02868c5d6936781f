// The preview of a recording rule: what the rule would have made of past moments.
import { Type } from "typebox";
import { rulePreviewMomentsMax } from "./limits.ts";
import { messageSchema } from "./message-schema.ts";
import { operation } from "./operation.ts";
import { inputErrors } from "./problem.ts";
import { changeRecordingRule } from "./recorder.ts";

export const RulePreview = Type.Object(
  {
    moments: Type.Array(
      Type.Object({
        id: Type.String({ description: "Id of the event" }),
        at: Type.String({ description: "ISO 8601, UTC, milliseconds" }),
        became: Type.Enum(["clip", "joined", "screenshot", "marker", "nothing"], {
          description: "clip: the moment starts a clip; joined: the moment joins the clip of an earlier moment",
        }),
        reason: Type.Union([messageSchema(), Type.Null()], {
          description: "Why the result differs from the rule's action",
        }),
        clip: Type.Union([Type.Integer(), Type.Null()], { description: "Index in `clips`, from 0" }),
      }),
      { description: `The newest events with this id, oldest first, at most ${rulePreviewMomentsMax}` },
    ),
    clips: Type.Array(
      Type.Object({
        from: Type.String({ description: "ISO 8601, UTC, milliseconds" }),
        to: Type.String({ description: "ISO 8601, UTC, milliseconds" }),
        seconds: Type.Number(),
        moments: Type.Integer({ description: "Number of moments with this event id" }),
        others: Type.Integer({ description: "Number of moments with other event ids" }),
      }),
      { description: "The clips that would have been recorded, in chronological order" },
    ),
  },
  { description: "What a rule would have done with past moments" },
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
  errors: inputErrors,
});
