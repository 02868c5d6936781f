// HTTP routes of sign-in tickets and sessions, and the credentials of a request.

import type { IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import {
  closeSignInSession,
  createDownloadLink,
  createMediaPass,
  createTicket,
  fieldError,
  KitError,
  openSignInSession,
  operations,
  sessionCookie,
  sessionHeader,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { isEqualInConstantTime } from "../../own-files.ts";
import type { RequestCredentials, RouteClass } from "../admission/admission.ts";
import { createRouteTable, pathWithoutQuery, type Route, route } from "../route.ts";
import type { UrlCredentials } from "./passes.ts";
import type { SignInSessions } from "./sessions.ts";

/** Number of wrong tickets in a row before each further attempt is delayed. */
const guessesAtOnce = 5;
const guessDelayMs = 1_000;
const cookieAttributes = "HttpOnly; SameSite=Strict; Path=/api";

function cookieReader(name: string): (header: string | undefined) => string | undefined {
  const pattern = new RegExp(`(?:^|;\\s*)${name}=([A-Za-z0-9_-]{1,100})(?:;|$)`);
  return (header) => pattern.exec(header ?? "")?.[1];
}

/** Creates a function that reads the credentials of a request. It costs nothing for a game's request, which has none. */
export function createCredentialsReader(
  sessions: SignInSessions,
  passes: UrlCredentials,
  secret: string,
  port: number,
): (request: IncomingMessage, routeClass: RouteClass) => RequestCredentials {
  const cookieOf = cookieReader(sessionCookie(port));
  return ({ headers, url = "" }, routeClass) => {
    const token = headers[sessionHeader];
    const cookie = headers.cookie === undefined ? undefined : cookieOf(headers.cookie);
    const bearer = headers.authorization;
    const isKnown = cookie !== undefined && sessions.hasOpenSession(cookie);
    return {
      session: typeof token === "string" && cookie !== undefined && sessions.isOpen(cookie, token),
      bearer: bearer !== undefined && isEqualInConstantTime(bearer, `Bearer ${secret}`),
      pass: routeClass === "media" && isKnown && passes.isValidPass(cookie, url),
      link: routeClass === "download" && isKnown && passes.spendLink(cookie, url),
    };
  };
}

export function signInSessionRoutes(sessions: SignInSessions, passes: UrlCredentials, port: number): readonly Route[] {
  const cookieName = sessionCookie(port);
  const cookieOf = cookieReader(cookieName);
  const table = createRouteTable(operations);
  /** Returns the cookie of the session that asks. Throws for a caller without one, who has the install secret and needs no pass. */
  const askingCookie = (header: (name: string) => string | undefined): string => {
    const cookie = cookieOf(header("cookie"));
    if (cookie !== undefined && sessions.hasOpenSession(cookie)) return cookie;
    throw new KitError("unauthorized", message("session.needs_no_pass"));
  };
  let wrongTickets = 0;
  return [
    route(createTicket, () => {
      const { ticket, expiresAtMs } = sessions.createTicket();
      return { ticket, expiresAt: new Date(expiresAtMs).toISOString() };
    }),
    route(openSignInSession, async ({ body }, reply) => {
      const opened = sessions.open(body.ticket);
      if (opened === undefined) {
        wrongTickets += 1;
        // Too many wrong tickets delay an attempt but never forbid it: otherwise an attacker could keep the owner out.
        if (wrongTickets > guessesAtOnce) await pause(guessDelayMs);
        throw new KitError("unauthorized", message("session.link_used"));
      }
      wrongTickets = 0;
      reply.header("set-cookie", `${cookieName}=${opened.cookie}; ${cookieAttributes}; Max-Age=2592000`);
      return { token: opened.token, expiresAt: new Date(opened.expiresAtMs).toISOString() };
    }),
    route(closeSignInSession, ({ header }, reply) => {
      const cookie = cookieOf(header("cookie"));
      if (cookie !== undefined) sessions.close(cookie);
      reply.header("set-cookie", `${cookieName}=; ${cookieAttributes}; Max-Age=0`);
    }),
    route(createMediaPass, ({ header }) => {
      const { pass, expiresAtMs } = passes.createPass(askingCookie(header));
      return { pass, expiresAt: new Date(expiresAtMs).toISOString() };
    }),
    route(createDownloadLink, ({ header, body }) => {
      const cookie = askingCookie(header);
      if (table.classOf(pathWithoutQuery(body.address), "GET") !== "download") {
        throw new KitError("payload_invalid", message("session.no_download"), [
          fieldError("/address", message("field.expected_download")),
        ]);
      }
      const { address, expiresAtMs } = passes.createLink(cookie, body.address);
      return { address, expiresAt: new Date(expiresAtMs).toISOString() };
    }),
  ];
}
