// Tests of wire faults: no fault makes Kit report an unsent post as sent, or repeat an attempt that would create a second post.
// `KIT_FAULT_ROUNDS` (1) is the number of rounds for each fault.
import assert from "node:assert/strict";
import type { LookupFunction } from "node:net";
import { textOf } from "@kit/contract";
import { describe, test } from "vitest";
import { skipWithout } from "../../../../../tools/engines/locate.ts";
import { failureMessage } from "../../../outbound/failure.ts";
import { createOutbound } from "../../../outbound/outbound.ts";
import type { Credentials, Network, SendOutcome } from "../network.ts";
import { type Certificates, makeCertificates } from "./certificates.ts";
import { outgoing, type Result, tryOnce } from "./try-once.ts";
import { type StandIn, startWire } from "./wire.ts";
import { type Fault, faults } from "./wire-faults.ts";

/** A network with a stand-in for its server, and credentials for it. */
type Subject = {
  readonly network: Network;
  readonly standIn: StandIn;
  accessAt(origin: string): Credentials;
};

/** An outcome; or `nothing` if certainly no byte arrived, or `lost` if no answer arrived. */
type ResultName = SendOutcome["outcome"] | "nothing" | "lost";

/** The expected result of each fault, by the fault's name. Faults that lose every answer are not listed. */
type ExpectedResults = { readonly [result in ResultName]?: readonly string[] } & {
  /** `later`, and the wait that the server asks for. */
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

async function attemptWith(fault: Fault, subject: Subject, trusted: Certificates, nowMs: number): Promise<Result> {
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
      reach,
      withinMs,
      now: () => nowMs,
    });
  } finally {
    await reach.close();
  }
}

/** Checks that hold for every fault. */
function judge(result: ResultName, { network, standIn }: Subject, { outcome, committed }: Result): void {
  assert.ok(result !== "sent" || standIn.made === 1, "reported as sent, but the post does not exist");
  const isSurelyNot = result === "later" || result === "nothing" || result === "refused" || result === "stopped";
  const isSafe = network.idempotentForMs > 0 && (result === "later" || result === "nothing");
  assert.ok(!isSurelyNot || isSafe || standIn.made === 0, `reported as ${result}, but the post exists`);
  assert.equal(committed, 1, "marked as committed before the request");
  const says = textOf("says" in outcome ? outcome.says : "error" in outcome ? failureMessage(outcome.error) : "");
  assert.ok(result === "sent" || says.length > 10, "a reason is given");
  assert.doesNotMatch(says, /t0-ken|MfKQ9r8|localhost:|127\.0\.0\.1|network\.example|<|\/posts/);
}

type Expected = { readonly result: ResultName; readonly waitMs?: number };

function expectedOf(
  { what, loses }: Fault,
  { laterAfterMs = {}, untried = [], ...expectedResults }: ExpectedResults,
): Expected | undefined {
  if (loses) return { result: "lost" };
  const waitMs = laterAfterMs[what];
  if (waitMs !== undefined) return { result: "later", waitMs };
  if (untried.includes(what)) return undefined;
  const [result] = Object.entries(expectedResults).find(([, names]) => names.includes(what)) ?? [];
  if (result === undefined) throw new Error(`no expected result for "${what}"`);
  return { result: result as ResultName };
}

async function check(
  fault: Fault,
  { result, waitMs }: Expected,
  subject: Subject,
  trusted: Certificates,
): Promise<void> {
  const nowMs = Date.now();
  const attempt = await attemptWith(fault, subject, trusted, nowMs);
  const { outcome } = attempt;
  judge(outcome.outcome, subject, attempt);
  assert.equal(outcome.outcome, result, JSON.stringify(outcome));
  const untilMs = outcome.outcome === "later" ? outcome.notBeforeMs : null;
  assert.equal(untilMs, waitMs === undefined ? null : nowMs + waitMs);
}

/** Tests a network with every fault. Most of the time is spent waiting for timeouts, so several faults run at once. */
export function testWireFaults(kind: string, create: () => Subject, expectedResults: ExpectedResults): void {
  const known = new Set(faults.map(({ what }) => what));
  const { laterAfterMs = {}, ...named } = expectedResults;
  const unknown = [...Object.values(named).flat(), ...Object.keys(laterAfterMs)].filter((what) => !known.has(what));
  assert.deepEqual(unknown, [], "unknown faults");
  describe(`${kind}: each fault on the wire has its expected result`, { skip, concurrent: true }, () => {
    const certificates = skip ? undefined : makeCertificates();
    for (const fault of faults) {
      const expected = expectedOf(fault, expectedResults);
      if (expected === undefined || certificates === undefined) continue;
      test(fault.what, async () => {
        for (let round = 0; round < rounds; round += 1) await check(fault, expected, create(), certificates);
      });
    }
  });
}
