// Tickets and sessions over the wire, and what a request shows of them.
import type { IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import {
  closeSession,
  createDownloadLink,
  createMediaPass,
  createTicket,
  KitError,
  openSession,
  operations,
  sessionCookie,
  sessionHeader,
} from "@kit/contract";
import { sameText } from "../../secret.ts";
import type { Credentials, RouteClass } from "../admission/admission.ts";
import { type Route, route } from "../route.ts";
import { createRouteTable, pathOf } from "../route-table.ts";
import type { Passes } from "./passes.ts";
import type { Sessions } from "./sessions.ts";

/** Tickets that may be wrong in a row before each further one waits. */
const guessesAtOnce = 5;
const guessDelayMs = 1_000;
const cookieAttributes = "HttpOnly; SameSite=Strict; Path=/api";

function cookieReader(name: string): (header: string | undefined) => string | undefined {
  const pattern = new RegExp(`(?:^|;\\s*)${name}=([A-Za-z0-9_-]{1,100})(?:;|$)`);
  return (header) => pattern.exec(header ?? "")?.[1];
}

/** What a request can show. Costs nothing for a game's request, which shows nothing. */
export function createCredentials(
  sessions: Sessions,
  passes: Passes,
  secret: string,
  port: number,
): (request: IncomingMessage, routeClass: RouteClass) => Credentials {
  const cookieOf = cookieReader(sessionCookie(port));
  return ({ headers, url = "" }, routeClass) => {
    const token = headers[sessionHeader];
    const cookie = headers.cookie === undefined ? undefined : cookieOf(headers.cookie);
    const bearer = headers.authorization;
    const isKnown = cookie !== undefined && sessions.isKnown(cookie);
    return {
      session: typeof token === "string" && cookie !== undefined && sessions.isOpen(cookie, token),
      bearer: bearer !== undefined && sameText(bearer, `Bearer ${secret}`),
      pass: routeClass === "media" && isKnown && passes.holdsPass(cookie, url),
      link: routeClass === "download" && isKnown && passes.spendLink(cookie, url),
    };
  };
}

export function sessionRoutes(sessions: Sessions, passes: Passes, port: number): readonly Route[] {
  const cookieName = sessionCookie(port);
  const cookieOf = cookieReader(cookieName);
  const table = createRouteTable(operations);
  /** The cookie of the session that asks. The install secret opens everything without a pass. */
  const askingCookie = (header: (name: string) => string | undefined): string => {
    const cookie = cookieOf(header("cookie"));
    if (cookie !== undefined && sessions.isKnown(cookie)) return cookie;
    throw new KitError("unauthorized", "Only a session of the dashboard gets this; the install secret needs none.");
  };
  let wrongTickets = 0;
  return [
    route(createTicket, () => {
      const { ticket, expiresAtMs } = sessions.createTicket();
      return { ticket, expiresAt: new Date(expiresAtMs).toISOString() };
    }),
    route(openSession, async ({ body }, reply) => {
      const opened = sessions.open(body.ticket);
      if (opened === undefined) {
        wrongTickets += 1;
        // Slower, never locked: a lock could be held shut by whoever guesses.
        if (wrongTickets > guessesAtOnce) await pause(guessDelayMs);
        throw new KitError(
          "unauthorized",
          "This link was used before or is older than a minute. Run `kit open` for a new one.",
        );
      }
      wrongTickets = 0;
      reply.header("set-cookie", `${cookieName}=${opened.cookie}; ${cookieAttributes}; Max-Age=2592000`);
      return { token: opened.token, expiresAt: new Date(opened.expiresAtMs).toISOString() };
    }),
    route(closeSession, ({ header }, reply) => {
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
      if (table.classOf(pathOf(body.address), "GET") !== "download") {
        throw new KitError("payload_invalid", "There is no download at this address.", [
          { path: "/address", message: "expected path and query of an operation that sends a file to save" },
        ]);
      }
      const { address, expiresAtMs } = passes.createLink(cookie, body.address);
      return { address, expiresAt: new Date(expiresAtMs).toISOString() };
    }),
  ];
}
