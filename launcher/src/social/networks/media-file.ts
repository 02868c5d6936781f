// Opens a media file for a request. The file is read from disk while it is sent; its length is known, and its progress is
// reported.
import { openAsBlob } from "node:fs";
import type { PostMedia } from "./network.ts";

/** Reports progress while its `stream()` is read. `fetch` reads it that way both as a body and inside a form. */
class SeenFile extends File {
  readonly #onProgress: (share: number) => void;

  constructor(parts: Blob[], name: string, type: string, onProgress: (share: number) => void) {
    super(parts, name, { type });
    this.#onProgress = onProgress;
  }

  override stream(): ReturnType<File["stream"]> {
    let sent = 0;
    const count = new TransformStream({
      transform: (chunk: Uint8Array<ArrayBuffer>, controller) => {
        controller.enqueue(chunk);
        sent += chunk.length;
        this.#onProgress(Math.min(1, sent / this.size));
      },
    });
    return super.stream().pipeThrough(count) as ReturnType<File["stream"]>;
  }
}

/** Opens the file. While it is read, calls `onProgress` with the share that was read, from 0 to 1. */
export async function openMediaFile(
  media: PostMedia,
  name: string,
  onProgress: (share: number) => void,
): Promise<File> {
  const ending = media.mime === "video/mp4" ? "mp4" : "jpg";
  return new SeenFile([await openAsBlob(media.path)], `${name}.${ending}`, media.mime, onProgress);
}
