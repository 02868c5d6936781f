// HTTP routes of consent.
import { decideOrigin, forgetOrigin, KitError, listOrigins } from "@kit/contract";
import { classifyOrigin } from "../admission/origin.ts";
import { type Route, route } from "../route.ts";
import type { Consent } from "./consent.ts";

export function consentRoutes(consent: Consent, port: number): readonly Route[] {
  return [
    route(listOrigins, () => consent.list()),
    route(decideOrigin, ({ body }) => {
      const kind = classifyOrigin(body.origin, port);
      if (kind !== "web" && kind !== "opaque") {
        const message = "expected a web origin as the browser sends it, e.g. https://example.com";
        throw new KitError("payload_invalid", `/origin ${message}.`, [{ path: "/origin", message }]);
      }
      return consent.decide(body.origin, body.decision);
    }),
    route(forgetOrigin, async ({ query }) => {
      if (!(await consent.forget(query.origin)))
        throw new KitError("not_found", `${query.origin} has never asked to send events.`);
    }),
  ];
}
