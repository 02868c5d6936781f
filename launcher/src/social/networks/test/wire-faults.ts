// Faults between the launcher and a network. Each network lists the expected results in its `wire-faults.test.ts`.
import * as acts from "./acts.ts";
import type { Act, Presence } from "./wire.ts";

export type Fault = {
  readonly what: string;
  readonly act?: Act;
  readonly presence?: Presence;
  /** Address that the name of the server resolves to, instead of this computer. */
  readonly resolvesTo?: readonly string[] | { readonly code: string };
  /** Timeout for the server. Defaults to 10 s. */
  readonly withinMs?: number;
  /** No network's answer can be read. */
  readonly loses?: true;
};

/** Long enough for a connection and a request on a busy computer. */
const quickly = 3_000;
const at = (seconds: number) => ({
  date: new Date().toUTCString(),
  "retry-after": new Date(Date.now() + seconds * 1_000).toUTCString(),
});
const limit = (retryAfter: number) =>
  JSON.stringify({ message: "You are being rate limited.", retry_after: retryAfter, global: false });

/** Names of the faults in which the network answers with these statuses. */
export const says = (...statusCodes: readonly number[]): string[] => statusCodes.map((code) => `status ${code}`);

/** The last six are Cloudflare's, for a server that it did not reach. */
const codes = [
  ...[400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 418, 422, 425, 451],
  ...[500, 501, 502, 503, 504, 520, 524, 599],
  ...[521, 522, 523, 525, 526, 530],
];
const statuses: readonly Fault[] = [
  ...codes.map((code) => ({ what: `status ${code}`, act: acts.says(code) })),
  { what: "503 with a retry time", act: acts.says(503, { "retry-after": "30" }) },
  { what: "400 with an HTML page", act: acts.saysAsPage(400) },
  { what: "403 with an HTML page", act: acts.saysAsPage(403) },
  { what: "502 with an HTML page", act: acts.saysAsPage(502) },
];

const waits = (what: string, headers: Record<string, string>, body?: string): Fault => ({
  what: `429 ${what}`,
  act: acts.says(429, headers, body),
});

const rateLimits: readonly Fault[] = [
  waits("without a time", {}),
  waits("with an unreadable time", { "retry-after": "soon" }),
  waits("with seconds", { "retry-after": "65" }),
  waits("with fractions of seconds", { "retry-after": "1.25" }),
  waits("with milliseconds", { "retry-after": "1500ms" }),
  waits("with milliseconds in their own header", { "retry-after-ms": "800" }),
  waits("with a time in the past", at(-60)),
  waits("with a huge time", { "retry-after": "99999999999" }),
  waits("with an empty bucket", { "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "2.5" }),
  waits("with the time in the body", {}, limit(64.57)),
  { what: "429 with a longer time in the body", act: acts.says(429, { "retry-after": "2" }, limit(9)) },
  { what: "429 with an HTML page", act: acts.saysAsPage(429, { "retry-after": "7" }) },
];

/** The wait that the server asks for, where it asks in a header. */
export const askedWaitsMs = {
  "429 with seconds": 65_000,
  "429 with fractions of seconds": 1_250,
  "429 with milliseconds": 1_500,
  "429 with milliseconds in their own header": 800,
  "429 with a huge time": 86_400_000,
  "429 with an empty bucket": 2_500,
  "429 with a longer time in the body": 2_000,
  "429 with an HTML page": 7_000,
};
export const waitsWithoutTime = ["429 without a time", "429 with an unreadable time", "429 with a time in the past"];

const redirects: readonly Fault[] = [301, 302, 303, 307, 308].map((code) => ({
  what: `${code} to this computer`,
  act: acts.says(code, { location: "http://127.0.0.1:9/" }),
}));
export const redirectNames = redirects.map(({ what }) => what);

const row = (what: string, act: Act): Fault => ({ what, act });
const lost = (what: string, act: Act, more: Partial<Fault> = {}): Fault => ({ what, act, loses: true, ...more });

/** The post was created, but the answer is wrong. */
const spoiled: readonly Fault[] = [
  row("created, answered 500", acts.takesAndSays(500)),
  row("created, answered 502", acts.takesAndSays(502)),
  row("created, answered 503", acts.takesAndSays(503)),
  row("created, answered 504", acts.takesAndSays(504)),
  row(
    "created, answered 201",
    acts.takesAndSays(201, () => ({})),
  ),
  row(
    "created, answered 204",
    acts.takesAndSays(204, () => ({ body: "" })),
  ),
  row("created, answered with an HTML page", acts.takesAndSays(200)),
  row(
    "created, answered with an empty body",
    acts.takesAndSays(200, () => ({ body: "" })),
  ),
  row(
    "created, answered with null",
    acts.takesAndSays(200, () => ({ body: "null" })),
  ),
  row(
    "created, answered with a JSON list",
    acts.takesAndSays(200, () => ({ body: "[1]" })),
  ),
  row(
    "created, answered with half the JSON",
    acts.takesAndSays(200, () => ({ body: '{"id": "1' })),
  ),
  row(
    "created, answered as text/plain",
    acts.takesAndSays(200, () => ({ headers: { "content-type": "text/plain" } })),
  ),
  row("gzip answer", acts.zips),
  row("invalid gzip answer", acts.zipsBadly),
  row("huge gzip answer", acts.zipsMuch),
  row("103 before the answer", acts.hintsFirst),
  lost("100 before the answer", acts.continuesFirst),
];

const wire: readonly Fault[] = [
  lost("dropped before the post is created", acts.breaksBeforeTaking),
  lost("closed before the post is created", acts.endsBeforeTaking),
  lost("no answer, post not created", acts.staysSilentBeforeTaking, { withinMs: quickly }),
  lost("no answer, post created", acts.staysSilent, { withinMs: quickly }),
  lost("dropped before the head", acts.breaksBeforeHead),
  lost("closed before the head", acts.endsBeforeHead),
  lost("dropped in the head", acts.breaksInHead),
  lost("silent in the head", acts.stopsInHead, { withinMs: quickly }),
  row("dropped in the body", acts.breaksInBody),
  // The request contained the whole post.
  row("closed in the body", acts.endsInBody),
  { what: "a slow endless body", act: acts.dripsBody, withinMs: quickly },
  row("a huge body", acts.sendsHugeBody),
  lost("an endless head", acts.sendsEndlessHead),
  lost("an answer that is not HTTP", acts.sendsNoHttp),
  lost("two content lengths", acts.sendsTwoLengths),
  lost("an invalid status", acts.sendsNoStatus),
];

/** The server demands the certificate while the request is being sent. */
const demanding: Fault = { what: "server: wants a certificate", presence: "wants-certificate" };
/** No connection is made. */
const unreached: readonly Fault[] = [
  ...(["expired", "otherName", "selfSigned", "plain", "closed", "resets", "mute"] as const).map((presence) => ({
    what: `server: ${presence}`,
    presence,
  })),
  { what: "unknown name", resolvesTo: { code: "ENOTFOUND" } },
  { what: "failed name lookup", resolvesTo: { code: "EAI_AGAIN" } },
  { what: "name of a private address", resolvesTo: ["192.168.1.1"] },
  { what: "name without an address", resolvesTo: [] },
];
export const unreachedNames = unreached.map(({ what }) => what);

export const faults: readonly Fault[] = [
  ...statuses,
  ...rateLimits,
  ...redirects,
  ...spoiled,
  ...wire,
  demanding,
  ...unreached,
];
