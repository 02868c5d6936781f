// Whatever goes wrong on the wire, nothing is said to be sent that was not, and nothing is tried again that would be a second
// post. `KIT_FAULT_ROUNDS` (1) times each.
import assert from "node:assert/strict";
import type { LookupFunction } from "node:net";
import { test } from "node:test";
import type { Network as NetworkKind } from "@kit/contract";
import { skipWithout } from "../../../../tools/engines/locate.ts";
import { failureMessage } from "../../outbound/failure.ts";
import { createOutbound } from "../../outbound/outbound.ts";
import { createBluesky } from "./bluesky/bluesky.ts";
import { discord } from "./discord/discord.ts";
import { mastodon } from "./mastodon/mastodon.ts";
import type { Credentials, Network } from "./network.ts";
import { createBlueskyStandIn } from "./test/bluesky-stand-in.ts";
import { type Certificates, makeCertificates } from "./test/certificates.ts";
import { createDiscordStandIn } from "./test/discord-stand-in.ts";
import { createMastodonStandIn } from "./test/mastodon-stand-in.ts";
import { hasty, outgoing, type Result, tryOnce } from "./test/trying.ts";
import { createWebhookStandIn } from "./test/webhook-stand-in.ts";
import { type StandIn, startWire } from "./test/wire.ts";
import { type Came, type Fault, faults } from "./test/wire-faults.ts";
import { withKeyColumns } from "./test/wire-faults-by-key.ts";
import { webhook } from "./webhook/webhook.ts";

/** A network with a stand-in for its server, and what opens an account there. */
type Subject = {
  readonly network: Network;
  readonly standIn: StandIn;
  accessAt(origin: string): Credentials;
};

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

const subjects: { readonly [kind in NetworkKind]?: () => Subject } = {
  discord() {
    const standIn = createDiscordStandIn();
    const { guild, channel, path } = standIn;
    return {
      network: discord,
      standIn,
      accessAt: (origin) => ({ url: `${origin}${path}`, name: "Boss log", guild, channel }),
    };
  },
  bluesky() {
    const standIn = createBlueskyStandIn();
    const { handle, password } = standIn;
    return { network: createBluesky(), standIn, accessAt: (service) => ({ service, handle, password }) };
  },
  mastodon() {
    const standIn = createMastodonStandIn();
    return { network: mastodon, standIn, accessAt: (server) => ({ server, token: standIn.token }) };
  },
  webhook: () => ({
    network: webhook,
    standIn: createWebhookStandIn(secret),
    accessAt: (origin) => ({ url: `${origin}/posts`, secret }),
  }),
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
  const says = "says" in outcome ? outcome.says : "error" in outcome ? failureMessage(outcome.error) : "";
  assert.ok(came === "sent" || says.length > 10, "there are no words for it");
  assert.doesNotMatch(says, /t0-ken|MfKQ9r8|localhost:|127\.0\.0\.1|network\.example|<|\/posts/);
}

async function checkRow(fault: Fault, kind: NetworkKind, create: () => Subject, trusted: Certificates): Promise<void> {
  const [expected, waitMs] = [fault[kind]].flat() as [Came, number?];
  for (let round = 0; round < rounds; round += 1) {
    const subject = create();
    const nowMs = Date.now();
    const result = await come(fault, subject, trusted, nowMs);
    const { outcome } = result;
    judge(outcome.outcome, subject, result);
    assert.equal(outcome.outcome, expected, JSON.stringify(outcome));
    const untilMs = outcome.outcome === "later" ? outcome.notBeforeMs : null;
    assert.equal(untilMs, waitMs === undefined ? null : nowMs + waitMs);
  }
}

// Most of the time goes into waiting for what does not come, so several rows wait at once.
for (const [kind, create] of Object.entries(subjects) as [NetworkKind, () => Subject][])
  test(`${kind}: what comes of each fault on the wire`, { skip, concurrency: 8 }, async (t) => {
    const certificates = makeCertificates();
    const rows = faults.map(withKeyColumns).filter((fault) => fault[kind] !== undefined);
    await Promise.all(rows.map((fault) => t.test(fault.what, () => checkRow(fault, kind, create, certificates))));
  });
