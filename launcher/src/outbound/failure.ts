// Explains why there was no answer, and decides whether anything was sent.
import { fieldError, type KitError, type Message, payloadInvalid, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";

/** No connection was made, so nothing was sent: the address was refused, or DNS, TCP or TLS failed. */
export class ServerNotReached extends Error {
  override name = "Unreached";
}

/** The address is not allowed; `detail` says why. */
export class AddressRefused extends ServerNotReached {
  override name = "Refused";
  readonly detail: Message;

  constructor(detail: Message) {
    super(textOf(detail));
    this.detail = detail;
  }
}

/** The request ended before it was sent completely. */
export class RequestCutShort extends Error {
  override name = "CutShort";
}

type ErrorLike = {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
};

const causesMax = 8;

function causesOf(error: unknown): readonly ErrorLike[] {
  const causes: ErrorLike[] = [];
  for (let next = error; typeof next === "object" && next !== null && causes.length < causesMax; ) {
    causes.push(next);
    next = (next as ErrorLike).cause;
  }
  return causes;
}

/** The fetch standard blocks ports of other protocols with an error that has no code. */
const isBadPort = (error: ErrorLike) => error.message === "bad port";

/** True only if it is certain that no byte of the request reached the server. */
export function isNothingSent(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof ServerNotReached || isBadPort(cause));
}

/** True if it is certain that the request was not sent completely. A server that needs a complete form then did nothing. */
export function isRequestCutShort(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof RequestCutShort);
}

/** Returns the reason as a sentence that never contains the address. */
export function failureMessage(error: unknown): Message {
  const causes = causesOf(error);
  const refused = causes.find((cause) => cause instanceof AddressRefused);
  if (refused !== undefined) return refused.detail;
  if (causes.some(isBadPort)) return message("address.reserved_port");
  if (causes.some(({ name }) => name === "TimeoutError"))
    return message(isRequestCutShort(error) ? "connection.not_sent_in_time" : "connection.no_answer_in_time");
  if (causes.some(({ name }) => name === "AbortError")) return message("connection.cancelled");
  const codes = causes.map(({ code }) => code).filter((code): code is string => typeof code === "string");
  for (const code of codes) {
    const known = messageOfErrorCode(code);
    if (known !== undefined) return known;
  }
  const [code] = codes;
  return code !== undefined && /^[A-Z0-9_]{1,60}$/.test(code)
    ? message("connection.failed_code", { code })
    : message("connection.failed");
}

/** The error for a server that a person named in the member `path`. `problem` says why it was not reached. */
export function notReachedError(path: string, problem: Message): KitError {
  const detail = message("address.not_reached", { problem });
  return payloadInvalid(detail, fieldError(path, detail));
}

/** Returns the reason for an error code, or undefined for an unknown code. */
export function messageOfErrorCode(code: string): Message | undefined {
  const known = Object.hasOwn(messagesByCode, code)
    ? messagesByCode[code as keyof typeof messagesByCode]
    : kindOfCode(code);
  return known && message(known, { code });
}

function kindOfCode(code: string) {
  if (code.startsWith("HPE_")) return "connection.not_http";
  if (code.startsWith("ERR_SSL_")) return "connection.bad_tls";
  return /^ERR_TLS|CERT|SIGNATURE|ISSUER|^CRL_/.test(code) ? "connection.untrusted_certificate" : undefined;
}

const messagesByCode = {
  ECONNREFUSED: "connection.nothing_there",
  ENOTFOUND: "connection.unknown_name",
  EAI_AGAIN: "connection.unresolved_name",
  ECONNRESET: "connection.closed",
  EPIPE: "connection.closed",
  UND_ERR_SOCKET: "connection.closed",
  EHOSTUNREACH: "connection.server_unreachable",
  ENETUNREACH: "connection.network_unreachable",
  EADDRNOTAVAIL: "connection.network_unreachable",
  ETIMEDOUT: "connection.not_accepted",
  UND_ERR_CONNECT_TIMEOUT: "connection.not_accepted_in_time",
  UND_ERR_HEADERS_TIMEOUT: "connection.no_headers_in_time",
  UND_ERR_BODY_TIMEOUT: "connection.incomplete_answer",
  UND_ERR_HEADERS_OVERFLOW: "connection.long_headers",
  UND_ERR_RES_EXCEEDED_MAX_SIZE: "connection.long_answer",
  UND_ERR_DESTROYED: "connection.launcher_stopping",
  UND_ERR_CLOSED: "connection.launcher_stopping",
  EPROTO: "connection.bad_tls",
  CERT_HAS_EXPIRED: "connection.expired_certificate",
  CERT_NOT_YET_VALID: "connection.future_certificate",
  ERR_TLS_CERT_ALTNAME_INVALID: "connection.other_certificate",
} as const;
