// Runs forwarding on a real database with the real monitor, and a scripted server as its target.
import type {
  BodyOf,
  ForwardBucketTest,
  ForwardTarget,
  ForwardTestResult,
  Invitation,
  Operation,
  ReplyOf,
  SentRequest,
} from "@kit/contract";
import {
  acceptInvitation,
  addForwardTarget,
  changeForwardTarget,
  checkInvitation,
  listForwardTargets,
  listSentRequests,
  removeForwardTarget,
  testForwardBucket,
  testForwardTarget,
} from "@kit/contract";
import { createForwarding, type Forwarding, type ForwardingDeps } from "../../src/monitor/forwarding/forwarding.ts";
import type { ReportEntry } from "../../src/monitor/grouping/group.ts";
import { forwardingRoutes } from "../../src/monitor/routes.ts";
import { secretsInMemory } from "../support/secrets-in-memory.ts";
import { until } from "../support/until.ts";
import { type ForwardServer, startForwardServer } from "./forwarding-server.ts";
import { type MonitorFolder, noClips, openMonitorFolder } from "./monitor-folder.ts";
import { assertStorable } from "./wire-check.ts";

export const key = "0123456789abcdef0123456789abcdef";

export type ForwardFolder = {
  readonly monitor: MonitorFolder;
  readonly server: ForwardServer;
  readonly secrets: Map<string, string>;
  readonly failures: unknown[];
  clock: { ms: number };
  readonly dsn: string;
  add(body: BodyOf<typeof addForwardTarget>): Promise<ForwardTarget>;
  change(id: string, body: BodyOf<typeof changeForwardTarget>): Promise<ForwardTarget>;
  remove(id: string): Promise<void>;
  test(id: string): Promise<ForwardTestResult>;
  testBucket(id: string): Promise<ForwardBucketTest>;
  check(invitation: Invitation): Promise<ReplyOf<typeof checkInvitation>>;
  accept(body: BodyOf<typeof acceptInvitation>): Promise<ForwardTarget>;
  /** What was sent to a target, newest first. */
  sent(id: string): Promise<readonly SentRequest[]>;
  targets(): Promise<readonly ForwardTarget[]>;
  /** The only target, once it matches. */
  target(expected?: (target: ForwardTarget) => boolean): Promise<ForwardTarget>;
  /** Passes reports on as the dispatcher does. */
  take(entries: readonly ReportEntry[]): Promise<void>;
  clipsChanged(): void;
  /** Starts another launcher with the same data; `killed` means that the earlier one did not stop. */
  restart(killed?: boolean): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** `beforeWrite` is called before each write to the database or the secrets, which fails if it throws. */
export async function openForwardFolder(
  changes: Partial<ForwardingDeps> = {},
  beforeWrite: () => void = () => undefined,
): Promise<ForwardFolder> {
  const server = await startForwardServer();
  const monitor = await openMonitorFolder();
  const secrets = new Map<string, string>();
  const failures: unknown[] = [];
  // Real waits take at least a second; here the clock skips them.
  const clock = { ms: 0 };
  const { write, ...reading } = monitor.storage;
  const kept = secretsInMemory(secrets);
  const guarded =
    <Given extends unknown[]>(call: (...given: Given) => Promise<void>) =>
    async (...given: Given) => {
      beforeWrite();
      await call(...given);
    };
  const begin = () =>
    createForwarding({
      ...noClips,
      storage: { ...reading, write: guarded(write) },
      writeDecision: guarded(write),
      secrets: { ...kept, write: guarded(kept.write) },
      now: () => Date.now() + clock.ms,
      sentBefore: async () => monitor.before,
      onFailure: (error) => failures.push(error),
      limits: { growthEveryMs: 200, pauseMs: 0 },
      person: () => ({ user: "ana.lima", host: "lima-desktop", home: "/home/ana.lima" }),
      ...changes,
    });
  const earlier: Forwarding[] = [];
  let forwarding: Forwarding = begin();
  await forwarding.load();
  const call = async <O extends Operation>(operation: O, given: object = {}): Promise<ReplyOf<O>> => {
    const found = forwardingRoutes(forwarding).find((route) => route.operation === operation);
    return (await found?.answer(given as never, undefined as never)) as ReplyOf<O>;
  };
  const list = async () => (await call(listForwardTargets)).targets;
  return {
    monitor,
    server,
    secrets,
    failures,
    clock,
    dsn: `http://${key}@127.0.0.1:${server.port}/7`,
    add: (body) => call(addForwardTarget, { body }),
    change: (id, body) => call(changeForwardTarget, { params: { id }, body }),
    test: (id) => call(testForwardTarget, { params: { id } }),
    testBucket: (id) => call(testForwardBucket, { params: { id } }),
    async remove(id) {
      await call(removeForwardTarget, { params: { id } });
    },
    check: (invitation) => call(checkInvitation, { body: { invitation } }),
    accept: (body) => call(acceptInvitation, { body }),
    sent: async (id) => (await call(listSentRequests, { params: { id } })).requests,
    targets: list,
    target: (expected = () => true) =>
      until(
        "the target as expected",
        async () => {
          const [target] = await list();
          return target !== undefined && expected(target) && target;
        },
        // Looking is cheap here, and in some tests each look skips a wait.
        10,
      ),
    async take(entries) {
      // The monitor has a forwarding of its own, which counts but sends nothing, because it was not loaded.
      await monitor.take(entries);
      forwarding.onCommitted();
    },
    clipsChanged: () => forwarding.onClipsChanged(),
    async restart(killed = false) {
      const before = forwarding;
      if (killed) earlier.push(before);
      else await before.stop();
      forwarding = begin();
      await forwarding.load();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...earlier, forwarding].map((one) => one.stop()));
      await monitor[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      for (const request of server.received) if (request.video === undefined) assertStorable(request);
    },
  };
}
