// Turns errors into responses, in this one place. Internal details go only to the log.

import type { IncomingMessage } from "node:http";
import { KitError, type Message, type ProblemCode, toProblem } from "@kit/contract";
import { message } from "@kit/contract/messages";

export const bodyTooLargeError = () => new KitError("payload_too_large", message("body.too_large"));

/** Maps error codes of Fastify and Node to problem codes and messages. */
const foreignCodes: Record<string, [ProblemCode, Message]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ["payload_too_large", message("body.too_large")],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["malformed_request", message("request.wrong_length")],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["unsupported_media_type", message("request.not_json_type")],
  FST_ERR_MAX_PARAM_LENGTH: ["uri_too_long", message("request.long_part")],
  FST_ERR_BAD_URL: ["malformed_request", message("request.undecodable_address")],
  HPE_HEADER_OVERFLOW: ["headers_too_large", message("request.large_headers")],
  ECONNRESET: ["malformed_request", message("request.connection_ended")],
  ERR_HTTP_REQUEST_TIMEOUT: ["request_timeout", message("request.too_slow")],
};

/** Returns the error that the caller may see, or undefined for a bug. */
export function toKitError(error: unknown): KitError | undefined {
  if (error instanceof KitError) return error;
  const known = foreignCodes[(error as { code?: string })?.code ?? ""];
  return known && new KitError(known[0], known[1]);
}

export type ProblemAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Creates the response for a failure and records the refused request. `bytes`: the body, if it was read. */
export type AnswerFailure = (thrown: unknown, request: IncomingMessage, bytes: Buffer | undefined) => ProblemAnswer;

const retryAfterSeconds: Partial<Record<ProblemCode, string>> = { too_many_requests: "1", storage_unavailable: "5" };

export function problemAnswer(error: KitError): ProblemAnswer {
  const document = toProblem(error);
  const retryAfter = retryAfterSeconds[error.code];
  return {
    status: document.status,
    headers: {
      "content-type": "application/problem+json",
      ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }),
    },
    body: JSON.stringify(document),
  };
}

/** Creates a raw HTTP response for a request that could not be parsed as HTTP. */
export function rawProblemResponse(error: KitError): string {
  const document = toProblem(error);
  const body = JSON.stringify(document);
  const head = [
    `HTTP/1.1 ${document.status} ${document.title}`,
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
