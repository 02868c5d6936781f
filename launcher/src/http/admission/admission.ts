// Decides from the headers of a request whether it is allowed. Pure: no clock, no I/O; never throws.
import type { IncomingMessage } from "node:http";
import type { Access, Message, ProblemCode } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { classifyOrigin, isOwnHost, ownHosts } from "./origin.ts";

export type RequestFacts = {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly site: string | undefined;
  readonly mode: string | undefined;
  readonly dest: string | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly upgrade: string | undefined;
  readonly requestedMethod: string | undefined;
  readonly requestedHeaders: string | undefined;
  /** In a preflight from the internet to this computer: Chrome's header, under its first name and under its later one. */
  readonly privateNetwork: string | undefined;
  readonly localNetwork: string | undefined;
  /** The first of these headers that occurs more than once. */
  readonly repeated: string | undefined;
};

const names = {
  host: "host",
  origin: "origin",
  "sec-fetch-site": "site",
  "sec-fetch-mode": "mode",
  "sec-fetch-dest": "dest",
  "content-type": "contentType",
  "content-encoding": "contentEncoding",
  upgrade: "upgrade",
  "access-control-request-method": "requestedMethod",
  "access-control-request-headers": "requestedHeaders",
  "access-control-request-private-network": "privateNetwork",
  "access-control-request-local-network": "localNetwork",
} as const satisfies Record<string, keyof RequestFacts>;

type Found = Partial<Record<(typeof names)[keyof typeof names], string>>;

/** Reads the headers that admission needs, in one pass. Never throws; a missing header is undefined. */
export function readRequestFacts(
  request: Pick<IncomingMessage, "method" | "url" | "httpVersion" | "rawHeaders">,
): RequestFacts {
  const found: Found = {};
  let repeated: string | undefined;
  const raw = request.rawHeaders;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const header = (raw[index] ?? "").toLowerCase();
    if (!Object.hasOwn(names, header)) continue;
    const name = names[header as keyof typeof names];
    if (found[name] !== undefined) repeated ??= header;
    else found[name] = raw[index + 1] ?? "";
  }
  return {
    method: request.method ?? "",
    target: request.url ?? "",
    version: request.httpVersion,
    host: found.host,
    origin: found.origin,
    site: found.site,
    mode: found.mode,
    dest: found.dest,
    contentType: found.contentType,
    contentEncoding: found.contentEncoding,
    upgrade: found.upgrade,
    requestedMethod: found.requestedMethod,
    requestedHeaders: found.requestedHeaders,
    privateNetwork: found.privateNetwork,
    localNetwork: found.localNetwork,
    repeated,
  };
}

/** `shell` is the dashboard's page, `asset` a file that the page loads. Neither contains the player's data. */
export type RouteClass = Access | "shell" | "asset";

export type RequestCredentials = {
  /** The request has both the cookie and the token of an open sign-in session. */
  readonly session: boolean;
  /** The request has the install secret, which only the owner of the data folder can read. */
  readonly bearer: boolean;
  /** The request has a session's cookie and a media pass of that session. The cookie alone opens nothing. */
  readonly pass: boolean;
  /** The request has a session's cookie and an unused link that the session made for this download. */
  readonly link: boolean;
};

export type AdmissionPolicy = {
  readonly port: number;
  readonly consent: (origin: string) => "allowed" | "blocked" | "unasked";
};

export type AdmissionDecision =
  | { readonly allow: true; readonly cors: string | undefined; readonly preflight: boolean }
  | {
      readonly allow: false;
      readonly code: ProblemCode;
      readonly detail: Message;
      /** The web origin that a person should decide on. */
      readonly ask?: string;
      /** The value of Access-Control-Allow-Origin, set if the caller may read the refusal. */
      readonly cors?: string;
    };

const targetBytesMax = 2_048;
const jsonType = /^application\/json(;[ \t]*charset="?utf-8"?)?$/i;
const printable = /^[\x21-\x7e]+$/;

const refuse = (code: ProblemCode, detail: Message): AdmissionDecision => ({ allow: false, code, detail });
const allow = (cors?: string, preflight = false): AdmissionDecision => ({ allow: true, cors, preflight });

/** Refuses a request that is not plain HTTP/1.1, or whose Host header does not name this launcher. */
function checkTransport(facts: RequestFacts, port: number): AdmissionDecision | undefined {
  if (facts.repeated === "host") return refuse("misdirected", message("request.one_host"));
  if (facts.host === undefined || !isOwnHost(facts.host, port)) {
    return refuse("misdirected", message("request.unknown_host", { hosts: ownHosts(port).join(", ") }));
  }
  if (facts.version !== "1.1") return refuse("malformed_request", message("request.old_http"));
  if (facts.repeated !== undefined)
    return refuse("malformed_request", message("request.repeated_header", { header: facts.repeated }));
  if (facts.upgrade !== undefined) return refuse("malformed_request", message("request.no_upgrade"));
  if (facts.target.length > targetBytesMax)
    return refuse("uri_too_long", message("request.long_address", { bytes: targetBytesMax }));
  if (!facts.target.startsWith("/") || facts.target.startsWith("//") || !printable.test(facts.target)) {
    return refuse("malformed_request", message("request.odd_address"));
  }
  return undefined;
}

