// Videos go to Bluesky's video service, which prepares them for watching and then puts them on the account's own server
// (https://docs.bsky.app/docs/tutorials/video).
import { setTimeout as wait } from "node:timers/promises";
import type { BlobRef } from "@atproto/api";
import { textOf } from "../../../outbound/bounded.ts";
import { restUntilMs } from "../../../outbound/retry-after.ts";
import type { Outcome, TryNeeds } from "../network.ts";
import { wordsOf } from "../words.ts";
import { type Account, uploadWithinMs } from "./session.ts";

const tokenSeconds = 30 * 60;
const pollMs = 1_500;
const pollForMs = 5 * 60_000;
/** Of a job, what is used of it. The lexicon puts it into `jobStatus`; the service does so only at times. */
type Job = {
  readonly jobId: string;
  readonly state: string;
  readonly code: string;
  readonly says: string;
  readonly blob: BlobRef | undefined;
};

export type Video =
  | { readonly is: "there"; readonly blob: BlobRef }
  /** The service has nothing to do with this account's server. */
  | { readonly is: "elsewhere" }
  | { readonly is: "not"; readonly not: Outcome };

const not = (outcome: Outcome): Video => ({ is: "not", not: outcome });
const later = (says: string, notBeforeMs: number | null = null) => not({ outcome: "later", says, notBeforeMs });

export const unconfirmed =
  "Bluesky takes videos only from accounts whose e-mail address is confirmed. Confirm it in Bluesky (Settings, Account), then test the account here.";

const textIn = (value: unknown) => (typeof value === "string" ? value : "");

async function jobIn(text: string): Promise<Job> {
  const { BlobRef, jsonStringToLex } = await import("@atproto/api");
  let said: Record<string, unknown> = {};
  try {
    const whole = jsonStringToLex(text) as { readonly jobStatus?: unknown } | null;
    const value = whole?.jobStatus ?? whole;
    if (typeof value === "object" && value !== null) said = value as Record<string, unknown>;
  } catch {
    // A page of some proxy: nothing is known of a job.
  }
  return {
    jobId: textIn(said.jobId),
    state: textIn(said.state),
    code: textIn(said.failureCode) || textIn(said.error),
    says: wordsOf(said.message) || wordsOf(said.error),
    blob: said.blob instanceof BlobRef ? said.blob : undefined,
  };
}

/** What lets the service put one file on the account's server in its name, for half an hour. */
async function tokenFor({ agent }: Account, { signal, now }: TryNeeds): Promise<string> {
  const { data: server } = await agent.com.atproto.server.describeServer(undefined, { signal });
  const exp = Math.floor(now() / 1_000) + tokenSeconds;
  const asked = { aud: server.did, lxm: "com.atproto.repo.uploadBlob" as const, exp };
  const { data } = await agent.com.atproto.server.getServiceAuth(asked, { signal });
  return data.token;
}

const method = (service: string, name: string, parameters: Readonly<Record<string, string>>) =>
  new URL(`/xrpc/app.bsky.video.${name}?${new URLSearchParams(parameters)}`, service);

/** The job, or why there is none. */
async function begun(account: Account, file: File, needs: TryNeeds, videoService: string): Promise<Job | Video> {
  const token = await tokenFor(account, needs);
  const answer = await needs.reach
    .to(videoService)
    .fetch(method(videoService, "uploadVideo", { did: account.did, name: file.name }), {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": file.type },
      body: file,
      signal: needs.signal,
      withinMs: uploadWithinMs(file.size),
    });
  const job = await jobIn(await textOf(answer));
  // A file it has already is a no with a job: `already_exists`.
  if (job.jobId !== "") return job;
  if (job.code === "unconfirmed_email") return not({ outcome: "stopped", says: unconfirmed });
  const restMs = restUntilMs(answer.headers, needs.now());
  if (answer.status === 429) return later("Bluesky takes no more videos of this account now.", restMs);
  if (answer.status >= 500) return later("Bluesky's video service could not take the video now.", restMs);
  if (answer.status === 413) return not({ outcome: "refused", says: "The video is too large for Bluesky." });
  return answer.ok ? later("Bluesky's video service gave no readable answer.") : { is: "elsewhere" };
}

/** Never mind how often it is tried. */
const finalCodes = new Set(["validation_failure", "pds_upload_unsupported_blob_size"]);

async function ended({ code, says }: Job, { remember }: TryNeeds): Promise<Video> {
  await remember({ job: "" });
  const said = `Bluesky could not prepare the video: ${says}`;
  return finalCodes.has(code) ? not({ outcome: "refused", says: said }) : later(said);
}

/** Waits until it is prepared; rejects when given up. */
async function finished(jobId: string, needs: TryNeeds, videoService: string): Promise<Video> {
  const { reach, signal, now, remember } = needs;
  const untilMs = now() + pollForMs;
  for (;;) {
    const url = method(videoService, "getJobStatus", { jobId });
    const answer = await reach.to(videoService).fetch(url, { signal });
    const job = await jobIn(await textOf(answer));
    if (job.blob !== undefined) return { is: "there", blob: job.blob };
    if (job.state === "JOB_STATE_FAILED") return ended(job, needs);
    if (answer.status === 429)
      return later("Bluesky's video service has a rate limit.", restUntilMs(answer.headers, now()));
    if (answer.status >= 400 && answer.status < 500) {
      await remember({ job: "" });
      return later("Bluesky's video service does not know the video any more.");
    }
    if (now() > untilMs) return later("Bluesky still prepares the video.");
    await wait(pollMs, undefined, { signal });
  }
}

export async function videoOf(account: Account, file: File, needs: TryNeeds, videoService: string): Promise<Video> {
  const { remembered, remember } = needs;
  if (remembered.job) return finished(remembered.job, needs, videoService);
  const job = await begun(account, file, needs, videoService);
  if ("is" in job) return job;
  if (job.blob !== undefined) return { is: "there", blob: job.blob };
  await remember({ job: job.jobId });
  return job.state === "JOB_STATE_FAILED" ? ended(job, needs) : finished(job.jobId, needs, videoService);
}
