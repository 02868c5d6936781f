// Tests that, whatever goes wrong on the wire, nothing is said to be sent that was not, and nothing is tried again that would be a
// second post. `KIT_FAULT_ROUNDS` (1) times each.
import assert from "node:assert/strict";
import type { LookupFunction } from "node:net";
import { test } from "node:test";
import { textOf } from "@kit/contract";
import { skipWithout } from "../../../../../tools/engines/locate.ts";
import { failureMessage } from "../../../outbound/failure.ts";
import { createOutbound } from "../../../outbound/outbound.ts";
import type { Credentials, Network, SendOutcome } from "../network.ts";
import { type Certificates, makeCertificates } from "./certificates.ts";
import { hasty, outgoing, type Result, tryOnce } from "./trying.ts";
import { type StandIn, startWire } from "./wire.ts";
import { type Fault, faults } from "./wire-faults.ts";

/** A network with a stand-in for its server, and what opens an account there. */
type Subject = {
  readonly network: Network;
  readonly standIn: StandIn;
  accessAt(origin: string): Credentials;
};

/** An outcome; or without one: `nothing`, when it is certain that no byte arrived, and `lost`, when the answer did not come. */
type Came = SendOutcome["outcome"] | "nothing" | "lost";

/** What comes of the faults, by their names. Each fault has one place; those that lose every answer have theirs already. */
type Comes = { readonly [came in Came]?: readonly string[] } & {
  /** `later`, and how long the server wants to be left alone. */
  readonly laterAfterMs?: Readonly<Record<string, number>>;
  readonly untried?: readonly string[];
};

const skip = skipWithout("OpenSSL");
const rounds = Number(process.env.KIT_FAULT_ROUNDS ?? 1);

const lookupOf =
  (resolvesTo: NonNullable<Fault["resolvesTo"]>): LookupFunction =>
  (_host, _options, callback) =>
    "code" in resolvesTo
      ? callback(Object.assign(new Error("no"), resolvesTo), [])
      : callback(
          null,
          resolvesTo.map((address) => ({ address, family: 4 })),
        );

async function come(fault: Fault, subject: Subject, trusted: Certificates, nowMs: number): Promise<Result> {
  const { act = null, presence, resolvesTo, withinMs = 10_000 } = fault;
  await using server = await startWire(subject.standIn, trusted, presence);
  server.act = act;
  const lookup = resolvesTo && lookupOf(resolvesTo);
  const reach = createOutbound({
    ca: trusted.ca,
    ...(presence === "mute" ? { connectWithinMs: 1_000 } : {}),
    ...(lookup ? { lookup } : {}),
  });
  const origin = lookup ? "https://network.example" : server.origin;
  try {
    return await tryOnce(subject.network, subject.accessAt(origin), outgoing(), {
      reach: hasty(reach, withinMs),
      now: () => nowMs,
    });
  } finally {
    await reach.close();
  }
}

/** What must hold whatever the row says. */
function judge(came: Came, { network, standIn }: Subject, { outcome, committed }: Result): void {
  assert.ok(came !== "sent" || standIn.made === 1, "said to be sent, and is not there");
  const isSurelyNot = came === "later" || came === "nothing" || came === "refused" || came === "stopped";
  const isSafe = network.idempotentForMs > 0 && (came === "later" || came === "nothing");
  assert.ok(!isSurelyNot || isSafe || standIn.made === 0, `said to be ${came}, and is there`);
  assert.equal(committed, 1, "what may make a post is told beforehand");
  const says = textOf("says" in outcome ? outcome.says : "error" in outcome ? failureMessage(outcome.error) : "");
  assert.ok(came === "sent" || says.length > 10, "there are no words for it");
  assert.doesNotMatch(says, /t0-ken|MfKQ9r8|localhost:|127\.0\.0\.1|network\.example|<|\/posts/);
}

type Expected = { readonly came: Came; readonly waitMs?: number };

function expectedOf(
  { what, loses }: Fault,
  { laterAfterMs = {}, untried = [], ...comes }: Comes,
): Expected | undefined {
  if (loses) return { came: "lost" };
  const waitMs = laterAfterMs[what];
  if (waitMs !== undefined) return { came: "later", waitMs };
  if (untried.includes(what)) return undefined;
  const [came] = Object.entries(comes).find(([, names]) => names.includes(what)) ?? [];
  if (came === undefined) throw new Error(`it is not said what comes of "${what}"`);
  return { came: came as Came };
}

async function check(fault: Fault, { came, waitMs }: Expected, subject: Subject, trusted: Certificates): Promise<void> {
  const nowMs = Date.now();
  const result = await come(fault, subject, trusted, nowMs);
  const { outcome } = result;
  judge(outcome.outcome, subject, result);
  assert.equal(outcome.outcome, came, JSON.stringify(outcome));
  const untilMs = outcome.outcome === "later" ? outcome.notBeforeMs : null;
  assert.equal(untilMs, waitMs === undefined ? null : nowMs + waitMs);
}

/** Tries a network with every fault. Most of the time goes into waiting for what does not come, so several wait at once. */
export function testWireFaults(kind: string, create: () => Subject, comes: Comes): void {
  test(`${kind}: what comes of each fault on the wire`, { skip, concurrency: 8 }, async (t) => {
    const certificates = makeCertificates();
    const known = new Set(faults.map(({ what }) => what));
    const { laterAfterMs = {}, ...named } = comes;
    const unknown = [...Object.values(named).flat(), ...Object.keys(laterAfterMs)].filter((what) => !known.has(what));
    assert.deepEqual(unknown, [], "faults that there are not");
    const tried = faults.map(async (fault) => {
      const expected = expectedOf(fault, comes);
      if (expected === undefined) return;
      await t.test(fault.what, async () => {
        for (let round = 0; round < rounds; round += 1) await check(fault, expected, create(), certificates);
      });
    });
    await Promise.all(tried);
  });
}
