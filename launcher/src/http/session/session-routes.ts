// HTTP routes of sign-in tickets and sessions, and the credentials of a request.

import type { IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import {
  closeSignInSession,
  createDownloadLink,
  createTicket,
  fieldError,
  KitError,
  openSignInSession,
  operations,
  passParameter,
  sessionCookie,
  sessionHeader,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { isEqualInConstantTime } from "../../own-files.ts";
import type { RequestCredentials, RouteClass } from "../admission/admission.ts";
import { createRouteTable, pathWithoutQuery, type Route, route } from "../route.ts";
import type { DownloadLinks } from "./links.ts";
import type { SignInSessions } from "./sessions.ts";

/** Number of wrong tickets in a row before each further attempt is delayed. */
const guessesAtOnce = 5;
const guessDelayMs = 1_000;
const passPattern = new RegExp(`[?&]${passParameter}=([\\w-]{43})(?:&|$)`);
const cookieAttributes = "HttpOnly; SameSite=Strict; Path=/api";

/**
 * Returns every value of the cookie. A server on another port of this computer can set cookies of the same name for longer paths,
 * which come first.
 */
function cookiesReader(name: string): (header: string | undefined) => string[] {
  const pattern = new RegExp(`(?<=^|;\\s*)${name}=([A-Za-z0-9_-]{1,100})(?=;|$)`, "g");
  return (header) => Array.from((header ?? "").matchAll(pattern), ([, value = ""]) => value);
}

/** Creates a function that reads the credentials of a request. It costs nothing for a game's request, which has none. */
export function createCredentialsReader(
  sessions: SignInSessions,
  links: DownloadLinks,
  secret: string,
  port: number,
): (request: IncomingMessage, routeClass: RouteClass) => RequestCredentials {
  const cookiesOf = cookiesReader(sessionCookie(port));
  return ({ headers, url = "" }, routeClass) => {
    const token = headers[sessionHeader];
    const cookies = headers.cookie === undefined ? [] : cookiesOf(headers.cookie);
    const bearer = headers.authorization;
    return {
      session: typeof token === "string" && cookies.some((cookie) => sessions.isOpen(cookie, token)),
      bearer: bearer !== undefined && isEqualInConstantTime(bearer, `Bearer ${secret}`),
      pass:
        routeClass === "media" && cookies.some((cookie) => sessions.isPass(cookie, passPattern.exec(url)?.[1] ?? "")),
      link:
        routeClass === "download" &&
        cookies.some((cookie) => sessions.hasOpenSession(cookie) && links.spend(cookie, url)),
    };
  };
}

export function signInSessionRoutes(sessions: SignInSessions, links: DownloadLinks, port: number): readonly Route[] {
  const cookieName = sessionCookie(port);
  const cookiesOf = cookiesReader(cookieName);
  const table = createRouteTable(operations);
  /** Returns the cookie of the session that asks. Throws for a caller without one, who has the install secret and needs no link. */
  const askingCookie = (header: (name: string) => string | undefined): string => {
    const cookie = cookiesOf(header("cookie")).find(sessions.hasOpenSession);
    if (cookie !== undefined) return cookie;
    throw new KitError("unauthorized", message("session.needs_no_link"));
  };
  let wrongTickets = 0;
  return [
    route(createTicket, () => {
      const { ticket, expiresAtMs } = sessions.createTicket();
      return { ticket, expiresAt: new Date(expiresAtMs).toISOString() };
    }),
    route(openSignInSession, async ({ body, header }, reply) => {
      const opened = sessions.open(body.ticket, cookiesOf(header("cookie")).find(sessions.hasOpenSession));
      if (opened === undefined) {
        wrongTickets += 1;
        // Too many wrong tickets delay an attempt but never forbid it: otherwise an attacker could keep the owner out.
        if (wrongTickets > guessesAtOnce) await pause(guessDelayMs);
        throw new KitError("unauthorized", message("session.link_used"));
      }
      wrongTickets = 0;
      const { cookie, token, pass, expiresAtMs } = opened;
      if (cookie !== undefined)
        reply.header("set-cookie", `${cookieName}=${cookie}; ${cookieAttributes}; Max-Age=2592000`);
      return { token, pass, expiresAt: new Date(expiresAtMs).toISOString() };
    }),
    route(closeSignInSession, ({ header }, reply) => {
      for (const cookie of cookiesOf(header("cookie"))) sessions.close(cookie);
      reply.header("set-cookie", `${cookieName}=; ${cookieAttributes}; Max-Age=0`);
    }),
    route(createDownloadLink, ({ header, body }) => {
      const cookie = askingCookie(header);
      if (table.classOf(pathWithoutQuery(body.address), "GET") !== "download") {
        throw new KitError("payload_invalid", message("session.no_download"), [
          fieldError("/address", message("field.expected_download")),
        ]);
      }
      const { address, expiresAtMs } = links.create(cookie, body.address);
      return { address, expiresAt: new Date(expiresAtMs).toISOString() };
    }),
  ];
}
