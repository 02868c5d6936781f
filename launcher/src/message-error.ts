// Errors with a sentence for a person, and what any error says.
import { KitError, type Message, type MessageOrText, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";

/** A text of another program, or one without a code, has no translation. */
export const toMessage = (said: MessageOrText): Message =>
  typeof said === "string" ? message("error.other", { text: said }) : said;

/** The sentence often completes another one, e.g. "it could not be saved: …". */
export class MessageError extends Error {
  override name = "MessageError";
  readonly detail: Message;

  constructor(detail: MessageOrText, options?: ErrorOptions) {
    super(textOf(detail), options);
    this.detail = toMessage(detail);
  }
}

export function reasonOf(error: unknown): Message {
  if (error instanceof MessageError || error instanceof KitError) return toMessage(error.detail);
  return toMessage(error instanceof Error ? error.message : String(error));
}
