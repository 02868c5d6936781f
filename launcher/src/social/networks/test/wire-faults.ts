// What goes wrong between the launcher and a network. Each network says in its `wire-faults.test.ts` what comes of it there.
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
  /** No answer can be read, at any network. */
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
export const says = (...statusCodes: readonly number[]): string[] => statusCodes.map((code) => `it says ${code}`);

/** The last six are Cloudflare's, for a server that it did not reach. */
const codes = [
  ...[400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 418, 422, 425, 451],
  ...[500, 501, 502, 503, 504, 520, 524, 599],
  ...[521, 522, 523, 525, 526, 530],
];
const statuses: readonly Fault[] = [
  ...codes.map((code) => ({ what: `it says ${code}`, act: acts.says(code) })),
  { what: "503 with a time", act: acts.says(503, { "retry-after": "30" }) },
  { what: "400 as a page", act: acts.saysAsPage(400) },
  { what: "502 as a page", act: acts.saysAsPage(502) },
];

const waits = (what: string, headers: Record<string, string>, body?: string): Fault => ({
  what: `429 ${what}`,
  act: acts.says(429, headers, body),
});

const rateLimits: readonly Fault[] = [
  waits("without a time", {}),
  waits("with nonsense", { "retry-after": "soon" }),
  waits("in seconds", { "retry-after": "65" }),
  waits("in parts of seconds", { "retry-after": "1.25" }),
  waits("in milliseconds", { "retry-after": "1500ms" }),
  waits("in milliseconds, by a header of their own", { "retry-after-ms": "800" }),
  waits("with a time in the past", at(-60)),
  waits("for ever", { "retry-after": "99999999999" }),
  waits("as a bucket that is empty", { "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "2.5" }),
  waits("in the body", {}, limit(64.57)),
  { what: "429, longer in the body", act: acts.says(429, { "retry-after": "2" }, limit(9)) },
  { what: "429 as a page", act: acts.saysAsPage(429, { "retry-after": "7" }) },
];

const redirects: readonly Fault[] = [301, 302, 303, 307, 308].map((code) => ({
  what: `${code} to this machine`,
  act: acts.says(code, { location: "http://127.0.0.1:9/" }),
}));

const row = (what: string, act: Act): Fault => ({ what, act });
const lost = (what: string, act: Act, more: Partial<Fault> = {}): Fault => ({ what, act, loses: true, ...more });

/** The post was created, but the answer is wrong. */
const spoiled: readonly Fault[] = [
  row("taken, and 500", acts.takesAndSays(500)),
  row("taken, and 502", acts.takesAndSays(502)),
  row("taken, and 503", acts.takesAndSays(503)),
  row("taken, and 504", acts.takesAndSays(504)),
  row(
    "taken, and 201",
    acts.takesAndSays(201, () => ({})),
  ),
  row(
    "taken, and 204",
    acts.takesAndSays(204, () => ({ body: "" })),
  ),
  row("taken, and a page", acts.takesAndSays(200)),
  row(
    "taken, and nothing",
    acts.takesAndSays(200, () => ({ body: "" })),
  ),
  row(
    "taken, and null",
    acts.takesAndSays(200, () => ({ body: "null" })),
  ),
  row(
    "taken, and a list",
    acts.takesAndSays(200, () => ({ body: "[1]" })),
  ),
  row(
    "taken, and half of it",
    acts.takesAndSays(200, () => ({ body: '{"id": "1' })),
  ),
  row(
    "taken, under another type",
    acts.takesAndSays(200, () => ({ headers: { "content-type": "text/plain" } })),
  ),
  row("zipped", acts.zips),
  row("zipped badly", acts.zipsBadly),
  row("zipped, and far too much", acts.zipsMuch),
  row("with hints before it", acts.hintsFirst),
  lost("with a word to go on before it", acts.continuesFirst),
];

const wire: readonly Fault[] = [
  lost("broken before it was taken", acts.breaksBeforeTaking),
  lost("ended before it was taken", acts.endsBeforeTaking),
  lost("silent, not taken", acts.staysSilentBeforeTaking, { withinMs: quickly }),
  lost("silent, taken", acts.staysSilent, { withinMs: quickly }),
  lost("broken before the head", acts.breaksBeforeHead),
  lost("ended before the head", acts.endsBeforeHead),
  lost("broken in the head", acts.breaksInHead),
  lost("stopped in the head", acts.stopsInHead, { withinMs: quickly }),
  row("broken in the body", acts.breaksInBody),
  // The request contained the whole post.
  row("ended in the body", acts.endsInBody),
  { what: "a body in drops", act: acts.dripsBody, withinMs: quickly },
  row("a huge body", acts.sendsHugeBody),
  lost("a head without end", acts.sendsEndlessHead),
  lost("no HTTP", acts.sendsNoHttp),
  lost("two lengths", acts.sendsTwoLengths),
  lost("no status", acts.sendsNoStatus),
];

/** No connection is made. */
const unreached: readonly Fault[] = [
  ...(["expired", "otherName", "selfSigned", "plain", "closed", "resets", "mute"] as const).map((presence) => ({
    what: `server: ${presence}`,
    presence,
  })),
  // Asked for while the request is being sent.
  { what: "server: wants a certificate", presence: "wants-certificate" },
  { what: "no such name", resolvesTo: { code: "ENOTFOUND" } },
  { what: "names cannot be looked up", resolvesTo: { code: "EAI_AGAIN" } },
  { what: "the name leads into the house", resolvesTo: ["192.168.1.1"] },
  { what: "the name leads nowhere", resolvesTo: [] },
];

export const faults: readonly Fault[] = [...statuses, ...rateLimits, ...redirects, ...spoiled, ...wire, ...unreached];
