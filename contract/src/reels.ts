// Operations on reels: clips that are made of parts of other clips.
import { Type } from "typebox";
import { Clip } from "./clip.ts";
import { instantSchema } from "./ingest.ts";
import { reelPartsMax } from "./limits.ts";
import { operation } from "./operation.ts";
import { inputErrors } from "./problem.ts";

const title = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]+$",
  description: "1 to 200 characters in one line",
});

export const makeReel = operation({
  id: "makeReel",
  method: "POST",
  path: "/api/reels",
  access: "session",
  says:
    "Makes a reel: one video of parts of several clips, with a chapter for each. The clips stay unchanged. Replies with the reel, which is " +
    "a pending clip until its file is verified. The frames are copied if all parts have one format and nothing fades, otherwise all are " +
    "encoded again.",
  body: Type.Object({
    title: Type.Optional(title),
    parts: Type.Optional(
      Type.Array(
        Type.Object({
          clip: Type.String({ maxLength: 64, description: "the clip's id" }),
          fromSeconds: Type.Optional(
            Type.Number({ minimum: 0, description: "seconds from the clip's first frame; with toSeconds" }),
          ),
          toSeconds: Type.Optional(
            Type.Number({ minimum: 0, description: "seconds from the clip's first frame; with fromSeconds" }),
          ),
          title: Type.Optional(title),
        }),
        {
          minItems: 1,
          maxItems: reelPartsMax,
          description: `the parts in order, at most ${reelPartsMax}; or \`best\``,
        },
      ),
    ),
    best: Type.Optional(
      Type.Object(
        {
          from: instantSchema,
          to: instantSchema,
          game: Type.Optional(Type.String({ maxLength: 200, description: "only clips of this game" })),
          count: Type.Optional(
            Type.Integer({ minimum: 1, maximum: reelPartsMax, default: 10, description: `1 to ${reelPartsMax}` }),
          ),
        },
        { description: "instead of `parts`: the best clips of a session or day, in the order of their times" },
      ),
    ),
    fade: Type.Optional(
      Type.Boolean({
        default: false,
        description: "each part fades in from black and out to black, picture and sound, for a quarter of a second",
      }),
    ),
    aroundSeconds: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: 600,
        description: "length of each part without a range of its own, around its moment; whole clips if left out",
      }),
    ),
  }),
  status: 202,
  reply: Clip,
  errors: [...inputErrors, "too_many_requests"],
});

export const cancelReel = operation({
  id: "cancelReel",
  method: "DELETE",
  path: "/api/reels/{id}",
  access: "session",
  says: "Cancels a reel that is being made, and removes it. The clips stay.",
  params: Type.Object({ id: Type.String({ description: "The reel's id" }) }),
  status: 204,
  errors: inputErrors,
});