/** For requests of games: admits native programs, NW.js and local pages with CORS, and other web origins by consent. */
function checkSender(facts: RequestFacts, policy: AdmissionPolicy): AdmissionDecision {
  const { origin, site, mode } = facts;
  if (mode === "navigate") return refuse("origin_refused", message("origin.navigation"));
  if (origin === undefined) {
    // A DNS-rebinding or no-cors request from a browser has Sec-Fetch-Site but no Origin; a native game sends neither.
    if (site === undefined || site === "none") return allow();
    return refuse("origin_refused", message("origin.missing"));
  }
  switch (classifyOrigin(origin)) {
    case "nwjs":
    case "local":
      return allow(origin);
    case "unusable":
      return refuse("origin_refused", message("origin.invalid"));
    default:
      return checkConsent(origin, policy);
  }
}

function checkConsent(origin: string, policy: AdmissionPolicy): AdmissionDecision {
  const consent = policy.consent(origin);
  if (consent === "allowed") return allow(origin);
  if (consent === "blocked") return refuse("origin_refused", message("origin.blocked", { origin }));
  const detail = message("origin.undecided", { origin });
  return { allow: false, code: "consent_needed", detail, ask: origin };
}

function checkPreflight(facts: RequestFacts, sender: AdmissionDecision): AdmissionDecision {
  if (facts.requestedMethod === undefined) return refuse("method_not_allowed", message("request.use_post"));
  if (facts.requestedMethod !== "POST") return refuse("origin_refused", message("request.preflight_method"));
  const asked = (facts.requestedHeaders ?? "").split(",").map((name) => name.trim().toLowerCase());
  if (!asked.every((name) => name === "" || name === "content-type")) {
    return refuse("origin_refused", message("request.preflight_header"));
  }
  return sender.allow ? allow(sender.cors, true) : sender;
}

function admitIngest(facts: RequestFacts, policy: AdmissionPolicy): AdmissionDecision {
  const sender = checkSender(facts, policy);
  if (facts.method === "OPTIONS") return checkPreflight(facts, sender);
  if (!sender.allow) return sender;
  const readable = sender.cors === undefined ? {} : { cors: sender.cors };
  if (facts.method !== "POST") return { ...refuse("method_not_allowed", message("request.use_post")), ...readable };
  const encoding = facts.contentEncoding?.toLowerCase();
  if (encoding !== undefined && encoding !== "identity") {
    return { ...refuse("unsupported_media_type", message("request.encoded_body")), ...readable };
  }
  const native = facts.origin === undefined && facts.site === undefined;
  if (facts.contentType === undefined ? native : jsonType.test(facts.contentType)) return sender;
  return { ...refuse("unsupported_media_type", message("request.not_json_type")), ...readable };
}

/** Returns true if the request comes from the launcher's own page or from a program that is not a browser. */
function isOwnOrNative(facts: RequestFacts): boolean {
  const own = facts.origin === undefined || facts.origin === `http://${facts.host?.toLowerCase()}`;
  return own && (facts.site === undefined || facts.site === "same-origin");
}

/** `hasUrlCredential`: the URL contains a pass or link that replaces the token. No browser header counts as a credential. */
function admitSession(
  facts: RequestFacts,
  credentials: RequestCredentials,
  hasUrlCredential = false,
): AdmissionDecision {
  if (!isOwnOrNative(facts)) return refuse("origin_refused", message("origin.session_only"));
  const reading = facts.method === "GET" || facts.method === "HEAD";
  const native = facts.origin === undefined && facts.site === undefined;
  // A session may change data only with an Origin header; a request without one must come from the command line.
  const known = credentials.bearer
    ? native
    : hasUrlCredential || (credentials.session && (reading || facts.origin !== undefined));
  if (!known) return refuse("unauthorized", message("session.needed"));
  return checkBody(facts);
}

function checkBody(facts: RequestFacts): AdmissionDecision {
  if (facts.contentEncoding !== undefined) return refuse("unsupported_media_type", message("request.encoded_body"));
  if (facts.contentType === undefined || jsonType.test(facts.contentType)) return allow();
  return refuse("unsupported_media_type", message("request.not_json_type"));
}

function admitTicket(facts: RequestFacts): AdmissionDecision {
  if (facts.origin === undefined || !isOwnOrNative(facts)) {
    return refuse("origin_refused", message("origin.sign_in_elsewhere"));
  }
  return checkBody(facts);
}

function admitPublic(facts: RequestFacts): AdmissionDecision {
  const own = facts.origin === undefined || facts.origin === `http://${facts.host?.toLowerCase()}`;
  const site = facts.site === undefined || facts.site === "none" || facts.site === "same-origin";
  return own && site ? allow() : refuse("origin_refused", message("origin.foreign_page"));
}

function admitStatic(facts: RequestFacts, routeClass: "shell" | "asset"): AdmissionDecision {
  const { origin, site, mode, dest } = facts;
  if (origin !== undefined && origin !== `http://${facts.host?.toLowerCase()}`) {
    return refuse("origin_refused", message("origin.foreign_load"));
  }
  if (site === undefined || site === "same-origin") return allow();
  if (routeClass === "shell" && (site === "none" || (mode === "navigate" && dest === "document"))) return allow();
  return refuse("origin_refused", message("origin.foreign_load"));
}

/** Applies the admission table. The first check that fails decides the response. */
export function admit(
  facts: RequestFacts,
  routeClass: RouteClass,
  credentials: RequestCredentials,
  policy: AdmissionPolicy,
): AdmissionDecision {
  const broken = checkTransport(facts, policy.port);
  if (broken !== undefined) return broken;
  switch (routeClass) {
    case "ingest":
      return admitIngest(facts, policy);
    case "public":
      return admitPublic(facts);
    case "session":
      return admitSession(facts, credentials);
    case "media":
      return admitSession(facts, credentials, credentials.pass);
    case "download":
      return admitSession(facts, credentials, credentials.link);
    case "ticket":
      return admitTicket(facts);
    default:
      return admitStatic(facts, routeClass);
  }
}
