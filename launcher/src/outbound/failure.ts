// Explains why there was no answer, and decides whether anything was sent.

/** No connection was made, so nothing was sent: the address was refused, or DNS, TCP or TLS failed. */
export class ServerNotReached extends Error {
  override name = "Unreached";
}

/** The address is not allowed. The message is a sentence for people. */
export class AddressRefused extends ServerNotReached {
  override name = "Refused";
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
const isBadPort = ({ message }: ErrorLike) => message === "bad port";

/** True only if it is certain that no byte of the request reached the server. */
export function isNothingSent(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof ServerNotReached || isBadPort(cause));
}

/** True if it is certain that the request was not sent completely. A server that needs a complete form then did nothing. */
export function isRequestCutShort(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof RequestCutShort);
}

/** Returns the reason as a sentence that never contains the address. */
export function failureMessage(error: unknown): string {
  const causes = causesOf(error);
  const refused = causes.find((cause) => cause instanceof AddressRefused);
  if (refused !== undefined) return refused.message;
  if (causes.some(isBadPort)) return "This port is reserved for another protocol. Use another one.";
  if (causes.some(({ name }) => name === "TimeoutError"))
    return isRequestCutShort(error) ? "The request could not be sent in time." : "The server did not answer in time.";
  if (causes.some(({ name }) => name === "AbortError")) return "The request was cancelled.";
  const codes = causes.map(({ code }) => code).filter((code): code is string => typeof code === "string");
  for (const code of codes) {
    const words = messageOfCode(code);
    if (words !== undefined) return `${words} (${code}).`;
  }
  const [code] = codes;
  return code !== undefined && /^[A-Z0-9_]{1,60}$/.test(code)
    ? `The connection failed (${code}).`
    : "The connection failed.";
}

/** Returns the reason for an error code, or undefined for an unknown code. */
export function messageOfCode(code: string): string | undefined {
  if (Object.hasOwn(messagesByCode, code)) return messagesByCode[code];
  if (code.startsWith("HPE_")) return "The server's answer is not HTTP";
  if (code.startsWith("ERR_SSL_")) return "The server does not speak TLS correctly";
  return /^ERR_TLS|CERT|SIGNATURE|ISSUER|^CRL_/.test(code) ? "The server's certificate cannot be trusted" : undefined;
}

const messagesByCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nothing answers at this address",
  ENOTFOUND: "No server has this name",
  EAI_AGAIN: "The name could not be resolved",
  ECONNRESET: "The server closed the connection",
  EPIPE: "The server closed the connection",
  UND_ERR_SOCKET: "The server closed the connection",
  EHOSTUNREACH: "The server cannot be reached",
  ENETUNREACH: "The network cannot be reached",
  EADDRNOTAVAIL: "The network cannot be reached",
  ETIMEDOUT: "The server did not accept the connection",
  UND_ERR_CONNECT_TIMEOUT: "The server did not accept the connection in time",
  UND_ERR_HEADERS_TIMEOUT: "The server did not answer in time",
  UND_ERR_BODY_TIMEOUT: "The server's answer is incomplete",
  UND_ERR_HEADERS_OVERFLOW: "The headers of the server's answer are too long",
  UND_ERR_RES_EXCEEDED_MAX_SIZE: "The server's answer is too long",
  UND_ERR_DESTROYED: "The launcher is stopping",
  UND_ERR_CLOSED: "The launcher is stopping",
  EPROTO: "The server does not speak TLS correctly",
  CERT_HAS_EXPIRED: "The server's certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "The server's certificate is for another name",
};
