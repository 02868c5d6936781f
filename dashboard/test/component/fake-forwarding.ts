// What a fake launcher replies about forwarding and invitations. It keeps what the page changes.
import {
  acceptInvitation,
  addForwardTarget,
  type BodyOf,
  changeForwardTarget,
  checkInvitation,
  type ForwardTarget,
  type ForwardTestResult,
  KitError,
  listForwardTargets,
  listSentRequests,
  type ReplyOf,
  removeForwardTarget,
  type SentRequest,
  testForwardBucket,
  testForwardTarget,
} from "@kit/contract";
import type { FakeLauncher } from "./fake-launcher.ts";

/** What the launcher has. A test may change all of it at any time. */
export type FakeForwarding = {
  targets: ForwardTarget[];
  test: ForwardTestResult;
  /** Where the reports of every invitation would go. */
  checked: ReplyOf<typeof checkInvitation>;
  sent: SentRequest[];
};

export const targetOf = (members: Partial<ForwardTarget> = {}): ForwardTarget => ({
  ...{ id: "target-1", kind: "sentry", game: null, host: "errors.example.com", project: "7", environment: null },
  ...{ installation: null, videos: false, bucket: null, earlierEvents: false, consent: null, decisions: [] },
  ...{ enabled: true, createdAt: "2026-05-01T10:00:00.000Z", delivered: 0, lastDeliveredAt: null, waiting: 0 },
  ...{ waitingBytes: 0, dropped: 0, videoQueue: null, lastError: null, lastErrorAt: null, stopped: null },
  ...{ waitsUntil: null, waitsBecause: null },
  ...members,
});

export const noVideos = {
  ...{ sent: 0, lastSentAt: null, waiting: 0, unsent: 0, unsentBecause: null, unsentAt: null },
  ...{ lastError: null, lastErrorAt: null, stopped: null, waitsUntil: null, waitsBecause: null },
} as const;

/** Lets the launcher reply about forwarding and invitations. Returns what it has. */
export function giveForwarding({ when }: FakeLauncher, given: Partial<FakeForwarding> = {}): FakeForwarding {
  const has: FakeForwarding = {
    targets: [],
    test: { ok: true, says: "The server accepted the test report (200).", status: 200, answer: null, report: "ab-1" },
    checked: { host: "errors.example.com", project: "7", bucketHost: null, target: null },
    sent: [],
    ...given,
  };
  const change = (id: string, members: (target: ForwardTarget) => Partial<ForwardTarget>): ForwardTarget => {
    const target = has.targets.find((each) => each.id === id);
    if (target === undefined) throw new KitError("not_found", "There is no such target.");
    const changed = { ...target, ...members(target) };
    has.targets = has.targets.map((each) => (each.id === id ? changed : each));
    return changed;
  };
  when(listForwardTargets).reply(() => ({ targets: has.targets }));
  when(addForwardTarget).reply(({ body: { kind, game } }) => {
    const target = targetOf({ kind, game });
    has.targets = [...has.targets, target];
    return target;
  });
  when(changeForwardTarget).reply(({ params, body }) => {
    const { address: _, headers: __, installation, bucket, enabled, ...members } = body;
    return change(params.id, (target) => ({
      ...members,
      ...(installation !== undefined && { installation: installation === "new" ? `id-${Math.random()}` : null }),
      ...(enabled !== undefined && { enabled, stopped: enabled ? null : target.stopped }),
      ...(bucket !== undefined && { bucket: bucket === null ? null : bucketOf(bucket) }),
      ...(members.videos === true && { videoQueue: noVideos }),
    }));
  });
  when(removeForwardTarget).reply(({ params }) => {
    has.targets = has.targets.filter(({ id }) => id !== params.id);
    return undefined;
  });
  when(testForwardTarget).reply(() => has.test);
  when(testForwardBucket).reply(() => ({ ok: true, says: "The bucket took a file." }));
  when(listSentRequests).reply(() => ({ requests: has.sent }));
  when(checkInvitation).reply(() => has.checked);
  when(acceptInvitation).reply(({ body: { invitation, reports, ...switches } }) => {
    const bucket = invitation.bucket === undefined ? null : { ...invitation.bucket, hasKeys: false };
    const id = has.checked.target?.id ?? "target-1";
    const target = targetOf({ id, ...has.checked, enabled: reports, videos: switches.videos, bucket });
    has.targets = [...has.targets.filter((each) => each.id !== id), target];
    return target;
  });
  return has;
}

type ChangedBucket = NonNullable<BodyOf<typeof changeForwardTarget>["bucket"]>;

const bucketOf = ({ endpoint, region, name, prefix, hostStyle, accessKey }: ChangedBucket) => ({
  ...{ endpoint, region, name, prefix, hostStyle },
  hasKeys: accessKey !== undefined,
});
