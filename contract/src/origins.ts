// Operations on the consent of a person to events from a web origin. Native games and pages of servers on this computer
// need none.
import { Type } from "typebox";
import { operation } from "./operation.ts";
import { inputErrors } from "./problem.ts";

export const originStates = ["pending", "until-exit", "30-days", "blocked"] as const;

export const WebOrigin = Type.Object(
  {
    origin: Type.String({ description: "As the browser sends it, e.g. https://html-classic.itch.zone" }),
    state: Type.Enum(originStates, { description: "The decision; `pending` until there is one" }),
    shared: Type.Boolean({
      description: "True if many games share this origin, so that allowing it allows all of them",
    }),
    firstAskedAt: Type.String({ description: "ISO 8601, UTC, milliseconds" }),
    expiresAt: Type.Union([
      Type.String({ description: "When the decision ends; null if it has no end date" }),
      Type.Null(),
    ]),
    attempts: Type.Integer({ description: "Number of requests refused while it waited" }),
  },
  { description: "A web origin that asked to send events" },
);
export type WebOrigin = Type.Static<typeof WebOrigin>;

export const listOrigins = operation({
  id: "listOrigins",
  method: "GET",
  path: "/api/origins",
  access: "session",
  says: "The web origins that asked to send events, and what was decided.",
  status: 200,
  reply: Type.Object({
    origins: Type.Array(WebOrigin),
    dropped: Type.Integer({
      description:
        "Number of origins that left the list undecided: another took their place, or they had not asked for an hour",
    }),
  }),
  errors: inputErrors,
});

export const decideConsent = operation({
  id: "decideConsent",
  method: "PUT",
  path: "/api/origins",
  access: "session",
  says: "Allows a web origin until the launcher exits or for 30 days, or blocks it.",
  body: Type.Object({
    origin: Type.String({
      minLength: 1,
      maxLength: 300,
      description: "a web origin as the browser sends it, at most 300 characters",
    }),
    decision: Type.Enum(["until-exit", "30-days", "blocked"]),
  }),
  status: 200,
  reply: WebOrigin,
  errors: inputErrors,
});

export const forgetOrigin = operation({
  id: "forgetOrigin",
  method: "DELETE",
  path: "/api/origins",
  access: "session",
  says: "Removes a decision, so that the origin must ask again.",
  query: Type.Object({ origin: Type.String({ description: "a web origin as the browser sends it" }) }),
  status: 204,
  errors: inputErrors,
});
