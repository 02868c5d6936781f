// All messages of the launcher in English, by code. `ja.json` contains the Japanese translations.
// Imports no schemas: the storage threads load this file at each start.
import { createMessages, detailOf, type Message, type MessageOrText } from "../message.ts";
import { captureMessages } from "./capture.ts";
import { dataMessages } from "./data.ts";
import { fieldMessages } from "./fields.ts";
import { gamesMessages } from "./games.ts";
import { httpMessages } from "./http.ts";
import { monitorMessages } from "./monitor.ts";
import { outboundMessages } from "./outbound.ts";
import { recordingMessages } from "./recording.ts";
import { socialMessages } from "./social.ts";

/** The English templates by code. */
export const englishTemplates = {
  ...captureMessages,
  ...fieldMessages,
  ...dataMessages,
  ...gamesMessages,
  ...httpMessages,
  ...monitorMessages,
  ...recordingMessages,
  ...outboundMessages,
  ...socialMessages,
} as const;

/** Creates a message, e.g. `message("field.missing", { expected })`. */
export const message = createMessages(englishTemplates);

/** Joins sentences with a space. */
export const joinSentences = (first: Message, ...rest: readonly Message[]): Message =>
  rest.reduce((joined, next) => message("join.sentences", { first: joined, second: next }), first);

/** Joins parts of a sentence with a semicolon. */
export const joinClauses = (first: Message, ...rest: readonly Message[]): Message =>
  rest.reduce((joined, next) => message("join.clauses", { first: joined, second: next }), first);

/** Turns text from another program into a message, which is shown unchanged in every language. */
export const toMessage = (said: MessageOrText): Message =>
  typeof said === "string" ? message("error.other", { text: said }) : said;

/** Returns the message to show to people for an error of any kind. */
export const reasonOf = (error: unknown): Message => toMessage(detailOf(error));
