// Tickets and sessions over the wire, and what a request shows of them.
import type { IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { closeSession, createTicket, KitError, openSession, sessionCookie, sessionHeader } from "@kit/contract";
import { sameText } from "../../secret.ts";
import type { Credentials } from "../admission/admission.ts";
import { type Route, route } from "../route.ts";
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
  secret: string,
  port: number,
): (request: IncomingMessage) => Credentials {
  const cookieOf = cookieReader(sessionCookie(port));
  return ({ headers }) => {
    const token = headers[sessionHeader];
    const cookie = headers.cookie === undefined ? undefined : cookieOf(headers.cookie);
    const bearer = headers.authorization;
    return {
      session: typeof token === "string" && cookie !== undefined && sessions.isOpen(cookie, token),
      cookie: cookie !== undefined && sessions.isKnown(cookie),
      bearer: bearer !== undefined && sameText(bearer, `Bearer ${secret}`),
    };
  };
}

export function sessionRoutes(sessions: Sessions, port: number): readonly Route[] {
  const cookieName = sessionCookie(port);
  const cookieOf = cookieReader(cookieName);
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
  ];
}
