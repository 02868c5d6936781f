// Signing in to the dashboard: a ticket, which works once, gives a browser a session that consists of a cookie and a token.
import { Type } from "typebox";
import { operation } from "./operation.ts";

/** Name of the session cookie. It contains the port, because browsers share cookies between ports. */
export const sessionCookie = (port: number): string => `kit_session_${port}`;

/** Header with the session's token. Other ports of this computer receive the cookie, but never this header. */
export const sessionHeader = "x-kit-session";

/** Names of the query parameters with the pass of a session and with the key of a download link. */
export const passParameter = "pass";
export const linkParameter = "link";

export const createTicket = operation({
  id: "createTicket",
  method: "POST",
  path: "/api/tickets",
  access: "session",
  says: "Creates a ticket that signs in to the dashboard once, within 60 seconds.",
  status: 201,
  reply: Type.Object({
    ticket: Type.String({ description: "Valid once" }),
    expiresAt: Type.String({ description: "ISO 8601, UTC, milliseconds" }),
  }),
  errors: ["unknown_parameter", "unauthorized", "origin_refused", "misdirected", "internal"],
});

export const openSignInSession = operation({
  id: "openSignInSession",
  method: "POST",
  path: "/api/session",
  access: "ticket",
  says:
    "Exchanges a ticket for a session: a cookie, a token to send as X-Kit-Session, and a pass for images and videos. A browser with an " +
    "open session keeps its cookie, and gets the token and the pass of that session.",
  body: Type.Object({
    ticket: Type.String({
      minLength: 1,
      maxLength: 200,
      writeOnly: true,
      description: "a string: the ticket from createTicket",
    }),
  }),
  status: 201,
  reply: Type.Object({
    token: Type.String({ description: "Send it as X-Kit-Session with every request" }),
    pass: Type.String({
      description: "Send it as `pass` in the query of an image or a video, with the session's cookie",
    }),
    expiresAt: Type.String({ description: "ISO 8601, UTC, milliseconds" }),
  }),
  errors: [
    "unknown_parameter",
    "unauthorized",
    "origin_refused",
    "misdirected",
    "not_json",
    "unsupported_media_type",
    "payload_invalid",
    "internal",
  ],
});

export const closeSignInSession = operation({
  id: "closeSignInSession",
  method: "DELETE",
  path: "/api/session",
  access: "session",
  says: "Ends the session of the request.",
  status: 204,
  errors: ["unknown_parameter", "unauthorized", "origin_refused", "misdirected", "internal"],
});

export const createDownloadLink = operation({
  id: "createDownloadLink",
  method: "POST",
  path: "/api/session/download",
  access: "session",
  says: "Creates a link that downloads one backup, data export or clip export. It works once, within 60 seconds, with the cookie of the same session.",
  body: Type.Object({
    address: Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: "a string: path and query of a download, for example `/api/export?files=true`",
    }),
  }),
  status: 201,
  reply: Type.Object({
    address: Type.String({ description: "The same address with the link's key" }),
    expiresAt: Type.String({ description: "ISO 8601, UTC, milliseconds" }),
  }),
  errors: [
    "unknown_parameter",
    "unauthorized",
    "origin_refused",
    "misdirected",
    "not_json",
    "unsupported_media_type",
    "payload_invalid",
    "internal",
  ],
});
