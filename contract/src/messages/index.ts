// Every sentence of the launcher that has a code, in English. The other languages are beside it, by code.
import { createMessages, type Message, type MessageOrText } from "../message.ts";
import { fieldError, payloadInvalid } from "../problem.ts";
import { captureMessages } from "./capture.ts";
import { commonMessages } from "./common.ts";
import { dataMessages } from "./data.ts";
import { gamesMessages } from "./games.ts";
import { httpMessages } from "./http.ts";
import { monitorMessages } from "./monitor.ts";
import { recordingMessages } from "./recording.ts";

const templates = {
  ...captureMessages,
  ...commonMessages,
  ...dataMessages,
  ...gamesMessages,
  ...httpMessages,
  ...monitorMessages,
  ...recordingMessages,
} as const;

/** Says a sentence: `message("field.missing", { expected })`. */
export const message = createMessages(templates);

/** Puts sentences one after another. */
export const joinSentences = (first: Message, ...rest: readonly Message[]): Message =>
  rest.reduce((joined, next) => message("join.sentences", { first: joined, second: next }), first);

/** Joins sentences as clauses of one. */
export const joinClauses = (first: Message, ...rest: readonly Message[]): Message =>
  rest.reduce((joined, next) => message("join.clauses", { first: joined, second: next }), first);

/** Throws the error for one invalid member. `problem` completes the sentence, e.g. "must be a complete URL". */
export function rejectField(path: string, problem: MessageOrText): never {
  throw payloadInvalid(message("field.invalid", { field: path, problem }), fieldError(path, problem));
}
