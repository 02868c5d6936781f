// Who may do what, decided from a request's head alone. Pure: no clock, no I/O; never throws.
import type { Access, ProblemCode } from "@kit/contract";
import type { RequestFacts } from "./facts.ts";
import { hostsOf, isOwnHost, kindOfOrigin } from "./origin.ts";

/** `shell` is the page itself, `asset` what it loads: both hold no data of the player. */
export type RouteClass = Access | "shell" | "asset";

export type Credentials = {
  /** Both halves of a dashboard session. */
  readonly session: boolean;
  /** The install secret, which only the owner of the data directory can read. */
  readonly bearer: boolean;
  /** A session's cookie and a pass of that session, for pictures and videos. The cookie alone shows nothing. */
  readonly pass: boolean;
  /** A session's cookie and a link of that session, made for this download and not used before. */
  readonly link: boolean;
};

export type Policy = {
  readonly port: number;
  readonly consent: (origin: string) => "allowed" | "blocked" | "unasked";
};

export type Decision =
  | { readonly allow: true; readonly cors: string | undefined; readonly preflight: boolean }
  | {
      readonly allow: false;
      readonly code: ProblemCode;
      readonly detail: string;
      /** The origin a person should be asked about. */
      readonly ask?: string;
      /** Set where the caller may read the refusal. */
      readonly cors?: string;
    };

const targetBytesMax = 2_048;
const jsonType = /^application\/json(;[ \t]*charset="?utf-8"?)?$/i;
const printable = /^[\x21-\x7e]+$/;

const refuse = (code: ProblemCode, detail: string): Decision => ({ allow: false, code, detail });
const allow = (cors?: string, preflight = false): Decision => ({ allow: true, cors, preflight });

/** C0, C1: is this plain HTTP/1.1, addressed to this launcher by one of its own names? */
function checkTransport(facts: RequestFacts, port: number): Decision | undefined {
  if (facts.repeated === "host") return refuse("misdirected", "Send exactly one Host header.");
  if (facts.host === undefined || !isOwnHost(facts.host, port)) {
    return refuse("misdirected", `The Host header must be one of ${hostsOf(port).join(", ")}.`);
  }
  if (facts.version !== "1.1") return refuse("malformed_request", "Speak HTTP/1.1.");
  if (facts.repeated !== undefined) return refuse("malformed_request", `Send the ${facts.repeated} header once.`);
  if (facts.upgrade !== undefined)
    return refuse("malformed_request", "No protocol upgrades here; send plain HTTP/1.1.");
  if (facts.target.length > targetBytesMax)
    return refuse("uri_too_long", `Keep the address within ${targetBytesMax} bytes.`);
  if (!facts.target.startsWith("/") || facts.target.startsWith("//") || !printable.test(facts.target)) {
    return refuse("malformed_request", "The address must be a path that begins with one slash, in printable ASCII.");
  }
  return undefined;
}

/** C2 for games: native callers freely, NW.js and local pages with CORS, the web by consent. */
function checkSender(facts: RequestFacts, policy: Policy): Decision {
  const { origin, site, mode } = facts;
  if (mode === "navigate") return refuse("origin_refused", "A page navigation cannot send events.");
  if (origin === undefined) {
    // A rebound or no-cors request of a browser carries a site but no origin; a native game carries neither.
    if (site === undefined || site === "none") return allow();
    return refuse("origin_refused", "A browser sent this without naming its origin.");
  }
  switch (kindOfOrigin(origin, policy.port)) {
    case "self":
      return refuse("origin_refused", "The dashboard sends no events.");
    case "nwjs":
    case "local":
      return allow(origin);
    case "unusable":
      return refuse("origin_refused", "The Origin header is not one a browser sends.");
    default:
      return checkConsent(origin, policy);
  }
}

function checkConsent(origin: string, policy: Policy): Decision {
  const consent = policy.consent(origin);
  if (consent === "allowed") return allow(origin);
  if (consent === "blocked")
    return refuse("origin_refused", `Events from ${origin} are blocked. Change it in the dashboard.`);
  const detail = `Allow ${origin} in Kit's dashboard or with \`kit origins allow\`, then send again.`;
  return { allow: false, code: "consent_needed", detail, ask: origin };
}

