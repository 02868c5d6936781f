// How a person's browser gets into the dashboard: a ticket good once, then a session of two halves.
import { Type } from "typebox";
import { operation } from "./operation.ts";

/** Name of the cookie, the other half. Browsers share cookies between ports, so it names the launcher's. */
export const sessionCookie = (port: number): string => `kit_session_${port}`;

/** Carries the half of the session that other ports of this machine never see. */
export const sessionHeader = "x-kit-session";

export const createTicket = operation({
  id: "createTicket",
  method: "POST",
  path: "/api/tickets",
  access: "session",
  says: "A ticket that opens the dashboard once, within 60 seconds.",
  status: 201,
  reply: Type.Object({
    ticket: Type.String({ description: "Good once" }),
    expiresAt: Type.String({ description: "ISO 8601, UTC, milliseconds" }),
  }),
  errors: ["unauthorized", "origin_refused", "misdirected", "internal"],
});

export const openSession = operation({
  id: "openSession",
  method: "POST",
  path: "/api/session",
  access: "ticket",
  says: "Trades a ticket for a session: a cookie, and a token to send as X-Kit-Session.",
  body: Type.Object({
    ticket: Type.String({ minLength: 1, maxLength: 200, description: "a string: the ticket from createTicket" }),
  }),
  status: 201,
  reply: Type.Object({
    token: Type.String({ description: "Send it as X-Kit-Session with every request" }),
    expiresAt: Type.String({ description: "ISO 8601, UTC, milliseconds" }),
  }),
  errors: [
    "unauthorized",
    "origin_refused",
    "misdirected",
    "not_json",
    "unsupported_media_type",
    "payload_invalid",
    "internal",
  ],
});

export const closeSession = operation({
  id: "closeSession",
  method: "DELETE",
  path: "/api/session",
  access: "session",
  says: "Ends the session that asks.",
  status: 204,
  errors: ["unauthorized", "origin_refused", "misdirected", "internal"],
});
