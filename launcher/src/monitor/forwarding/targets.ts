// Adds, changes, tests and removes forwarding targets.
import { randomUUID, randomUUIDv7, X509Certificate } from "node:crypto";
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
import { CredentialsDamaged } from "../../outbox/index.ts";
import type { Statement } from "../../storage/sql.ts";
import { checkTargetHeaders, parseCollectorUrl } from "./address.ts";
import {
  delayTarget,
  deleteTarget,
  insertTarget,
  restartTarget,
  type TargetStore,
  updateTargetConsent,
  updateTargetEarlierEvents,
  updateTargetEnabled,
  updateTargetEnvironment,
  updateTargetGame,
  updateTargetHost,
  updateTargetInstallation,
  updateTargetVideos,
  type VisibleTargetAddress,
} from "./forwarding-store.ts";
import type { OutgoingReport, Sender, TargetCredentials, TargetMarks } from "./report.ts";
import { parseDsn } from "./sentry.ts";
import { noAnswerMessage } from "./server-connection.ts";
import { targetCredentialsMissing } from "./target-queue.ts";
import { dropWaitingVideos, restartVideos, startVideos } from "./video-store.ts";

export type TargetSecrets = {
  read(name: string): Promise<string | undefined>;
  write(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
};

export type TargetsDeps = {
  readonly store: TargetStore;
  readonly secrets: TargetSecrets;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly createSender: (kind: ForwardKind, access: TargetCredentials) => Promise<Sender>;
  /** Called when a change is durable. Resolves when the change has taken effect. */
  readonly onChanged: (id: string) => Promise<void>;
  readonly withinMs: number;
};

type Headers = Readonly<Record<string, string>>;
type Transport = { readonly withoutTls?: boolean; readonly certificate?: string };
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
} & Transport;
export type Targets = ReturnType<typeof createTargets>;

const answerCharsMax = 500;
const secretName = (id: string) => `forward-${id}`;

/** Throws KitError for what is not one certificate. */
function checkCertificate(certificate: string): void {
  try {
    new X509Certificate(certificate);
  } catch {
    rejectField("/certificate", message("target.not_a_certificate"));
  }
}

/** Throws KitError if the kind of server takes no videos. */
function checkVideos(kind: ForwardKind, videos: boolean | undefined): void {
  if (videos && kind !== "sentry") rejectField("/videos", message("target.videos_for_sentry"));
}

/** Returns why the videos that wait are not sent after a change; undefined if they still are. */
function videosEndedBy({ enabled, videos, game, address }: TargetChange): Message | undefined {
  if (enabled === false || videos === false) return message("video.switched_off");
  // Another server may not have the reports of the videos, and another game may have another consent.
  return address === undefined && game === undefined ? undefined : message("video.target_changed");
}

/** Returns the statements that change the switches of a target, and what that means for its queues. */
function switchStatements(id: string, change: TargetChange, nowMs: number): Statement[] {
  const { enabled, videos, earlierEvents } = change;
  const ended = videosEndedBy(change);
  const restart = enabled ? [restartTarget(id), restartVideos(id)] : [];
  return [
    ...(videos === undefined ? [] : [updateTargetVideos(id, videos), ...(videos ? startVideos(id) : [])]),
    ...(earlierEvents === undefined ? [] : [updateTargetEarlierEvents(id, earlierEvents)]),
    ...(enabled === undefined ? [] : [updateTargetEnabled(id, enabled), ...restart]),
    ...(ended === undefined ? [] : dropWaitingVideos(id, ended, nowMs)),
  ];
}

/** Returns the parts of the address that may be shown. Throws KitError for an invalid address or header. */
export async function publicAddressOf(
  kind: ForwardKind,
  { address, headers, withoutTls = false, certificate }: TargetCredentials,
): Promise<VisibleTargetAddress> {
  checkTargetHeaders(headers);
  if (certificate !== undefined) checkCertificate(certificate);
  if (kind === "otlp") return { host: parseCollectorUrl(address, withoutTls).host, project: null };
  if (Object.keys(headers).length > 0) rejectField("/headers", message("target.headers_for_collectors"));
  const { host, project } = await parseDsn(address, withoutTls);
  return { host, project };
}

/** Returns undefined if there are no stored credentials. Rejects if they are damaged. */
export async function readTargetCredentials(
  secrets: TargetSecrets,
  id: string,
): Promise<TargetCredentials | undefined> {
  const kept = await secrets.read(secretName(id));
  if (kept === undefined) return undefined;
  try {
    return JSON.parse(kept) as TargetCredentials;
  } catch {
    throw new CredentialsDamaged(message("target.damaged_credentials"));
  }
}

const writeCredentials = (secrets: TargetSecrets, id: string, access: TargetCredentials) =>
  secrets.write(secretName(id), JSON.stringify(access)).catch((error: unknown) => {
    throw new KitError("storage_unavailable", message("target.key_not_saved", { problem: (error as Error).message }));
  });

const testReport = (id: string, atMs: number, { environment, installation }: TargetMarks): OutgoingReport => ({
  environment,
  installation,
  build: "",
  event: id,
  novelty: "new",
  // It stands for no report, so that it does not change the sums.
  reports: 0,
  total: 0,
  sinceMs: atMs,
  lastMs: atMs,
  number: 0,
  stripped: false,
  atMs,
  issue: id,
  game: "kit",
  dialect: "text",
  version: 0,
  key: "kit-test",
  type: "KitTest",
  message: "This is a test of Kit's forwarding. Nothing went wrong.",
  frames: [],
  stack: "",
  precedingEvents: [],
  isTest: true,
});

