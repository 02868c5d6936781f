// Adds, changes, tests and removes forwarding targets.
import { randomUUID, randomUUIDv7 } from "node:crypto";
import {
  type ForwardKind,
  type ForwardTarget,
  type ForwardTestResult,
  forwardTargetsMax,
  KitError,
  type Message,
  payloadInvalid,
  rejectField,
  type SentRequest,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { createSerialQueue } from "../../async.ts";
import { CredentialsDamaged } from "../../outbox/index.ts";
import type { Statement } from "../../storage/sql.ts";
import { checkCertificate, checkTargetHeaders, parseCollectorUrl } from "./address.ts";
import type { BucketPlace, GivenBucket } from "./bucket.ts";
import { dropOtherGames, forgetSentTexts, restartSums } from "./count-store.ts";
import { agreeFromNow, recordDecisions, widenFromNow } from "./decision-store.ts";
import {
  deleteTarget,
  insertTarget,
  restartTarget,
  type TargetStore,
  updateTargetAccess,
  updateTargetBucket,
  updateTargetConsent,
  updateTargetEarlierEvents,
  updateTargetEnabled,
  updateTargetEnvironment,
  updateTargetGame,
  updateTargetInstallation,
  updateTargetVideos,
  type VisibleTargetAddress,
} from "./forwarding-store.ts";
import type { Sender, TargetCredentials } from "./report.ts";
import { parseDsn } from "./sentry.ts";
import {
  bucketTestMs,
  changeTargetBucket,
  checkedBucket,
  completeBucket,
  inviteToBucket,
  removeTargetBucket,
  saveBucket,
  type TargetSecrets,
  testTargetBucket,
} from "./target-bucket.ts";
import { targetCredentialsMissing } from "./target-queue.ts";
import { createTargetTests } from "./target-tests.ts";
import { dropWaitingVideos, restartVideos, startVideos } from "./video-store.ts";

export type TargetsDeps = {
  readonly store: TargetStore;
  readonly secrets: TargetSecrets;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly createSender: (kind: ForwardKind, access: TargetCredentials, target: string) => Promise<Sender>;
  /** Ends what runs with the bucket of a target. Called before the bucket changes or goes. */
  readonly stopUploads: (id: string) => Promise<void>;
  /** Called when a change is durable. Resolves when the change has taken effect. */
  readonly onChanged: (id: string) => Promise<void>;
  readonly withinMs: number;
};

type Headers = Readonly<Record<string, string>>;
/** By the name that a row gives them. There are two while an address changes. */
type StoredCredentials = Readonly<Record<string, TargetCredentials>>;
type Transport = { readonly withoutTls?: boolean; readonly certificate?: string };
type InvitedAccess = { readonly address: string } & Transport;
type TargetChange = {
  readonly enabled?: boolean;
  readonly game?: string | null;
  readonly environment?: string | null;
  /** `new` makes a random id, also in place of another one. */
  readonly installation?: "none" | "new";
  readonly videos?: boolean;
  readonly earlierEvents?: boolean;
  readonly consent?: ForwardTarget["consent"];
  readonly address?: string;
  readonly headers?: Headers;
  readonly bucket?: GivenBucket | null;
  /** The bucket of an invitation, without its keys. */
  readonly invitedBucket?: BucketPlace | undefined;
  /** The address of an invitation and how it is contacted. Headers stay, because an invitation has none. */
  readonly invitedAccess?: InvitedAccess;
} & Transport;
type NewTarget = {
  readonly kind: ForwardKind;
  readonly address: string;
  readonly headers?: Headers;
  readonly game: string | null;
  readonly environment?: string | null;
  readonly earlierEvents?: boolean;
  readonly videos?: boolean;
  /** Whether a random id is made and sent. */
  readonly installation?: boolean;
  readonly consent?: ForwardTarget["consent"];
  readonly invitedBucket?: BucketPlace | undefined;
} & Transport;
export type Targets = ReturnType<typeof createTargets>;

const secretName = (id: string) => `forward-${id}`;

/** Throws KitError if videos can go nowhere. */
function checkVideos(kind: ForwardKind, videos: boolean | undefined, hasBucket: boolean): void {
  if (videos && kind !== "sentry" && !hasBucket) rejectField("/videos", message("target.videos_need_bucket"));
}

/** Returns why the videos that wait are not sent after a change; undefined if they still are. */
function videosEndedBy({ enabled, videos, game, address }: TargetChange): Message | undefined {
  if (enabled === false || videos === false) return message("video.switched_off");
  // Another server may not have the reports of the videos, and another game may have another consent.
  return address === undefined && game === undefined ? undefined : message("video.target_changed");
}

const changeGame = (id: string, game: string | null): Statement[] => [
  ...widenFromNow(id, game),
  updateTargetGame(id, game),
  ...dropOtherGames(id),
];

/** Returns the statements of a change, except for the address, and what the change means for the queues. */
function changeStatements(id: string, change: TargetChange, nowMs: number): Statement[] {
  const { enabled, videos, earlierEvents, consent, game, environment, installation } = change;
  const ended = videosEndedBy(change);
  const restart = enabled ? [restartTarget(id), restartVideos(id)] : [];
  const hasId = installation === undefined ? undefined : installation === "new";
  return [
    ...recordDecisions(id, { reports: enabled, earlierEvents, installation: hasId, videos }, nowMs),
    ...(consent === undefined ? [] : [updateTargetConsent(id, consent)]),
    ...(game === undefined ? [] : changeGame(id, game?.toWellFormed() ?? null)),
    ...(environment === undefined ? [] : [updateTargetEnvironment(id, environment)]),
    ...(installation === undefined ? [] : [updateTargetInstallation(id, installation === "new" ? randomUUID() : null)]),
    ...(environment === undefined && installation === undefined ? [] : restartSums(id)),
    ...(videos === undefined ? [] : [updateTargetVideos(id, videos), ...(videos ? startVideos(id) : [])]),
    ...(earlierEvents === undefined ? [] : [updateTargetEarlierEvents(id, earlierEvents)]),
    ...(enabled ? agreeFromNow(id) : []),
    ...(enabled === undefined ? [] : [updateTargetEnabled(id, enabled), ...restart]),
    ...(ended === undefined ? [] : dropWaitingVideos(id, ended, nowMs)),
  ];
}

/** Returns the statements that store what a person chose when they added a target. The last one switches it on. */
function firstChoices(id: string, given: Omit<NewTarget, "kind" | "game">): Statement[] {
  const { environment = null, earlierEvents = true, videos = false, installation = false, consent = null } = given;
  return [
    updateTargetEnvironment(id, environment),
    updateTargetEarlierEvents(id, earlierEvents),
    updateTargetVideos(id, videos),
    ...(videos ? startVideos(id) : []),
    updateTargetInstallation(id, installation ? randomUUID() : null),
    updateTargetConsent(id, consent),
    ...agreeFromNow(id),
    updateTargetEnabled(id, true),
  ];
}

/** Returns the parts of the address that may be shown. Throws KitError for an invalid address or header; `field` is what contains them. */
export async function publicAddressOf(
  kind: ForwardKind,
  { address, headers, withoutTls = false, certificate }: TargetCredentials,
  field = "",
): Promise<VisibleTargetAddress> {
  checkTargetHeaders(headers);
  if (certificate !== undefined) checkCertificate(certificate, field);
  const path = `${field}/address`;
  if (kind === "otlp") {
    // Two studios can have collectors on one host. Their paths tell them apart, as projects do.
    const { host, path: project } = parseCollectorUrl(address, withoutTls, path);
    return { host, project };
  }
  if (Object.keys(headers).length > 0) rejectField("/headers", message("target.headers_for_collectors"));
  const { host, project } = await parseDsn(address, withoutTls, path);
  return { host, project };
}

/**
 * Returns the credentials that the target's row names; undefined if they are not stored. While an address changes, the secret holds
 * the old and the new credentials, so that the commit of the row changes both at once. Rejects if they are damaged.
 */
export async function readTargetCredentials(
  secrets: TargetSecrets,
  store: Pick<TargetStore, "accessOf">,
  id: string,
): Promise<TargetCredentials | undefined> {
  const named = await store.accessOf(id);
  const kept = await secrets.read(secretName(id));
  if (kept === undefined || named === undefined) return undefined;
  try {
    const found = (JSON.parse(kept) as StoredCredentials)[named];
    // The address may have changed between the two reads.
    if (found !== undefined || (await store.accessOf(id)) === named) return found;
  } catch (error) {
    if (error instanceof SyntaxError) throw new CredentialsDamaged(message("target.damaged_credentials"));
    throw error;
  }
  return readTargetCredentials(secrets, store, id);
}

const writeCredentials = (secrets: TargetSecrets, id: string, all: StoredCredentials) =>
  secrets.write(secretName(id), JSON.stringify(all)).catch((error: unknown) => {
    throw new KitError("storage_unavailable", message("target.key_not_saved", { problem: (error as Error).message }));
  });

/** Returns the credentials after a change. Throws KitError if there is no address. */
function changedAccess(before: TargetCredentials | undefined, change: TargetChange): TargetCredentials {
  const { headers = before?.headers ?? {}, invitedAccess } = change;
  if (invitedAccess !== undefined) {
    const { address, withoutTls, certificate } = invitedAccess;
    return { address, headers, withoutTls, certificate };
  }
  const { address = before?.address } = change;
  const { withoutTls = before?.withoutTls, certificate = before?.certificate } = change;
  if (address === undefined) throw payloadInvalid(targetCredentialsMissing);
  return { address, headers, withoutTls, certificate };
}

/** Changes the credentials of a target, and what the statements change, in one commit. */
async function changeAddress(
  { store, secrets, write }: Pick<TargetsDeps, "store" | "secrets" | "write">,
  { id, kind, host, project, installation }: ForwardTarget,
  change: TargetChange,
  statements: readonly Statement[],
): Promise<void> {
  const before = await readTargetCredentials(secrets, store, id).catch((error: unknown) => {
    if (error instanceof CredentialsDamaged) return undefined;
    throw error;
  });
  const access = changedAccess(before, change);
  // Accepting an invitation again must not start the sums anew for nothing.
  if (change.invitedAccess !== undefined && JSON.stringify(access) === JSON.stringify(before))
    return write(...statements);
  const shown = await publicAddressOf(kind, access);
  const named = await store.accessOf(id);
  const name = randomUUID();
  const kept = before === undefined || named === undefined ? {} : { [named]: before };
  await writeCredentials(secrets, id, { ...kept, [name]: access });
  // The studio of the invitation did not ask for another server, and the random id is made for one server alone.
  const isMoved = shown.host !== host || shown.project !== project;
  await write(
    updateTargetAccess(id, name, shown),
    ...restartSums(id),
    restartTarget(id),
    restartVideos(id),
    ...(isMoved ? [updateTargetConsent(id, null), forgetSentTexts(id)] : []),
    ...(isMoved && installation !== null ? [updateTargetInstallation(id, randomUUID())] : []),
    ...statements,
  );
  // If this fails, the old credentials stay in the secret until the next change. Nothing uses them.
  await writeCredentials(secrets, id, { [name]: access }).catch(() => undefined);
}

const isVideoStopped = ({ videoQueue }: ForwardTarget) => (videoQueue?.stopped ?? null) !== null;
const hasOtherState = (one: ForwardTarget, other: ForwardTarget) =>
  (one.stopped === null) !== (other.stopped === null) || one.waitsUntil !== other.waitsUntil;
const untestedBefore = (time: string): ForwardTestResult => {
  const says = message("target.no_contact_before", { time });
  return { ok: false, says, status: null, answer: null, report: null };
};

export function createTargets(deps: TargetsDeps) {
  const { store, secrets, write, now, createSender, onChanged, withinMs } = deps;
  const look = async (id: string) => (await store.all()).find((target) => target.id === id);
  const find = async (id: string): Promise<ForwardTarget> => {
    const found = await look(id);
    if (found === undefined) throw new KitError("not_found", message("target.unknown"));
    return found;
  };
  const applyChange = async (id: string) => {
    await onChanged(id);
    return find(id);
  };
  /** Stores what is switched off, and ends it, before anything waits for a bucket. */
  const switchOff = async (id: string, { enabled, videos }: Pick<TargetChange, "enabled" | "videos">) => {
    const off = { ...(enabled === false && { enabled }), ...(videos === false && { videos }) };
    if (Object.keys(off).length === 0) return;
    await write(...changeStatements(id, off, now()));
    if (enabled === false) tests.end(id);
    await onChanged(id);
  };
  const tests = createTargetTests({
    write,
    now,
    withinMs,
    async openSender({ id, kind }) {
      const access = await readTargetCredentials(secrets, store, id);
      return access && createSender(kind, access, id);
    },
  });

  const serialize = createSerialQueue();
  return {
    list: () => store.all(),
    async sentRequests(id: string): Promise<SentRequest[]> {
      await find(id);
      return store.sentRequests(id);
    },
    async add({ kind, game, ...given }: NewTarget): Promise<ForwardTarget> {
      const { address, headers = {}, withoutTls, certificate } = given;
      const bucket = given.invitedBucket && (await checkedBucket(given.invitedBucket));
      checkVideos(kind, given.videos, bucket !== undefined);
      const access = { address, headers, withoutTls, certificate };
      const shown = await publicAddressOf(kind, access);
      const id = randomUUIDv7();
      const name = randomUUID();
      // Counted and inserted in one turn, so that no number of calls at once passes the limit.
      await serialize(async () => {
        if ((await store.all()).length >= forwardTargetsMax)
          throw payloadInvalid(message("target.too_many", { most: forwardTargetsMax }));
        // Inserts the row first: if Kit stopped in between, a key without a row would never be deleted.
        await write(
          insertTarget(
            { id, kind, game: game?.toWellFormed() ?? null, access: name, ...shown },
            now(),
            targetCredentialsMissing,
          ),
          updateTargetBucket(id, bucket?.shown ?? null),
          ...firstChoices(id, given),
        );
        try {
          if (bucket !== undefined) await saveBucket(secrets, id, bucket.saved);
          await writeCredentials(secrets, id, { [name]: access });
        } catch (error) {
          await write(deleteTarget(id));
          if (bucket !== undefined) await removeTargetBucket(deps, id).catch(() => undefined);
          throw error;
        }
        await write(restartTarget(id));
      });
      return applyChange(id);
    },
    async change(id: string, change: TargetChange): Promise<ForwardTarget> {
      const { kind, bucket } = await find(id);
      const { invitedBucket } = change;
      const bucketThen = invitedBucket ?? (change.bucket === undefined ? bucket : change.bucket);
      checkVideos(kind, change.videos, bucketThen !== null);
      // Without a bucket, a collector gets no videos.
      const isEnd = change.bucket === null && kind !== "sentry";
      const changed = isEnd ? { ...change, videos: false } : change;
      const statements = changeStatements(id, changed, now());
      const { address, headers, withoutTls, certificate, invitedAccess } = change;
      // Nothing is switched off by a change that is refused.
      const given = change.bucket && (await completeBucket(secrets, id, change.bucket));
      if (invitedBucket !== undefined) await checkedBucket(invitedBucket);
      if (given !== undefined || invitedBucket !== undefined) await switchOff(id, changed);
      if (given !== undefined) await serialize(() => changeTargetBucket(deps, id, given));
      if (invitedBucket !== undefined) await serialize(async () => inviteToBucket(deps, await find(id), invitedBucket));
      if ([address, headers, withoutTls, certificate, invitedAccess].some((given) => given !== undefined))
        await serialize(async () => changeAddress({ store, secrets, write }, await find(id), change, statements));
      else if (statements.length > 0) await write(...statements);
      if (change.enabled === false) tests.end(id);
      return applyChange(id);
    },
    async remove(id: string): Promise<void> {
      await serialize(async () => {
        await find(id);
        await switchOff(id, { enabled: false });
        await removeTargetBucket(deps, id);
        // Deletes the key first: if Kit stops in between, the row that is left says that its key is missing.
        await secrets.remove(secretName(id));
        await write(deleteTarget(id));
      });
      await onChanged(id);
    },
    testBucket: async (id: string) => testTargetBucket(deps, await find(id), tests.signal(id, bucketTestMs)),
    async test(id: string): Promise<ForwardTestResult> {
      const target = await find(id);
      if (target.waitsBecause === "rate-limit") return untestedBefore(target.waitsUntil ?? "");
      const result = await tests.send(target);
      if (result.ok) await write(restartTarget(id), ...(isVideoStopped(target) ? [restartVideos(id)] : []));
      const after = await look(id);
      // It was removed, which ended the test.
      if (after === undefined) return result;
      // The queues are restarted only if the test changed their state, because a restart interrupts a running request.
      if (hasOtherState(after, target) || (result.ok && isVideoStopped(target))) await onChanged(id);
      return result;
    },
  };
}
