// Uploads the clip of an error to a bucket, in parts that survive a restart, then sends the report once more with a link to it.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { message } from "@kit/contract/messages";
import type { SendAnswer } from "../../outbox/index.ts";
import type { Statement } from "../../storage/sql.ts";
import { type Bucket, BucketRefusal, type Content, contentOf, type FileLink, putFile } from "./bucket.ts";
import type { OutgoingVideo, VideoSender } from "./video-sender.ts";
import {
  type AbandonedUpload,
  abandonUploads,
  type BegunUpload,
  beginUpload,
  forgetUpload,
  recordAbortFailed,
  recordParts,
  type UploadStore,
} from "./video-store.ts";

/** A larger copy is not uploaded. Clips are far smaller. */
const uploadBytesMax = 200_000_000;
/** Size of the parts of a larger file. Stores take parts from 5 MiB on. */
export const uploadPartBytes = 8 * 1024 * 1024;

type Write = (...statements: Statement[]) => Promise<void>;
export type UploaderDeps = {
  readonly bucket: Bucket;
  readonly store: UploadStore;
  readonly write: Write;
  readonly partBytes: number;
  /** Sends the report once more, with a link to its video. Rejects if no answer arrives. */
  readonly sendLink: (
    video: OutgoingVideo["video"],
    link: FileLink & { readonly object: string },
    signal: AbortSignal,
  ) => Promise<SendAnswer>;
  readonly close: () => void;
};

type Part = { readonly start: number; readonly bytes: number; readonly sha256: string };

/** Reads a file once, for the hashes of the whole and of its parts. */
async function readParts(path: string, partBytes: number, signal: AbortSignal) {
  const whole = createHash("sha256");
  const parts: Part[] = [];
  let bytes = 0;
  for (;;) {
    const part = createHash("sha256");
    const start = bytes;
    for await (const chunk of createReadStream(path, { start, end: start + partBytes - 1, signal })) {
      whole.update(chunk);
      part.update(chunk);
      bytes += chunk.length;
    }
    if (bytes > start) parts.push({ start, bytes: bytes - start, sha256: part.digest("hex") });
    if (bytes < start + partBytes) return { bytes, parts, sha256: whole.digest("hex") };
  }
}

const partOf = (path: string, { start, bytes, sha256 }: Part): Content => ({
  bytes,
  sha256,
  read: () => createReadStream(path, { start, end: start + bytes - 1 }),
});

const notAStore = (status: number) =>
  new BucketRefusal("", { outcome: "later", says: message("bucket.not_a_store", { status }), notBeforeMs: null });

export function createVideoUploader({ bucket, store, write, partBytes, sendLink, close }: UploaderDeps): VideoSender {
  const begin = async (seq: number, key: string, signal: AbortSignal): Promise<BegunUpload> => {
    const content = { ...contentOf(""), type: "video/mp4" };
    const { text, status } = await bucket.send("POST", key, { query: { uploads: "" }, content, signal });
    const uploadId = /<UploadId>([^<]{1,2000})<\/UploadId>/.exec(text)?.[1];
    if (uploadId === undefined) throw notAStore(status);
    const begun = { key, uploadId, partBytes, etags: [] };
    // It is stored before the first part is sent, so only an upload without parts can be forgotten.
    await write(beginUpload(seq, begun));
    return begun;
  };
  const sendParts = async (begun: BegunUpload, parts: readonly Part[], { path, signal, onSent }: OutgoingVideo) => {
    const { key, uploadId } = begun;
    const etags = [...begun.etags];
    for (const [n, part] of [...parts.entries()].slice(etags.length)) {
      const query = { partNumber: String(n + 1), uploadId };
      etags.push(await putFile(bucket, key, { query, content: partOf(path, part), signal, onSent }));
      await write(recordParts(uploadId, etags));
    }
    const list = etags.map((tag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${tag}</ETag></Part>`).join("");
    const content = contentOf(`<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`, "application/xml");
    const { text, status } = await bucket.send("POST", key, { query: { uploadId }, content, signal });
    if (!text.includes("CompleteMultipartUploadResult")) throw notAStore(status);
    await write(forgetUpload(uploadId));
  };
  /** Continues an upload, or begins one. Begins again if the store does not know it any more. */
  const sendInParts = async (key: string, parts: readonly Part[], video: OutgoingVideo) => {
    const { seq, failingMs } = video.video;
    const kept = await store.begun(seq, key);
    const isUsable = kept?.partBytes === partBytes && kept.etags.length <= parts.length;
    if (isUsable) {
      try {
        return await sendParts(kept, parts, video);
      } catch (error) {
        if (!(error instanceof BucketRefusal) || error.code !== "NoSuchUpload") throw error;
        await write(forgetUpload(kept.uploadId));
      }
    }
    // The answer to an earlier beginning may be lost, so that Kit does not know that upload.
    const unknown = failingMs === null ? [] : await bucket.uploadsOf(key, video.signal);
    for (const uploadId of unknown)
      await bucket.send("DELETE", key, { query: { uploadId }, signal: video.signal }).catch(() => undefined);
    await sendParts(await begin(seq, key, video.signal), parts, video);
  };
  const upload = async (video: OutgoingVideo): Promise<string> => {
    const { path, signal, onSent } = video;
    const { bytes, sha256, parts } = await readParts(path, partBytes, signal);
    const key = `${sha256}.mp4`;
    await write(abandonUploads(video.video.seq, key));
    if (await bucket.has(key, bytes, signal)) return key;
    const [first] = parts;
    if (parts.length > 1) await sendInParts(key, parts, video);
    else if (first !== undefined)
      await putFile(bucket, key, { content: { ...partOf(path, first), type: "video/mp4" }, signal, onSent });
    return key;
  };
  return {
    bytesMax: uploadBytesMax,
    countsDropped: false,
    close() {
      bucket.close();
      close();
    },
    async send(video) {
      try {
        const key = await upload(video);
        const link = { ...(await bucket.linkTo(key, video.signal)), object: bucket.place + key };
        return await sendLink(video.video, link, video.signal);
      } catch (error) {
        if (error instanceof BucketRefusal) return error.answer;
        throw error;
      }
    },
  };
}

/** Aborts uploads that are not needed any more. Returns whether none is left. */
export async function abortUploads(
  uploads: readonly AbandonedUpload[],
  bucket: Bucket | undefined,
  write: Write,
  signal: AbortSignal,
): Promise<boolean> {
  let isDone = true;
  for (const upload of uploads) {
    const { key, uploadId } = upload;
    const failed = await bucket?.send("DELETE", key, { query: { uploadId }, signal }).then(
      () => undefined,
      (error: unknown) => error,
    );
    const isGone = failed === undefined || (failed instanceof BucketRefusal && /^NoSuch/.test(failed.code));
    isDone &&= isGone;
    await write(...(isGone ? [forgetUpload(uploadId)] : recordAbortFailed(upload)));
  }
  return isDone;
}