export function createTargets({ store, secrets, write, now, createSender, onChanged, withinMs }: TargetsDeps) {
  const find = async (id: string): Promise<ForwardTarget> => {
    const found = (await store.all()).find((target) => target.id === id);
    if (found === undefined) throw new KitError("not_found", message("target.unknown"));
    return found;
  };
  const applyChange = async (id: string) => {
    await onChanged(id);
    return find(id);
  };
  /** Sends one report marked as a test, and returns the server's answer. */
  const sendTest = async (target: ForwardTarget): Promise<ForwardTestResult> => {
    const { id, kind } = target;
    const failedTest = { ok: false, status: null, answer: null, report: null };
    const report = randomUUIDv7();
    try {
      const access = await readTargetCredentials(secrets, id);
      if (access === undefined) return { ...failedTest, says: targetCredentialsMissing };
      const sender = await createSender(kind, access);
      const signal = AbortSignal.timeout(2 * withinMs);
      const sent = sender.send([testReport(report, now(), target)], 0, signal).finally(sender.close);
      const { verdict, status, answer, notBeforeMs } = await sent;
      if (notBeforeMs !== null) await write(delayTarget(id, notBeforeMs, "rate-limit"));
      const ok = verdict.outcome === "sent" && verdict.rejected === 0;
      const says = verdict.says ?? message("target.test_accepted", { status: status ?? "" });
      return { ok, says, status, answer: answer?.slice(0, answerCharsMax).toWellFormed() ?? null, report };
    } catch (error) {
      return { ...failedTest, says: noAnswerMessage(error, withinMs) };
    }
  };

  return {
    list: () => store.all(),
    async sentRequests(id: string): Promise<SentRequest[]> {
      await find(id);
      return store.sentRequests(id);
    },
    async add({ kind, game, ...given }: NewTarget): Promise<ForwardTarget> {
      const { address, headers = {}, withoutTls, certificate } = given;
      const { environment = null, earlierEvents = true, videos = false, installation = false, consent = null } = given;
      checkVideos(kind, videos);
      const access = { address, headers, withoutTls, certificate };
      const shown = await publicAddressOf(kind, access);
      if ((await store.all()).length >= forwardTargetsMax)
        throw payloadInvalid(message("target.too_many", { most: forwardTargetsMax }));
      const id = randomUUIDv7();
      // Inserts the row first: if Kit stopped in between, a key without a row would never be deleted.
      await write(
        insertTarget({ id, kind, game: game?.toWellFormed() ?? null, ...shown }, now(), targetCredentialsMissing),
        updateTargetEnvironment(id, environment),
        updateTargetEarlierEvents(id, earlierEvents),
        updateTargetVideos(id, videos),
        ...(videos ? startVideos(id) : []),
        updateTargetInstallation(id, installation ? randomUUID() : null),
        updateTargetConsent(id, consent),
      );
      try {
        await writeCredentials(secrets, id, access);
      } catch (error) {
        await write(deleteTarget(id));
        throw error;
      }
      await write(restartTarget(id));
      return applyChange(id);
    },
    async change(id: string, change: TargetChange): Promise<ForwardTarget> {
      const { game, environment, installation, videos } = change;
      const { address, headers, withoutTls, certificate } = change;
      const { kind, host, project } = await find(id);
      checkVideos(kind, videos);
      const isAddressed = [address, headers, withoutTls, certificate].some((given) => given !== undefined);
      if (isAddressed) {
        const before = await readTargetCredentials(secrets, id);
        if (address === undefined && before === undefined) throw payloadInvalid(targetCredentialsMissing);
        const access = {
          address: address ?? before?.address ?? "",
          headers: headers ?? before?.headers ?? {},
          withoutTls: withoutTls ?? before?.withoutTls,
          certificate: certificate ?? before?.certificate,
        };
        const shown = await publicAddressOf(kind, access);
        await writeCredentials(secrets, id, access);
        await write(updateTargetHost(id, shown), restartTarget(id), restartVideos(id));
        // The studio of the invitation did not ask for another server.
        if (shown.host !== host || shown.project !== project) await write(updateTargetConsent(id, null));
      }
      if (change.consent !== undefined) await write(updateTargetConsent(id, change.consent));
      if (game !== undefined) await write(updateTargetGame(id, game?.toWellFormed() ?? null));
      if (environment !== undefined) await write(updateTargetEnvironment(id, environment));
      if (installation !== undefined)
        await write(updateTargetInstallation(id, installation === "new" ? randomUUID() : null));
      const switched = switchStatements(id, change, now());
      if (switched.length > 0) await write(...switched);
      return applyChange(id);
    },
    async remove(id: string): Promise<void> {
      await find(id);
      // Deletes the key first: if Kit stops in between, the row that is left says that its key is missing.
      await secrets.remove(secretName(id));
      await write(deleteTarget(id));
      await onChanged(id);
    },
    async test(id: string): Promise<ForwardTestResult> {
      const target = await find(id);
      if (target.waitsBecause === "rate-limit") {
        const says = message("target.no_contact_before", { time: target.waitsUntil ?? "" });
        return { ok: false, says, status: null, answer: null, report: null };
      }
      const result = await sendTest(target);
      const isVideoStopped = (target.videoQueue?.stopped ?? null) !== null;
      if (result.ok) await write(restartTarget(id), ...(isVideoStopped ? [restartVideos(id)] : []));
      const { stopped, waitsUntil } = await find(id);
      const hasChanged = (stopped === null) !== (target.stopped === null) || waitsUntil !== target.waitsUntil;
      // The queues are restarted only if the test changed their state, because a restart interrupts a running request.
      if (hasChanged || (result.ok && isVideoStopped)) await onChanged(id);
      return result;
    },
  };
}
