// Sent with every answer. The policy lets the dashboard load its own files and nothing else, and inject nothing.
import type { RouteClass } from "./admission/admission.ts";

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
  "trusted-types 'none'",
].join("; ");

type Headers = Record<string, string>;

/** Nobody may guess another type, and no other origin's page may embed the answer. */
const always: Headers = { "x-content-type-options": "nosniff", "cross-origin-resource-policy": "same-origin" };
const page: Headers = {
  ...always,
  "content-security-policy": pagePolicy,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
};
const data: Headers = { ...page, "cache-control": "no-store" };
/** A game's answer is never a page: what only a page obeys would cost every event a tenth of its time. */
const ingest: Headers = { ...always, "cache-control": "no-store" };

/** The headers of an answer, before anything can be sent. */
export function headersFor(routeClass: RouteClass): Headers {
  if (routeClass === "ingest") return ingest;
  return routeClass === "shell" || routeClass === "asset" ? page : data;
}
