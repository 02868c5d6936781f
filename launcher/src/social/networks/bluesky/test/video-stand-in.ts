// Bluesky's video service as described by its tutorial (https://docs.bsky.app/docs/tutorials/video), the lexicons
// app.bsky.video.* and bluesky-social/atproto issues 3026 and 3097. It stores videos on the account's own server with the token
// that it received, so that the real server checks the token.
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Certificates } from "../../test/certificates.ts";

type Job = { readonly did: string; readonly file: Buffer; readonly token: string; asked: number; blob?: unknown };

export type VideoService = {
  readonly url: string;
  /** Completed uploads. */
  readonly uploads: { readonly name: string; readonly bytes: number; readonly type: string }[];
  /** How the next jobs end. Jobs without an entry succeed. */
  readonly ends: ("fails" | "invalid" | "forgotten")[];
  /** Answers to the next uploads, instead of a job. */
  readonly refusals: { readonly status: number; readonly body: unknown }[];
  /** Called whenever a client asks for the progress of a job. */
  onAsked: () => void;
  [Symbol.asyncDispose](): Promise<void>;
};

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

/** Uploads the finished video like the real service. */
async function putOnServer(server: string, { token, file }: Job): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "video/mp4" };
  const body = new Uint8Array(file);
  const answer = await fetch(`${server}/xrpc/com.atproto.repo.uploadBlob`, { method: "POST", headers, body });
  const said = (await answer.json()) as { blob?: unknown; message?: string };
  if (!answer.ok) throw new Error(said.message);
  return said.blob;
}

export async function openVideoService(certificates: Certificates, server: string): Promise<VideoService> {
  const jobs = new Map<string, Job>();
  const uploads: VideoService["uploads"] = [];
  const ends: VideoService["ends"] = [];
  const refusals: VideoService["refusals"] = [];
  const status = async (jobId: string, job: Job) => {
    const known = { jobId, did: job.did };
    job.asked += 1;
    if (job.asked === 1) return { ...known, state: "JOB_STATE_ENCODING", progress: 50 };
    const end = ends.shift();
    if (end !== undefined) {
      const failureCode = end === "fails" ? "generic_failure" : "validation_failure";
      return { ...known, state: "JOB_STATE_FAILED", failureCode, error: "x", message: "Failed to process video" };
    }
    job.blob ??= await putOnServer(server, job);
    return { ...known, state: "JOB_STATE_COMPLETED", progress: 100, blob: job.blob };
  };
  const service = createServer(certificates.good, async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "https://localhost");
    const token = (request.headers.authorization ?? "").replace("Bearer ", "");
    const file = await buffer(request);
    const say = (code: number, body: unknown) =>
      response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (pathname === "/xrpc/app.bsky.video.getUploadLimits") {
      const { lxm, aud } = claimsOf(token);
      if (lxm !== "app.bsky.video.getUploadLimits" || !String(aud).startsWith("did:web:localhost"))
        return say(401, { error: "InvalidToken", message: "not for this" });
      return say(200, { canUpload: true, remainingDailyVideos: 24, remainingDailyBytes: 1_000_000_000 });
    }
    if (pathname === "/xrpc/app.bsky.video.uploadVideo") {
      const refusal = refusals.shift();
      if (refusal !== undefined) return say(refusal.status, refusal.body);
      if (claimsOf(token).lxm !== "com.atproto.repo.uploadBlob")
        return say(401, { error: "InvalidToken", message: "" });
      if (Number(request.headers["content-length"]) !== file.length) return say(411, { error: "x", message: "length" });
      uploads.push({
        name: searchParams.get("name") ?? "",
        bytes: file.length,
        type: request.headers["content-type"] ?? "",
      });
      const did = searchParams.get("did") ?? "";
      const jobId = `job${jobs.size}`;
      const same = [...jobs].find(([, job]) => job.blob !== undefined && job.file.equals(file));
      // The real service does not wrap this in `jobStatus`, contrary to the lexicon.
      if (same !== undefined)
        return say(409, {
          did,
          error: "already_exists",
          jobId: same[0],
          message: "Video already processed",
          state: "JOB_STATE_COMPLETED",
        });
      jobs.set(jobId, { did, file, token, asked: 0 });
      return say(200, { did, jobId, state: "JOB_STATE_CREATED" });
    }
    opened.onAsked();
    const jobId = searchParams.get("jobId") ?? "";
    const job = jobs.get(jobId);
    if (ends[0] === "forgotten") ends.shift();
    else if (job !== undefined) return say(200, { jobStatus: await status(jobId, job) });
    return say(400, { error: "InvalidRequest", message: "job not found" });
  });
  await once(service.listen(0, "127.0.0.1"), "listening");
  const opened: VideoService = {
    url: `https://localhost:${(service.address() as AddressInfo).port}`,
    uploads,
    ends,
    refusals,
    onAsked: () => {},
    async [Symbol.asyncDispose]() {
      service.closeAllConnections();
      await once(service.close(), "close");
    },
  };
  return opened;
}
