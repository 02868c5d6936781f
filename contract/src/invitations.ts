// A studio's invitation to forward error reports: what the link contains, and the operations that check and accept it.
import { Type } from "typebox";
import { formatCount } from "./counts.ts";
import {
  Environment,
  ForwardBucket,
  ForwardedGame,
  ForwardKind,
  ForwardTarget,
  targetTransport,
} from "./forwarding.ts";
import { invitationCharsMax, invitationTextMax } from "./limits.ts";
import { operation } from "./operation.ts";
import { inputErrors } from "./problem.ts";

export const invitationAsks = ["earlierEvents", "installation", "videos"] as const;

export const Invitation = Type.Object(
  {
    version: Type.Literal(1, { description: "1. Another number is from a newer Kit" }),
    studio: Type.String({ minLength: 1, maxLength: 80, description: "who asks, up to 80 characters" }),
    text: Type.String({
      maxLength: invitationTextMax,
      description: `the studio's own words, up to ${formatCount(invitationTextMax)} characters: what for, how long it is kept, whom to ask`,
    }),
    kind: ForwardKind,
    address: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description:
        "a DSN (sentry) or the https address of a collector that needs no key (otlp). Everybody who gets the link can read it",
    }),
    game: ForwardedGame,
    environment: Environment,
    asks: Type.Array(Type.Enum(invitationAsks), {
      uniqueItems: true,
      maxItems: invitationAsks.length,
      description: "what the studio asks for besides error reports",
    }),
    bucket: Type.Optional(ForwardBucket),
    ...targetTransport,
  },
  { description: "What a studio asks its testers for. Contains nothing that must stay secret" },
);
export type Invitation = Type.Static<typeof Invitation>;

/** How the path of an invitation's link begins, after the address of the dashboard. */
const linkPath = "#/join/";

/** Returns the part of a link that contains the invitation. It is in the fragment, which browsers never send to a server. */
export function encodeInvitation(invitation: Invitation): string {
  const bytes = new TextEncoder().encode(JSON.stringify(invitation));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns the content of a link, of the part that contains the invitation, or of a file; undefined if there is none. Checks nothing else. */
export function decodeInvitation(text: string): Invitation | undefined {
  if (text.length > invitationCharsMax) return undefined;
  const given = text.trim();
  const json = given.startsWith("{") ? given : textOfCode(given.slice(given.lastIndexOf("/") + 1));
  try {
    const found: unknown = JSON.parse(json);
    return typeof found === "object" && found !== null ? (found as Invitation) : undefined;
  } catch {
    return undefined;
  }
}

function textOfCode(code: string): string {
  try {
    const binary = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(binary, (one) => one.charCodeAt(0)));
  } catch {
    return "";
  }
}

/** Returns a link that opens the invitation on the tester's own computer. */
export const invitationLink = (invitation: Invitation, port: number): string =>
  `http://127.0.0.1:${port}/${linkPath}${encodeInvitation(invitation)}`;

/** Returns whether a host name has a part in the form `xn--…`, whose letters can look like those of another name. */
export const hasForeignLetters = (host: string): boolean =>
  host.split(".").some((label) => label.toLowerCase().startsWith("xn--"));

export const checkInvitation = operation({
  id: "checkInvitation",
  method: "POST",
  path: "/api/invitations/check",
  access: "session",
  says: "Checks an invitation and says where the reports would go. Nothing is stored, and nothing is sent.",
  body: Type.Object({ invitation: Invitation }),
  status: 200,
  reply: Type.Object({
    host: Type.String({ description: "Host and port. Letters outside of ASCII are in the form xn--" }),
    project: Type.Union([Type.String(), Type.Null()], { description: "The project of a DSN; null for a collector" }),
    bucketHost: Type.Union([Type.String(), Type.Null()], {
      description: "Host and port to which the videos would be uploaded, in the same form; null if there is no bucket",
    }),
    target: Type.Union([ForwardTarget, Type.Null()], {
      description: "The target, if this very invitation was accepted before",
    }),
  }),
  errors: inputErrors,
});

export const acceptInvitation = operation({
  id: "acceptInvitation",
  method: "POST",
  path: "/api/invitations/accept",
  access: "session",
  says: "Accepts an invitation: error reports that occur from now on are sent. If it was accepted before, changes what is sent.",
  body: Type.Object({
    invitation: Invitation,
    reports: Type.Boolean({
      description: "Whether error reports are sent; false only for an invitation that was accepted before",
    }),
    earlierEvents: Type.Boolean({ description: "Whether the events before an error are sent with it" }),
    installation: Type.Boolean({ description: "Whether a random id of this computer is sent with every report" }),
    videos: Type.Boolean({
      description:
        "Whether clips of errors are sent too, with their sound; for a collector only if there is a bucket. A bucket of the invitation becomes that of the target, and waits for its keys",
    }),
  }),
  status: 201,
  reply: ForwardTarget,
  errors: inputErrors,
});
