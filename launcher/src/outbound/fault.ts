// Why there was no answer: in a sentence for a person that never holds the address, and whether anything was sent at all.

/** No connection came about, so no byte of the request left: refused address, name, connection, TLS. */
export class Unreached extends Error {
  override name = "Unreached";
}

/** An address where nothing is asked; its message is for a person. */
export class Refused extends Unreached {
  override name = "Refused";
}

/** The request ended before all of it was sent. */
export class CutShort extends Error {
  override name = "CutShort";
}

type Fault = { readonly name?: unknown; readonly code?: unknown; readonly message?: unknown; readonly cause?: unknown };

const causesMax = 8;

function causesOf(error: unknown): readonly Fault[] {
  const causes: Fault[] = [];
  for (let next = error; typeof next === "object" && next !== null && causes.length < causesMax; ) {
    causes.push(next);
    next = (next as Fault).cause;
  }
  return causes;
}

/** What the fetch standard keeps free for other protocols is not connected to; its error has no code. */
const isBadPort = ({ message }: Fault) => message === "bad port";

/** True only when it is certain that no byte of the request reached the server. */
export function sentNothing(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof Unreached || isBadPort(cause));
}

/**
 * True when it is certain that the request did not go out whole: a server that waits for all of it, as for a message with
 * its file, took nothing.
 */
export function sentInPart(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof CutShort);
}

/** In a sentence for a person; never the address. */
export function faultOf(error: unknown): string {
  const causes = causesOf(error);
  const refused = causes.find((cause) => cause instanceof Refused);
  if (refused !== undefined) return refused.message;
  if (causes.some(isBadPort)) return "This port is kept for another protocol. Give another one.";
  if (causes.some(({ name }) => name === "TimeoutError"))
    return sentInPart(error) ? "The request could not be sent in time." : "The server did not answer in time.";
  if (causes.some(({ name }) => name === "AbortError")) return "The request was given up.";
  const codes = causes.map(({ code }) => code).filter((code): code is string => typeof code === "string");
  for (const code of codes) {
    const words = wordsOf(code);
    if (words !== undefined) return `${words} (${code}).`;
  }
  const [code] = codes;
  return code !== undefined && /^[A-Z0-9_]{1,60}$/.test(code)
    ? `The connection failed (${code}).`
    : "The connection failed.";
}

function wordsOf(code: string): string | undefined {
  if (Object.hasOwn(wordsOfCode, code)) return wordsOfCode[code];
  if (code.startsWith("HPE_")) return "The server's answer is no HTTP";
  if (code.startsWith("ERR_SSL_")) return "The server does not speak TLS there as it should";
  return /^ERR_TLS|CERT|SIGNATURE|ISSUER|^CRL_/.test(code) ? "The server's certificate cannot be trusted" : undefined;
}

const wordsOfCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nobody answers at this address",
  ENOTFOUND: "There is no server of this name",
  EAI_AGAIN: "The name could not be looked up now",
  ECONNRESET: "The server ended the connection",
  EPIPE: "The server ended the connection",
  UND_ERR_SOCKET: "The server ended the connection",
  EHOSTUNREACH: "The server cannot be reached",
  ENETUNREACH: "The network cannot be reached",
  EADDRNOTAVAIL: "The network cannot be reached",
  ETIMEDOUT: "The server did not take the connection",
  UND_ERR_CONNECT_TIMEOUT: "The server did not take the connection in time",
  UND_ERR_HEADERS_TIMEOUT: "The server did not answer in time",
  UND_ERR_BODY_TIMEOUT: "The server's answer stopped halfway",
  UND_ERR_HEADERS_OVERFLOW: "The head of the server's answer is too long",
  UND_ERR_RES_EXCEEDED_MAX_SIZE: "The server's answer is too long",
  UND_ERR_DESTROYED: "The launcher is stopping",
  UND_ERR_CLOSED: "The launcher is stopping",
  EPROTO: "The server does not speak TLS there as it should",
  CERT_HAS_EXPIRED: "The server's certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "The server's certificate is for another name",
};
