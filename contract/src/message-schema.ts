// Not in message.ts, so that a thread which needs only messages does not build schemas.
import { Type } from "typebox";
import type { MessageOrText } from "./message.ts";

/** The schema of a message; `description` says what the message is about. */
export const messageSchema = (description = "A sentence of the launcher") =>
  Type.Unsafe<MessageOrText>(
    Type.Union(
      [
        Type.Object({
          text: Type.String({ description: "The sentence in English" }),
          code: Type.String({ description: "Names the sentence in every language, e.g. `clip.too_short`" }),
          values: Type.Optional(
            Type.Record(Type.String(), Type.Unknown(), {
              description: "What stands in the sentence: a text, a number or another message, by name",
            }),
          ),
        }),
        Type.String(),
      ],
      { description },
    ),
  );
