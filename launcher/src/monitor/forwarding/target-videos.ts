// Makes the sender of a target's videos: as attachments, or to its bucket with a link in a message of its own.
import { createHash } from "node:crypto";
import type { ForwardKind } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { CredentialsMissing, type SendAnswer } from "../../outbox/index.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Bucket } from "./bucket.ts";
import { recordSentRequest, type TargetStore } from "./forwarding-store.ts";
import {
  nothingDropped,
  type OutgoingReport,
  type QueuedReport,
  type Sender,
  type SendResult,
  type TargetCredentials,
} from "./report.ts";
import { openTargetBucket, type TargetSecrets } from "./target-bucket.ts";
import { readTargetCredentials } from "./targets.ts";
import { createVideoSender, type VideoSender } from "./video-sender.ts";
import { createUploadStore, createVideoStore } from "./video-store.ts";
import { createVideoUploader, type UploaderDeps } from "./video-upload.ts";

type TargetVideosDeps = {
  readonly storage: Pick<Storage, "read" | "write">;
  readonly secrets: TargetSecrets;
  readonly store: TargetStore;
  readonly now: () => number;
  readonly partBytes: number;
  readonly createSender: (kind: ForwardKind, access: TargetCredentials, target: string) => Promise<Sender>;
  readonly prepareReport: (report: QueuedReport, target: string, kind: ForwardKind) => Promise<OutgoingReport>;
};

/** What the answer to a message with a link means. */
function linkAnswer({ verdict, status, notBeforeMs }: SendResult): SendAnswer {
  if (status === 400) return { outcome: "refused", says: message("video.refused", { status }) };
  if (verdict.outcome === "sent" && verdict.rejected > 0)
    return { outcome: "refused", says: verdict.says ?? message("video.refused", { status: status ?? "" }) };
  if (verdict.outcome !== "sent") return { ...verdict, notBeforeMs };
  return { outcome: "sent", restUntilMs: null };
}

/** What is shown of a message cannot be used to open its link. */
const withoutSignature = (body: string) => body.replaceAll(/(X-Amz-Signature=)[0-9a-f]+/g, "$1<left out>");

export function createTargetVideos(deps: TargetVideosDeps) {
  const { storage, secrets, store, now, partBytes, createSender, prepareReport } = deps;
  const videos = createVideoStore(storage);
  const targetOf = async (id: string) => (await store.all()).find((each) => each.id === id);

  return {
    /** Resolves to undefined if the target has no bucket. */
    async openBucket(id: string): Promise<Bucket | undefined> {
      const target = await targetOf(id);
      return target && openTargetBucket(secrets, target, now);
    },
    /** Resolves to undefined if the target has no stored credentials. */
    async createSender(id: string): Promise<VideoSender | undefined> {
      const target = await targetOf(id);
      const access = await readTargetCredentials(secrets, store, id);
      if (target === undefined || access === undefined) return undefined;
      const { kind } = target;
      const bucket = await openTargetBucket(secrets, target, now);
      if (bucket === undefined && kind === "sentry") return createVideoSender(access, now);
      if (bucket === undefined) throw new CredentialsMissing(message("bucket.no_keys"));
      const sender = await createSender(kind, access, id);
      const sendLink: UploaderDeps["sendLink"] = async ({ seq, event }, { url, expiresMs, object }, signal) => {
        // The same in every attempt, so that the server drops a repeat.
        const messageId = createHash("sha256").update(`video ${event}`).digest("hex").slice(0, 32);
        const report = await videos.reportOf(seq, messageId);
        if (report === undefined) return { outcome: "refused", says: message("video.switched_off") };
        const prepared = await prepareReport(report, id, kind);
        const expires = new Date(expiresMs).toISOString();
        const video = { url, expires, object, event: kind === "sentry" ? event.replaceAll("-", "") : event };
        const bodies: string[] = [];
        let answer: SendAnswer | undefined;
        try {
          const onLeaves = (body: string) => void bodies.push(withoutSignature(body));
          answer = linkAnswer(await sender.send([{ ...prepared, video }], nothingDropped, signal, onLeaves));
          return answer;
        } finally {
          const counts = { games: [report.game], messages: 1, reports: 0, accepted: answer?.outcome === "sent" };
          if (bodies.length > 0)
            await storage.write(...recordSentRequest(id, { body: bodies.join("\n"), ...counts }, now()));
        }
      };
      const uploads = createUploadStore(storage);
      return createVideoUploader({
        bucket,
        store: uploads,
        write: storage.write,
        partBytes,
        close: sender.close,
        sendLink,
      });
    },
  };
}
