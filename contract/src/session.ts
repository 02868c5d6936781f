// How a person's browser gets into the dashboard: a ticket good once, then a session of two halves.
import { Type } from "typebox";
import { operation } from "./operation.ts";

/** Name of the cookie, the other half. Browsers share cookies between ports, so it names the launcher's. */
export const sessionCookie = (port: number): string => `kit_session_${port}`;

/** Carries the half of the session that other ports of this machine never see. */
export const sessionHeader = "x-kit-session";

/** The member of an address's query that carries a pass, and the one that carries the key of a download link. */
export const passMember = "pass";
export const linkMember = "link";

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

export const createMediaPass = operation({
  id: "createMediaPass",
  method: "POST",
  path: "/api/session/pass",
  access: "session",
  says:
    "A pass for pictures and videos: sent as `pass` in the query, together with the cookie of the session that asked for it, it opens " +
    "them for an hour.",
  status: 201,
  reply: Type.Object({
    pass: Type.String({ description: "Sent as `pass` in the query" }),
    expiresAt: Type.String({ description: "ISO 8601, UTC, milliseconds" }),
  }),
  errors: ["unauthorized", "origin_refused", "misdirected", "internal"],
});

export const createDownloadLink = operation({
  id: "createDownloadLink",
  method: "POST",
  path: "/api/session/download",
  access: "session",
  says: "A link that saves one backup, one export or one copy of a clip: good once, within 60 seconds, together with the cookie of the session that asked for it.",
  body: Type.Object({
    address: Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: "a string: path and query of a download, for example `/api/export?files=true`",
    }),
  }),
  status: 201,
  reply: Type.Object({
    address: Type.String({ description: "The same address with the key that opens it" }),
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
