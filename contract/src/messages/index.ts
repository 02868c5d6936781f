// Every sentence of the launcher that has a code, in English. The other languages are beside it, by code.
import { createMessages, type MessageOrText } from "../message.ts";
import { fieldError, payloadInvalid } from "../problem.ts";
import { commonMessages } from "./common.ts";
import { dataMessages } from "./data.ts";
import { gamesMessages } from "./games.ts";
import { httpMessages } from "./http.ts";
import { monitorMessages } from "./monitor.ts";

const templates = {
  ...commonMessages,
  ...dataMessages,
  ...gamesMessages,
  ...httpMessages,
  ...monitorMessages,
} as const;

/** Says a sentence: `message("field.missing", { expected })`. */
export const message = createMessages(templates);

/** Throws the error for one invalid member. `problem` completes the sentence, e.g. "must be a complete URL". */
export function rejectField(path: string, problem: MessageOrText): never {
  throw payloadInvalid(message("field.invalid", { field: path, problem }), fieldError(path, problem));
}
