// Security headers of every response. The content security policy lets the dashboard load only its own files.
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

export function securityHeadersFor(routeClass: RouteClass): Headers {
  if (routeClass === "ingest") return ingest;
  return routeClass === "shell" || routeClass === "asset" ? page : data;
}