function checkPreflight(facts: RequestFacts, sender: Decision): Decision {
  if (facts.askedMethod === undefined) return refuse("method_not_allowed", "Use POST.");
  if (facts.askedMethod !== "POST") return refuse("origin_refused", "Only POST may be sent here.");
  const asked = (facts.askedHeaders ?? "").split(",").map((name) => name.trim().toLowerCase());
  if (!asked.every((name) => name === "" || name === "content-type")) {
    return refuse("origin_refused", "Only the Content-Type header may be sent here.");
  }
  return sender.allow ? allow(sender.cors, true) : sender;
}

function admitIngest(facts: RequestFacts, policy: Policy): Decision {
  const sender = checkSender(facts, policy);
  if (facts.method === "OPTIONS") return checkPreflight(facts, sender);
  if (!sender.allow) return sender;
  const readable = sender.cors === undefined ? {} : { cors: sender.cors };
  if (facts.method !== "POST") return { ...refuse("method_not_allowed", "Use POST."), ...readable };
  const encoding = facts.contentEncoding?.toLowerCase();
  if (encoding !== undefined && encoding !== "identity") {
    return { ...refuse("unsupported_media_type", "Send the body without Content-Encoding."), ...readable };
  }
  const native = facts.origin === undefined && facts.site === undefined;
  if (facts.contentType === undefined ? native : jsonType.test(facts.contentType)) return sender;
  return { ...refuse("unsupported_media_type", "Send the header Content-Type: application/json."), ...readable };
}

/** True when the request comes from this launcher's own page, or from no browser at all. */
function isOwnOrNative(facts: RequestFacts): boolean {
  const own = facts.origin === undefined || facts.origin === `http://${facts.host?.toLowerCase()}`;
  return own && (facts.site === undefined || facts.site === "same-origin");
}

/** `isShown`: the address shows what opens it without the token. No browser header ever stands for a credential. */
function admitSession(facts: RequestFacts, credentials: Credentials, isShown = false): Decision {
  if (!isOwnOrNative(facts))
    return refuse("origin_refused", "Only the dashboard itself and the command line may ask this.");
  const reading = facts.method === "GET" || facts.method === "HEAD";
  const native = facts.origin === undefined && facts.site === undefined;
  // A change by session must name its origin; without one it has to be the command line.
  const known = credentials.bearer
    ? native
    : isShown || (credentials.session && (reading || facts.origin !== undefined));
  if (!known) return refuse("unauthorized", "Open the dashboard with `kit open`.");
  return checkBody(facts);
}

function checkBody(facts: RequestFacts): Decision {
  if (facts.contentEncoding !== undefined)
    return refuse("unsupported_media_type", "Send the body without Content-Encoding.");
  if (facts.contentType === undefined || jsonType.test(facts.contentType)) return allow();
  return refuse("unsupported_media_type", "Send the header Content-Type: application/json.");
}

function admitTicket(facts: RequestFacts): Decision {
  if (facts.origin === undefined || !isOwnOrNative(facts)) {
    return refuse("origin_refused", "Only the dashboard's own page may trade a ticket.");
  }
  return checkBody(facts);
}

function admitPublic(facts: RequestFacts): Decision {
  const own = facts.origin === undefined || facts.origin === `http://${facts.host?.toLowerCase()}`;
  const site = facts.site === undefined || facts.site === "none" || facts.site === "same-origin";
  return own && site ? allow() : refuse("origin_refused", "Other web pages may not ask this.");
}

function admitStatic(facts: RequestFacts, routeClass: "shell" | "asset"): Decision {
  const { origin, site, mode, dest } = facts;
  if (origin !== undefined && origin !== `http://${facts.host?.toLowerCase()}`) {
    return refuse("origin_refused", "Other web pages may not load this.");
  }
  if (site === undefined || site === "same-origin") return allow();
  if (routeClass === "shell" && (site === "none" || (mode === "navigate" && dest === "document"))) return allow();
  return refuse("origin_refused", "Other web pages may not load this.");
}

/** The admission table. The first check that fails answers. */
export function admit(facts: RequestFacts, routeClass: RouteClass, credentials: Credentials, policy: Policy): Decision {
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
