// What goes wrong between the launcher and a network, and what has to come of it: one row a fault, one column a network. A
// network whose column is left out is not tried with that row.
import type { Network as NetworkKind } from "@kit/contract";
import type { SendOutcome } from "../network.ts";
import * as acts from "./acts.ts";
import type { Act, Presence } from "./wire.ts";

/**
 * An outcome; or without one: `nothing`, when it is certain that no byte arrived, and `lost`, when the answer did not come.
 * With a time: how long the server wants to be left alone.
 */
export type Came = SendOutcome["outcome"] | "nothing" | "lost";
export type Expected = Came | readonly [came: Came, waitMs: number];

export type Fault = {
  readonly what: string;
  readonly act?: Act;
  readonly presence?: Presence;
  /** Address that the name of the server resolves to, instead of this computer. */
  readonly resolvesTo?: readonly string[] | { readonly code: string };
  /** Timeout for the server. Defaults to 10 s. */
  readonly withinMs?: number;
} & { readonly [kind in NetworkKind]?: Expected };

/** Long enough for a connection and a request on a busy computer. */
const quickly = 3_000;
const at = (seconds: number) => ({
  date: new Date().toUTCString(),
  "retry-after": new Date(Date.now() + seconds * 1_000).toUTCString(),
});
const limit = (retryAfter: number) =>
  JSON.stringify({ message: "You are being rate limited.", retry_after: retryAfter, global: false });

const status = (code: number, discord: Expected, webhook: Expected): Fault => ({
  what: `it says ${code}`,
  act: acts.says(code),
  discord,
  webhook,
});

/** The post was not created. */
const nos: readonly Fault[] = [
  status(400, "refused", "refused"),
  status(401, "stopped", "stopped"),
  status(403, "stopped", "stopped"),
  status(404, "stopped", "stopped"),
  status(405, "refused", "stopped"),
  status(408, "later", "later"),
  status(409, "refused", "refused"),
  status(410, "stopped", "stopped"),
  status(413, "refused", "refused"),
  status(415, "refused", "refused"),
  status(418, "refused", "refused"),
  status(422, "refused", "refused"),
  status(425, "refused", "later"),
  status(451, "refused", "refused"),
  // These do not show whether the post was created, so treat it as possible.
  ...[500, 501, 502, 503, 504, 520, 524, 599].map((code) => status(code, "maybe", "later")),
  // Cloudflare's statuses for a server that it did not reach.
  ...[521, 522, 523, 525, 526, 530].map((code) => status(code, "later", "later")),
  {
    what: "503 with a time",
    act: acts.says(503, { "retry-after": "30" }),
    discord: "maybe",
    webhook: ["later", 30_000],
  },
  { what: "400 as a page", act: acts.saysAsPage(400), discord: "refused", webhook: "refused" },
  { what: "502 as a page", act: acts.saysAsPage(502), discord: "maybe", webhook: "later" },
];

const waits = (what: string, waitMs: number | undefined, headers: Record<string, string>, body?: string): Fault => ({
  what: `429 ${what}`,
  act: acts.says(429, headers, body),
  discord: waitMs === undefined ? "later" : ["later", waitMs],
  // Only Discord reports this in the body.
  webhook: waitMs === undefined || body !== undefined ? "later" : ["later", waitMs],
});

