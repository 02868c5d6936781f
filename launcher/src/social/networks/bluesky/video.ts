// Uploads videos to Bluesky's video service, which processes them and stores them on the account's server
// (https://docs.bsky.app/docs/tutorials/video).

import { setTimeout as wait } from "node:timers/promises";
import type { BlobRef } from "@atproto/api";
import type { Message } from "@kit/contract";
import { readResponseText, retryAfterMs } from "../../../outbound/response.ts";
import type { AttemptContext, SendOutcome } from "../network.ts";
import { plainServerMessage, saysTooLarge } from "../server-answer.ts";
import { blueskyMessage } from "./messages.ts";
import { type BlueskyAccount, uploadTimeoutMs } from "./session.ts";

const tokenSeconds = 30 * 60;
const pollMs = 1_500;
const pollForMs = 5 * 60_000;
/** What Kit reads of a job. The lexicon puts these members into `jobStatus`, but the service often leaves out that level. */
type VideoJob = {
  readonly jobId: string;
  readonly state: string;
  readonly code: string;
  readonly says: string;
  readonly blob: BlobRef | undefined;
};

export type VideoResult =
  | { readonly is: "there"; readonly blob: BlobRef }
  /** The service refused the video. It may still be uploaded to the account's own server. */
  | { readonly is: "elsewhere" }
  | { readonly is: "not"; readonly not: SendOutcome };

const not = (outcome: SendOutcome): VideoResult => ({ is: "not", not: outcome });
const later = (says: Message, notBeforeMs: number | null = null) => not({ outcome: "later", says, notBeforeMs });
const limited = (says: Message, notBeforeMs: number | null) =>
  not({ outcome: "later", says, notBeforeMs, limits: "destination" });

export const emailUnconfirmedMessage = blueskyMessage("bluesky.email_unconfirmed");

const stringOrEmpty = (value: unknown) => (typeof value === "string" ? value : "");

async function parseJob(text: string): Promise<VideoJob> {
  const { BlobRef, jsonStringToLex } = await import("@atproto/api");
  let said: Record<string, unknown> = {};
  try {
    const whole = jsonStringToLex(text) as { readonly jobStatus?: unknown } | null;
    const value = whole?.jobStatus ?? whole;
    if (typeof value === "object" && value !== null) said = value as Record<string, unknown>;
  } catch {
    // The answer is not JSON, so it comes from a proxy, and there is no job.
  }
  return {
    jobId: stringOrEmpty(said.jobId),
    state: stringOrEmpty(said.state),
    code: stringOrEmpty(said.failureCode) || stringOrEmpty(said.error),
    says: plainServerMessage(said.message) || plainServerMessage(said.error),
    blob: said.blob instanceof BlobRef ? said.blob : undefined,
  };
}

/** Asks for a token with which the service can store one file on the account's server, for half an hour. */
async function requestServiceToken({ agent }: BlueskyAccount, { signal, now }: AttemptContext): Promise<string> {
  const { data: server } = await agent.com.atproto.server.describeServer(undefined, { signal });
  const exp = Math.floor(now() / 1_000) + tokenSeconds;
  const asked = { aud: server.did, lxm: "com.atproto.repo.uploadBlob" as const, exp };
  const { data } = await agent.com.atproto.server.getServiceAuth(asked, { signal });
  return data.token;
}

const methodUrl = (service: string, name: string, parameters: Readonly<Record<string, string>>) =>
  new URL(`/xrpc/app.bsky.video.${name}?${new URLSearchParams(parameters)}`, service);

/** Uploads the file. Returns the job, or why there is none. */
async function startJob(
  account: BlueskyAccount,
  file: File,
  needs: AttemptContext,
  videoService: string,
): Promise<VideoJob | VideoResult> {
  const token = await requestServiceToken(account, needs);
  const answer = await needs.outbound
    .clientFor(videoService)
    .fetch(methodUrl(videoService, "uploadVideo", { did: account.did, name: file.name }), {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": file.type },
      body: file,
      signal: needs.signal,
      withinMs: uploadTimeoutMs(file.size),
    });
  const job = await parseJob(await readResponseText(answer));
  // For a file that it has already, the service answers with an error, `already_exists`, that contains the job.
  if (job.jobId !== "") return job;
  if (job.code === "unconfirmed_email") return not({ outcome: "stopped", says: emailUnconfirmedMessage });
  const restMs = retryAfterMs(answer.headers, needs.now());
  if (answer.status === 429) return limited(blueskyMessage("bluesky.no_more_videos"), restMs);
  if (answer.status >= 500) return later(blueskyMessage("bluesky.video_not_accepted"), restMs);
  if (answer.status === 413 || job.code === "BlobTooLarge" || saysTooLarge(job.says))
    return not({ outcome: "refused", says: blueskyMessage("bluesky.large_video"), isTooLarge: true });
  return answer.ok ? later(blueskyMessage("bluesky.unreadable_video_answer")) : { is: "elsewhere" };
}

/** After these errors, no other attempt with the same video can succeed. */
const finalCodes = new Set(["validation_failure", "pds_upload_unsupported_blob_size"]);

async function failedJob({ code, says }: VideoJob, { store }: AttemptContext): Promise<VideoResult> {
  await store({ job: "" });
  const said = blueskyMessage("bluesky.video_failed", { reason: says });
  return finalCodes.has(code) ? not({ outcome: "refused", says: said }) : later(said);
}

/** Waits until the video is processed. Rejects when aborted. */
async function waitForJob(jobId: string, needs: AttemptContext, videoService: string): Promise<VideoResult> {
  const { outbound, signal, now, store } = needs;
  const untilMs = now() + pollForMs;
  for (;;) {
    const url = methodUrl(videoService, "getJobStatus", { jobId });
    const answer = await outbound.clientFor(videoService).fetch(url, { signal });
    const job = await parseJob(await readResponseText(answer));
    if (job.blob !== undefined) return { is: "there", blob: job.blob };
    if (job.state === "JOB_STATE_FAILED") return failedJob(job, needs);
    if (answer.status === 429)
      return limited(blueskyMessage("bluesky.video_rate_limit"), retryAfterMs(answer.headers, now()));
    if (answer.status >= 400 && answer.status < 500) {
      await store({ job: "" });
      return later(blueskyMessage("bluesky.unknown_video"));
    }
    if (now() > untilMs) return later(blueskyMessage("bluesky.processing_video"));
    await wait(pollMs, undefined, { signal });
  }
}

export async function uploadVideo(
  account: BlueskyAccount,
  file: File,
  needs: AttemptContext,
  videoService: string,
): Promise<VideoResult> {
  const { stored, store } = needs;
  if (stored.job) return waitForJob(stored.job, needs, videoService);
  const job = await startJob(account, file, needs, videoService);
  if ("is" in job) return job;
  if (job.blob !== undefined) return { is: "there", blob: job.blob };
  await store({ job: job.jobId });
  return job.state === "JOB_STATE_FAILED" ? failedJob(job, needs) : waitForJob(job.jobId, needs, videoService);
}
