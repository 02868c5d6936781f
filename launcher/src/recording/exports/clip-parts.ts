// Files that posts are made of: a part of a clip, cut without encoding if possible, and the frame at one of its seconds. Each is made
// once and found again by its name.
import { rm, stat, writeFile } from "node:fs/promises";
import { KitError, type PostPart } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { createSerialQueue } from "../../async.ts";
import { pictureArguments, readPicture } from "../clips/clip-files.ts";
import type { StoredClip } from "../clips/clip-row.ts";
import type { ClipStore } from "../clips/clip-store.ts";
import { replaceFile, syncFile } from "../clips/file-names.ts";
import type { ClipLibrary } from "../clips/library.ts";
import { VerifyFailed } from "../clips/verify.ts";
import { noFfmpegMessage } from "../ffmpeg/find.ts";
import { FfmpegFailed } from "../ffmpeg/run.ts";
import { BrokenStream } from "../mp4/broken-stream.ts";
import { encodeOptions, encodeRange, planTrim } from "../trim/trim.ts";
import { type CopyPaths, openCopyFolder } from "./copy-folder.ts";
import { type EncodingFfmpeg, type MediaFacts, measureClip } from "./encode.ts";

type ClipPart = Pick<MediaFacts, "bytes" | "seconds" | "width" | "height"> & { readonly path: string };

type ClipPartsDeps = {
  /** Folder of the files; absolute. */
  readonly dir: string;
  readonly ffmpeg: () => Promise<EncodingFfmpeg | undefined>;
  readonly store: Pick<ClipStore, "find">;
  readonly library: Pick<ClipLibrary, "get" | "prepareCut">;
};

export type ClipParts = {
  /** Throws KitError not_found if the clip has no file, VerifyFailed, FfmpegFailed, the signal's reason, or a file system error. */
  video(clip: string, part: PostPart, signal: AbortSignal): Promise<ClipPart>;
  /** Returns the path of a JPEG. Throws the same. */
  picture(clip: string, atSeconds: number, signal: AbortSignal): Promise<string>;
};

const pictureBytesMax = 16 * 1024 * 1024;
/** How far the length of a cut may be from the wanted one: a few frames. */
const secondsOffMax = 0.5;

export function createClipParts({ dir, ffmpeg, store, library }: ClipPartsDeps): ClipParts {
  const folder = openCopyFolder(dir);
  /** Two requests for one file would write the same partial file. */
  const serialize = createSerialQueue();

  const findProgram = async (): Promise<EncodingFfmpeg> => {
    const found = await ffmpeg();
    if (found === undefined) throw new FfmpegFailed(noFfmpegMessage());
    return found;
  };
  const findSource = async (id: string): Promise<StoredClip> => {
    // `get` also looks for the file.
    const clip = await library.get(id);
    const stored = await store.find(id);
    if (stored === undefined || clip.path === null || clip.missing)
      throw new KitError("not_found", message("clip.has_no", { id, what: "video" }));
    return { ...stored, clip };
  };
  /** The size is part of the name, because a person may replace the file of a clip. */
  const nameOf = ({ clip: { id, bytes } }: StoredClip, ...numbers: readonly number[]) =>
    [id, bytes, ...numbers.map((seconds) => Math.round(seconds * 1_000))].join("-");

  /** Measures a part; throws VerifyFailed if it has another length. */
  const measure = async (program: EncodingFfmpeg, path: string, { fromSeconds, toSeconds }: PostPart) => {
    const facts = await measureClip(program, path);
    const seconds = toSeconds - fromSeconds;
    if (Math.abs(facts.seconds - seconds) <= secondsOffMax) return facts;
    const lengths = { seconds: facts.seconds.toFixed(1), wanted: seconds.toFixed(1) };
    throw new VerifyFailed(message("file.wrong_length", lengths));
  };
  const cutVideo = async (source: StoredClip, range: PostPart, partial: string, signal: AbortSignal) => {
    const program = await findProgram();
    const plan = planTrim(source, range, source.clip.id);
    await library.prepareCut();
    try {
      // Loaded with the first cut, because the MP4 code that it imports takes memory.
      const { copyTrim } = await import("../trim/copy-trim.ts");
      await copyTrim(source, plan, partial, signal);
      return await measure(program, partial, range);
    } catch (error) {
      // A person may have replaced the clip's file. If its frames cannot be copied, they are re-encoded.
      if (!(error instanceof BrokenStream || error instanceof VerifyFailed)) throw error;
      await encodeRange(program, encodeOptions(source, plan, partial), signal);
      return measure(program, partial, range);
    }
  };
  /** Makes the file unless it exists. The partial file is renamed once it is complete and synced. */
  const makeOnce = async <Made>(
    { path, part: partial }: CopyPaths,
    existing: () => Promise<Made>,
    make: (partial: string) => Promise<Made>,
  ): Promise<Made> => {
    const found = await existing().catch(() => undefined);
    if (found !== undefined) {
      await folder.touch(path);
      return found;
    }
    await folder.create();
    try {
      const made = await make(partial);
      await syncFile(partial);
      await replaceFile(partial, path);
      await folder.prune();
      return made;
    } finally {
      await rm(partial, { force: true });
    }
  };

  const video = async (id: string, range: PostPart, signal: AbortSignal): Promise<ClipPart> => {
    const source = await findSource(id);
    const paths = folder.pathsFor(nameOf(source, range.fromSeconds, range.toSeconds), "mp4");
    const { bytes, seconds, width, height } = await makeOnce(
      paths,
      async () => measure(await findProgram(), paths.path, range),
      (partial) => cutVideo(source, range, partial, signal),
    );
    return { path: paths.path, bytes, seconds, width, height };
  };
  const picture = async (id: string, atSeconds: number, signal: AbortSignal): Promise<string> => {
    const source = await findSource(id);
    const paths = folder.pathsFor(nameOf(source, atSeconds), "jpg");
    const frameAt = async (seconds: number) => {
      const look = { scale: "min(iw\\,1280):-2", quality: 3 };
      const args = pictureArguments(String(source.clip.path), seconds * 1_000, look);
      const job = { outBytesMax: pictureBytesMax, signal };
      return readPicture(await findProgram(), args, job);
    };
    const existing = async () => (await stat(paths.path)).size;
    await makeOnce(paths, existing, async (partial) => {
      const frame = await frameAt(atSeconds);
      // After the last frame, ffmpeg finds none.
      const image = frame.length > 0 ? frame : await frameAt(Math.max(0, source.clip.duration - 0.2));
      if (image.length === 0) throw new VerifyFailed(message("file.no_frame_at_time"));
      await writeFile(partial, image, { mode: 0o600 });
      return image.length;
    });
    return paths.path;
  };
  return {
    video: (id, range, signal) => serialize(() => video(id, range, signal)),
    picture: (id, atSeconds, signal) => serialize(() => picture(id, atSeconds, signal)),
  };
}
