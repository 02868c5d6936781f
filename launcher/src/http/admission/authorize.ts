// Applies admission to a request and prepares the response headers: admitted, preflight, or refused.
import type { IncomingMessage } from "node:http";
import { KitError } from "@kit/contract";
import { closingHeaders } from "../last-answer.ts";
import {
  type AdmissionDecision,
  type AdmissionPolicy,
  admit,
  type RequestCredentials,
  type RequestFacts,
  type RouteClass,
} from "./admission.ts";

// Security headers of every response. The content security policy lets the dashboard load only its own files.

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // For the URLs of the dashboard's service worker and of the binding that the demo loads.
  "trusted-types kit",
].join("; ");

type Headers = Record<string, string>;

/** Prevents content sniffing, and embedding by pages of other origins. */
const always: Headers = { "x-content-type-options": "nosniff", "cross-origin-resource-policy": "same-origin" };
const page: Headers = {
  ...always,
  "content-security-policy": pagePolicy,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
};
const data: Headers = { ...page, "cache-control": "no-store" };
/** Games get no page headers, which would take a tenth of the time of each event. */
const ingest: Headers = { ...always, "cache-control": "no-store" };

function securityHeadersFor(routeClass: RouteClass): Headers {
  if (routeClass === "ingest") return ingest;
  return routeClass === "shell" || routeClass === "asset" ? page : data;
}

export type Authorization = {
  /** Headers that every response to this request must have. */
  readonly headers: Readonly<Record<string, string>>;
  /** `preflight`: the response consists of the headers only. */
  readonly outcome: "admitted" | "preflight" | KitError;
};

export type AuthorizerDeps = {
  readonly policy: AdmissionPolicy;
  readonly credentialsOf: (request: IncomingMessage, routeClass: RouteClass) => RequestCredentials;
  readonly askConsent: (origin: string) => void;
};

function headersOf(decision: AdmissionDecision, facts: RequestFacts, routeClass: RouteClass): Authorization["headers"] {
  const always = securityHeadersFor(routeClass);
  if (decision.cors === undefined) return always;
  const readable = { ...always, "access-control-allow-origin": decision.cors, vary: "Origin" };
  if (!decision.allow || !decision.preflight) return readable;
  return {
    ...readable,
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "content-type",
    "access-control-max-age": "600",
    ...(facts.privateNetwork === "true" && { "access-control-allow-private-network": "true" }),
    ...(facts.localNetwork === "true" && { "access-control-allow-local-network": "true" }),
  };
}

/** Creates the function that must run before anything else handles a request. */
export function createAuthorizer({ policy, credentialsOf, askConsent }: AuthorizerDeps) {
  return (request: IncomingMessage, facts: RequestFacts, routeClass: RouteClass): Authorization => {
    const decision = admit(facts, routeClass, credentialsOf(request, routeClass), policy);
    const headers = headersOf(decision, facts, routeClass);
    if (decision.allow) return { headers, outcome: decision.preflight ? "preflight" : "admitted" };
    if (decision.ask !== undefined) askConsent(decision.ask);
    const allowed = decision.code === "method_not_allowed" ? { allow: "POST, OPTIONS" } : {};
    return {
      headers: { ...headers, ...allowed, ...closingHeaders(request) },
      outcome: new KitError(decision.code, decision.detail),
    };
  };
}
