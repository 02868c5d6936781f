// The bucket of a target: its settings, its keys, its test. What is shown and stored in the row has no keys.
import { isDeepStrictEqual } from "node:util";
import type { ForwardBucketTest, ForwardTarget } from "@kit/contract";
import { KitError, rejectField } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { CredentialsMissing } from "../../outbox/index.ts";
import type { Statement } from "../../storage/sql.ts";
import type { Bucket, BucketPlace, GivenBucket } from "./bucket.ts";
import { updateTargetBucket } from "./forwarding-store.ts";
import { restartVideos } from "./video-store.ts";

export type TargetSecrets = {
  read(name: string): Promise<string | undefined>;
  write(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
};

export const bucketTestMs = 30_000;
const secretName = (id: string) => `forward-${id}-bucket`;

/** Returns undefined if nothing is saved, or if it is damaged. */
async function readSaved(secrets: TargetSecrets, id: string): Promise<GivenBucket | undefined> {
  const kept = await secrets.read(secretName(id));
  try {
    return kept === undefined ? undefined : JSON.parse(kept);
  } catch {
    return undefined;
  }
}

/** Returns undefined if the target has no bucket. Rejects if its keys are missing. */
export async function openTargetBucket(
  secrets: TargetSecrets,
  { id, bucket }: Pick<ForwardTarget, "id" | "bucket">,
  now: () => number,
): Promise<Bucket | undefined> {
  if (bucket === null) return undefined;
  const saved = await readSaved(secrets, id);
  const { connectToBucket, visibleBucket } = await import("./bucket.ts");
  const { accessKey, secretKey } = saved ?? {};
  // They differ if Kit ended while the bucket was changed. Nothing is sent to a bucket that is not shown.
  const isShown = saved !== undefined && isDeepStrictEqual(visibleBucket(saved), bucket);
  if (!isShown || accessKey === undefined || secretKey === undefined)
    throw new CredentialsMissing(message("bucket.no_keys"));
  return connectToBucket({ ...saved, accessKey, secretKey }, now);
}

type BucketDeps = {
  readonly secrets: TargetSecrets;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly stopUploads: (target: string) => Promise<void>;
};

/** Saves a bucket with its keys. Throws KitError if that fails. */
export const saveBucket = (secrets: TargetSecrets, id: string, given: GivenBucket): Promise<void> =>
  secrets.write(secretName(id), JSON.stringify(given)).catch((error: unknown) => {
    throw new KitError("storage_unavailable", message("target.key_not_saved", { problem: (error as Error).message }));
  });

/** Returns the bucket as it is saved and shown. Throws KitError for what is not allowed. */
export async function checkedBucket(given: GivenBucket) {
  const prefix = given.prefix === "" || given.prefix.endsWith("/") ? given.prefix : `${given.prefix}/`;
  const saved = { ...given, prefix };
  const { checkBucket, visibleBucket } = await import("./bucket.ts");
  checkBucket(saved);
  return { saved, shown: visibleBucket(saved) };
}
async function replaceBucket({ secrets, write, stopUploads }: BucketDeps, id: string, given: GivenBucket) {
  const { saved, shown } = await checkedBucket(given);
  await stopUploads(id);
  await saveBucket(secrets, id, saved);
  await write(updateTargetBucket(id, shown), restartVideos(id));
}

/**
 * Returns a bucket as it will be saved. Omitted keys are those that are saved, and of the same store also how it is reached. Throws
 * KitError for what is not allowed.
 */
export async function completeBucket(secrets: TargetSecrets, id: string, given: GivenBucket): Promise<GivenBucket> {
  const saved = await readSaved(secrets, id);
  const { accessKey = saved?.accessKey, secretKey = saved?.secretKey, ...place } = given;
  if (accessKey === undefined || secretKey === undefined)
    return rejectField("/bucket/accessKey", message("bucket.no_keys"));
  const reached = place.endpoint === saved?.endpoint ? saved : undefined;
  const { withoutTls = reached?.withoutTls, certificate = reached?.certificate } = place;
  const complete = { ...place, withoutTls, certificate, accessKey, secretKey };
  await checkedBucket(complete);
  return complete;
}

/** Changes the keys and what is shown. */
export async function changeTargetBucket(deps: BucketDeps, id: string, complete: GivenBucket | null): Promise<void> {
  const { secrets, write, stopUploads } = deps;
  if (complete !== null) return replaceBucket(deps, id, complete);
  await removeTargetBucket({ secrets, stopUploads }, id);
  return write(updateTargetBucket(id, null));
}

/** Sets the bucket that an invitation names. Saved keys stay only if they are those of this bucket. */
export async function inviteToBucket(
  deps: BucketDeps,
  { id, bucket }: Pick<ForwardTarget, "id" | "bucket">,
  invited: BucketPlace,
): Promise<void> {
  const { shown } = await checkedBucket(invited);
  if (!isDeepStrictEqual({ ...bucket, hasKeys: false }, shown)) await replaceBucket(deps, id, invited);
}

/** Ends what runs with a bucket, and deletes its keys. */
export async function removeTargetBucket(deps: Pick<BucketDeps, "secrets" | "stopUploads">, id: string): Promise<void> {
  await deps.stopUploads(id);
  await deps.secrets.remove(secretName(id));
}

/** Writes, reads and deletes a small file. Success restarts the videos. */
export async function testTargetBucket(
  { secrets, now, write, onChanged }: Omit<BucketDeps, "stopUploads"> & { onChanged(id: string): Promise<void> },
  target: ForwardTarget,
  signal: AbortSignal,
): Promise<ForwardBucketTest> {
  const bucket = await openTargetBucket(secrets, target, now).catch(() => undefined);
  if (bucket === undefined) return { ok: false, says: message("bucket.no_keys") };
  const result = await bucket.test(signal).finally(bucket.close);
  if (!result.ok || (target.videoQueue?.stopped ?? null) === null) return result;
  await write(restartVideos(target.id));
  await onChanged(target.id);
  return result;
}
