// Errors of the API as problem documents (RFC 9457), with one code for each cause.
import { Type } from "typebox";
import { type Message, MessageError, type MessageOrText, textOf } from "./message.ts";
import { message } from "./messages/index.ts";

const problem = (status: number, title: string) => ({ status, title });

/** All problem codes with their HTTP status and title. */
export const problemsByCode = {
  malformed_request: problem(400, "The request is not valid HTTP"),
  unknown_parameter: problem(400, "The operation does not know this query parameter"),
  not_json: problem(400, "The body is not JSON"),
  unauthorized: problem(401, "A dashboard session is needed"),
  origin_refused: problem(403, "This web origin may not send here"),
  consent_needed: problem(403, "This web origin waits for the player's consent"),
  not_found: problem(404, "There is nothing at this address"),
  method_not_allowed: problem(405, "This address does not take this method"),
  request_timeout: problem(408, "The request did not arrive in time"),
  precondition_failed: problem(412, "The file is not the one the request names"),
  payload_too_large: problem(413, "The body is too large"),
  uri_too_long: problem(414, "The address is too long"),
  unsupported_media_type: problem(415, "The body must be plain application/json"),
  range_not_satisfiable: problem(416, "The file has no such part"),
  misdirected: problem(421, "The Host header does not name this launcher"),
  payload_invalid: problem(422, "The payload does not fit the schema"),
  too_many_requests: problem(429, "The launcher is busy"),
  headers_too_large: problem(431, "The request headers are too large"),
  internal: problem(500, "The launcher failed"),
  storage_unavailable: problem(503, "The launcher cannot store anything now"),
} as const;

export type ProblemCode = keyof typeof problemsByCode;

/** Errors of every operation that needs a sign-in session. */
export const sessionErrors = [
  "unknown_parameter",
  "unauthorized",
  "origin_refused",
  "misdirected",
  "storage_unavailable",
  "internal",
] as const;
/** Errors of an operation that has a body or a parameter. */
export const inputErrors = [...sessionErrors, "not_found", "payload_invalid"] as const;
/** Errors of an operation that sends a file, whole or in ranges. */
export const fileErrors = [
  "unknown_parameter",
  "unauthorized",
  "origin_refused",
  "misdirected",
  "not_found",
  "precondition_failed",
  "range_not_satisfiable",
  "internal",
] as const;

/** Returns the `type` of a problem document, e.g. `urn:kit:problem:payload_invalid`. */
export const problemType = (code: ProblemCode): string => `urn:kit:problem:${code}`;

/**
 * The code and values of the `Message` whose sentence is in a problem document, so that a client can translate it.
 */
const sentenceCode = {
  code: Type.Optional(Type.String({ description: "Names the sentence in every language" })),
  values: Type.Optional(
    Type.Unsafe<NonNullable<Message["values"]>>(
      Type.Record(Type.String(), Type.Unknown(), { description: "What stands in the sentence, by name" }),
    ),
  ),
};

export const FieldError = Type.Object({
  path: Type.String({ description: "JSON pointer to the member, e.g. /timestamp; empty for the body itself" }),
  message: Type.String({ description: "What was expected there" }),
  ...sentenceCode,
});
export type FieldError = Type.Static<typeof FieldError>;

export const Problem = Type.Object(
  {
    type: Type.String({ description: "urn:kit:problem:<code>" }),
    title: Type.String({ description: "The same sentence for every problem of this type" }),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String({ description: "What went wrong this time and what to do next" }),
    ...sentenceCode,
    errors: Type.Optional(Type.Array(FieldError, { description: "One entry for each invalid member" })),
  },
  { description: "RFC 9457 problem document" },
);
export type Problem = Type.Static<typeof Problem>;

/** Returns the code and values of a message, for a problem document; nothing for a plain text. */
const codeOf = (message: MessageOrText) => {
  if (typeof message === "string") return {};
  const { code, values } = message;
  return values === undefined ? { code } : { code, values };
};

export const fieldError = (path: string, message: MessageOrText): FieldError => ({
  path,
  message: textOf(message),
  ...codeOf(message),
});

/** Returns the name of a field as developers write it: `timestamp` for the path `/timestamp`, `part.toSeconds` for `/part/toSeconds`. */
export const fieldName = (path: string): string =>
  path.replace(/^\//, "").replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~") || "body";

/** Restores the message from the text, code and values in a problem document or one of its field errors. */
export const messageFromProblem = (
  text: string,
  { code, values }: Pick<FieldError, "code" | "values">,
): MessageOrText => {
  if (code === undefined) return text;
  return values === undefined ? { text, code } : { text, code, values };
};

/**
 * An error whose cause the caller may learn. Any other thrown error is a bug, to which the launcher answers with 500.
 */
export class KitError extends MessageError {
  override name = "KitError";
  readonly code: ProblemCode;
  readonly errors: readonly FieldError[];

  constructor(code: ProblemCode, detail: MessageOrText, errors: readonly FieldError[] = [], options?: ErrorOptions) {
    super(detail, options);
    this.code = code;
    this.errors = errors;
  }
}

/** Creates the error for an invalid payload. `detail` says what is wrong and what to do; `errors` lists the invalid fields. */
export const payloadInvalid = (detail: MessageOrText, ...errors: FieldError[]): KitError =>
  new KitError("payload_invalid", detail, errors);

/**
 * Throws the error for one invalid field. `problem` completes a sentence that begins with the field's name, e.g. "must
 * be a complete URL".
 */
export function rejectField(path: string, problem: MessageOrText): never {
  throw payloadInvalid(message("field.invalid", { field: fieldName(path), problem }), fieldError(path, problem));
}

/** Converts an error to a problem document. */
export function toProblem(error: KitError): Problem {
  const { status, title } = problemsByCode[error.code];
  const document: Problem = {
    type: problemType(error.code),
    title,
    status,
    detail: error.message,
    ...codeOf(error.detail),
  };
  return error.errors.length > 0 ? { ...document, errors: [...error.errors] } : document;
}
