// What becomes of a request by its head alone, for whoever answers it: let in, answered already, or refused.
import type { IncomingMessage } from "node:http";
import { KitError } from "@kit/contract";
import { lastAnswer } from "../last-answer.ts";
import { headersFor } from "../security-headers.ts";
import { admit, type Credentials, type Decision, type Policy, type RouteClass } from "./admission.ts";
import type { RequestFacts } from "./facts.ts";

export type Authorize = {
  /** Belong to the answer, whatever it will be. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of a preflight the headers are all of the answer. */
  readonly outcome: "admitted" | "preflight" | KitError;
};

export type AuthorizeNeeds = {
  readonly policy: Policy;
  readonly credentialsOf: (request: IncomingMessage, routeClass: RouteClass) => Credentials;
  readonly askConsent: (origin: string) => void;
};

function headersOf(decision: Decision, routeClass: RouteClass): Authorize["headers"] {
  const always = headersFor(routeClass);
  if (decision.cors === undefined) return always;
  const readable = { ...always, "access-control-allow-origin": decision.cors, vary: "Origin" };
  if (!decision.allow || !decision.preflight) return readable;
  return {
    ...readable,
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "content-type",
    "access-control-max-age": "600",
  };
}

/** To be asked before anything else is done with a request. */
export function createAuthorize({ policy, credentialsOf, askConsent }: AuthorizeNeeds) {
  return (request: IncomingMessage, facts: RequestFacts, routeClass: RouteClass): Authorize => {
    const decision = admit(facts, routeClass, credentialsOf(request, routeClass), policy);
    const headers = headersOf(decision, routeClass);
    if (decision.allow) return { headers, outcome: decision.preflight ? "preflight" : "admitted" };
    if (decision.ask !== undefined) askConsent(decision.ask);
    const allowed = decision.code === "method_not_allowed" ? { allow: "POST, OPTIONS" } : {};
    return {
      headers: { ...headers, ...allowed, ...lastAnswer(request) },
      outcome: new KitError(decision.code, decision.detail),
    };
  };
}
