// Runs forwarding with clips of errors, which a test saves and deletes.
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ForwardKind, ForwardTarget } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { ForwardingDeps } from "../../src/monitor/forwarding/forwarding.ts";
import type { ErrorClip, FitClip } from "../../src/monitor/forwarding/video-queue.ts";
import { type ForwardFolder, openForwardFolder } from "./forwarding-folder.ts";
import type { Received } from "./forwarding-server.ts";
import { reportWith } from "./monitor-folder.ts";

const files = mkdtempSync(join(tmpdir(), "kit-videos-"));
process.once("exit", () => rmSync(files, { recursive: true }));

export type VideoFolder = ForwardFolder & {
  readonly id: string;
  /** The clips of events, as recording tells of them. */
  readonly clips: Map<string, ErrorClip>;
  /** Reports an error, and waits until the server has confirmed it. Returns its event. */
  report(text: string): Promise<string>;
  /** Saves a clip of an event with this many bytes. */
  save(event: string, bytes?: number): void;
  videos(expected: (videos: NonNullable<ForwardTarget["videoQueue"]>) => boolean): Promise<ForwardTarget["videoQueue"]>;
  uploads(): Received[];
};

type VideoFolderOptions = {
  readonly deps?: Partial<ForwardingDeps>;
  readonly kind?: ForwardKind;
  /** What else is changed when videos are switched on. */
  readonly change?: Parameters<ForwardFolder["change"]>[1];
  readonly beforeWrite?: () => void;
};

export async function openVideoFolder(options: VideoFolderOptions = {}): Promise<VideoFolder> {
  const { deps = {}, kind = "sentry", change = {}, beforeWrite } = options;
  const clips = new Map<string, ErrorClip>();
  const fitClip: FitClip = async ({ path, bytes }, { bytesMax }) => {
    if (bytes === 0) throw new Error("It is damaged");
    if (bytes <= bytesMax) return { path, bytes };
    const copy = `${path}.${bytesMax}`;
    writeFileSync(copy, Buffer.alloc(bytesMax, "s"));
    return { path: copy, bytes: bytesMax };
  };
  const none: ErrorClip = { state: "none", reason: message("footage.not_requested") };
  const folder = await openForwardFolder(
    { clipOf: async (event) => clips.get(event) ?? none, fitClip, ...deps },
    beforeWrite,
  );
  const address = kind === "sentry" ? folder.dsn : `http://127.0.0.1:${folder.server.port}`;
  const { id } = await folder.add({ kind, address, game: null });
  await folder.change(id, { videos: true, ...change });
  return {
    ...folder,
    id,
    clips,
    async report(text) {
      const entry = reportWith(text);
      const { delivered } = await folder.target();
      await folder.take([entry]);
      await folder.target((target) => target.delivered > delivered);
      return entry.event.id;
    },
    save(event, bytes = 1_000) {
      const path = join(files, `${event}.mp4`);
      writeFileSync(path, event);
      truncateSync(path, bytes);
      clips.set(event, { state: "saved", id: event, path, kind: "clip", bytes, seconds: 5, width: 64, height: 36 });
      folder.clipsChanged();
    },
    async videos(expected) {
      const { videoQueue } = await folder.target(({ videoQueue: queue }) => queue !== null && expected(queue));
      return videoQueue;
    },
    uploads: () => folder.server.received.filter(({ video }) => video !== undefined),
  };
}

/** Like `folder.videos`, but skips the waits after failures. */
export const videosAfterWaits = (folder: VideoFolder, expected: Parameters<VideoFolder["videos"]>[0]) =>
  folder.videos((videos) => {
    if (expected(videos)) return true;
    const waitMs = Date.parse(videos.waitsUntil ?? "") - Date.now() - folder.clock.ms;
    if (waitMs > 0) folder.clock.ms += waitMs + 1;
    folder.clipsChanged();
    return false;
  });