const rateLimits: readonly Fault[] = [
  waits("without a time", undefined, {}),
  waits("with nonsense", undefined, { "retry-after": "soon" }),
  waits("in seconds", 65_000, { "retry-after": "65" }),
  waits("in parts of seconds", 1_250, { "retry-after": "1.25" }),
  waits("in milliseconds", 1_500, { "retry-after": "1500ms" }),
  waits("in milliseconds, by a header of their own", 800, { "retry-after-ms": "800" }),
  waits("with a time in the past", undefined, at(-60)),
  waits("for ever", 86_400_000, { "retry-after": "99999999999" }),
  waits("as a bucket that is empty", 2_500, { "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "2.5" }),
  waits("in the body", 64_570, {}, limit(64.57)),
  {
    what: "429, longer in the body",
    act: acts.says(429, { "retry-after": "2" }, limit(9)),
    discord: ["later", 9_000],
    webhook: ["later", 2_000],
  },
  {
    what: "429 as a page",
    act: acts.saysAsPage(429, { "retry-after": "7" }),
    discord: ["later", 7_000],
    webhook: ["later", 7_000],
  },
];

const redirects: readonly Fault[] = [301, 302, 303, 307, 308].map((code) => ({
  what: `${code} to this machine`,
  act: acts.says(code, { location: "http://127.0.0.1:9/" }),
  discord: "stopped",
  webhook: "stopped",
}));

const row = (what: string, act: Act, discord: Expected, webhook: Expected, withinMs?: number): Fault => ({
  what,
  act,
  discord,
  webhook,
  ...(withinMs === undefined ? {} : { withinMs }),
});

/** The post was created, but the answer is wrong. */
const spoiled: readonly Fault[] = [
  row("taken, and 500", acts.takesAndSays(500), "maybe", "later"),
  row("taken, and 502", acts.takesAndSays(502), "maybe", "later"),
  row("taken, and 503", acts.takesAndSays(503), "maybe", "later"),
  row("taken, and 504", acts.takesAndSays(504), "maybe", "later"),
  row(
    "taken, and 201",
    acts.takesAndSays(201, () => ({})),
    "sent",
    "sent",
  ),
  row(
    "taken, and 204",
    acts.takesAndSays(204, () => ({ body: "" })),
    "maybe",
    "sent",
  ),
  row("taken, and a page", acts.takesAndSays(200), "maybe", "sent"),
  row(
    "taken, and nothing",
    acts.takesAndSays(200, () => ({ body: "" })),
    "maybe",
    "sent",
  ),
  row(
    "taken, and null",
    acts.takesAndSays(200, () => ({ body: "null" })),
    "maybe",
    "sent",
  ),
  row(
    "taken, and a list",
    acts.takesAndSays(200, () => ({ body: "[1]" })),
    "maybe",
    "sent",
  ),
  row(
    "taken, and half of it",
    acts.takesAndSays(200, () => ({ body: '{"id": "1' })),
    "maybe",
    "sent",
  ),
  row(
    "taken, under another type",
    acts.takesAndSays(200, () => ({ headers: { "content-type": "text/plain" } })),
    "sent",
    "sent",
  ),
  row("zipped", acts.zips, "sent", "sent"),
  row("zipped badly", acts.zipsBadly, "maybe", "sent"),
  row("zipped, and far too much", acts.zipsMuch, "maybe", "sent"),
  row("with hints before it", acts.hintsFirst, "sent", "sent"),
  row("with a word to go on before it", acts.continuesFirst, "lost", "lost"),
];

const wire: readonly Fault[] = [
  row("broken before it was taken", acts.breaksBeforeTaking, "lost", "lost"),
  row("ended before it was taken", acts.endsBeforeTaking, "lost", "lost"),
  row("silent, not taken", acts.staysSilentBeforeTaking, "lost", "lost", quickly),
  row("silent, taken", acts.staysSilent, "lost", "lost", quickly),
  row("broken before the head", acts.breaksBeforeHead, "lost", "lost"),
  row("ended before the head", acts.endsBeforeHead, "lost", "lost"),
  row("broken in the head", acts.breaksInHead, "lost", "lost"),
  row("stopped in the head", acts.stopsInHead, "lost", "lost", quickly),
  row("broken in the body", acts.breaksInBody, "maybe", "sent"),
  // The request contained the whole post.
  row("ended in the body", acts.endsInBody, "sent", "sent"),
  row("a body in drops", acts.dripsBody, "maybe", "sent", quickly),
  row("a huge body", acts.sendsHugeBody, "maybe", "sent"),
  row("a head without end", acts.sendsEndlessHead, "lost", "lost"),
  row("no HTTP", acts.sendsNoHttp, "lost", "lost"),
  row("two lengths", acts.sendsTwoLengths, "lost", "lost"),
  row("no status", acts.sendsNoStatus, "lost", "lost"),
];

/** No connection is made. Discord has its own message for this. */
const unreached: readonly Fault[] = [
  ...(["expired", "otherName", "selfSigned", "plain", "closed", "resets"] as const).map(
    (presence): Fault => ({ what: `server: ${presence}`, presence, discord: "later", webhook: "nothing" }),
  ),
  // Sent while the request was being sent.
  { what: "server: wants a certificate", presence: "wants-certificate", discord: "lost", webhook: "lost" },
  { what: "server: mute", presence: "mute", discord: "later", webhook: "nothing" },
  { what: "no such name", resolvesTo: { code: "ENOTFOUND" }, discord: "later", webhook: "nothing" },
  { what: "names cannot be looked up", resolvesTo: { code: "EAI_AGAIN" }, discord: "later", webhook: "nothing" },
  { what: "the name leads into the house", resolvesTo: ["192.168.1.1"], discord: "later", webhook: "nothing" },
  { what: "the name leads nowhere", resolvesTo: [], discord: "later", webhook: "nothing" },
];

export const faults: readonly Fault[] = [...nos, ...rateLimits, ...redirects, ...spoiled, ...wire, ...unreached];
