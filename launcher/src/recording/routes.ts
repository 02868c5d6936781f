// HTTP routes of recording: recorder, rules, clips, exports and media files.

import {
  attachmentHeader,
  type Clip,
  cancelClipExport,
  cancelReel,
  changeClip,
  changeRecorder,
  changeRecordingRule,
  copyClipFiles,
  deleteClip,
  expectGame,
  exportClip,
  getClip,
  getClipExportFile,
  getClipFrame,
  getClipPoster,
  getClipPreview,
  getClipVideo,
  getFfmpegInstall,
  getRecorder,
  installFfmpeg,
  KitError,
  listClipExports,
  listClips,
  listClipTags,
  listRecorderSources,
  listRecordingRules,
  makeReel,
  markMoment,
  planCleanup,
  previewRecordingRule,
  type RecorderReport,
  type ReplyOf,
  resetRecordingRule,
  restoreClip,
  revealClip,
  saveRecording,
  type TestRecording,
  testRecorder,
  trimClip,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type Route, route } from "../http/route.ts";
import { sendMedia } from "../http/send-media.ts";
import type { PictureKind } from "./clips/clip-files.ts";
import type { Clipboard } from "./clips/clipboard.ts";
import type { ClipLibrary, MediaFile } from "./clips/library.ts";
import type { RevealClip } from "./clips/reveal.ts";
import type { Exports } from "./exports/exports.ts";
import type { Frames } from "./exports/frame.ts";
import type { FfmpegInstaller } from "./ffmpeg/install.ts";
import type { ClipPictures } from "./jobs/pictures.ts";
import type { PreviewRule } from "./plans/rule-preview.ts";
import type { RecordingRules } from "./plans/rules.ts";
import type { Reels } from "./reels/reels.ts";
import type { StoredRecorderSettings } from "./settings/settings.ts";
import type { Trimmer } from "./trim/trim.ts";

const defaultLimit = 50;

export type RecordingRouteDeps = {
  readonly report: () => Promise<RecorderReport>;
  readonly sources: () => Promise<ReplyOf<typeof listRecorderSources>>;
  readonly testClip: () => Promise<TestRecording>;
  readonly ffmpegInstaller: FfmpegInstaller;
  readonly saveLast: (seconds?: number) => Promise<Clip>;
  readonly mark: () => Promise<Clip>;
  readonly expectGame: () => Promise<void>;
  readonly settings: StoredRecorderSettings;
  readonly rules: RecordingRules;
  readonly preview: PreviewRule;
  readonly library: ClipLibrary;
  readonly pictures: Pick<ClipPictures, "requestMissing">;
  readonly trim: Trimmer;
  readonly reels: Reels;
  readonly exports: Exports;
  readonly reveal: RevealClip;
  readonly readFrame: Frames;
  readonly clipboard: Pick<Clipboard, "copy">;
};

export function recordingRoutes(needs: RecordingRouteDeps): readonly Route[] {
  const { report, testClip, settings, rules, library, pictures, trim, reels, exports, reveal, clipboard, readFrame } =
    needs;
  const mediaOf = async (id: string, what: "video" | PictureKind): Promise<MediaFile> => {
    const media = await library.mediaFile(id, what);
    if (media === undefined) throw new KitError("not_found", message("clip.has_no", { id, what }));
    return media;
  };
  return [
    route(getClipVideo, async ({ params, query }, reply) => {
      const { downloadName, ...file } = await mediaOf(params.id, "video");
      return sendMedia(reply, query.download ? { ...file, saveAs: downloadName } : file);
    }),
    route(getClipPoster, async ({ params, query }, reply) =>
      sendMedia(reply, await mediaOf(params.id, query.small ? "thumbnail" : "poster")),
    ),
    route(getClipPreview, async ({ params }, reply) => sendMedia(reply, await mediaOf(params.id, "preview"))),
    route(getClipFrame, async ({ params, query }, reply) => {
      const { png, saveAs } = await readFrame(params.id, query.at);
      reply.header("content-type", "image/png").header("content-disposition", attachmentHeader(saveAs));
      reply.send(png);
    }),
    route(getRecorder, report),
    route(changeRecorder, async ({ body }) => {
      await settings.change(body);
      return report();
    }),
    route(listRecorderSources, needs.sources),
    route(testRecorder, testClip),
    route(expectGame, needs.expectGame),
    route(getFfmpegInstall, needs.ffmpegInstaller.report),
    route(installFfmpeg, needs.ffmpegInstaller.start),
    route(saveRecording, ({ body }) => needs.saveLast(body.seconds)),
    route(markMoment, needs.mark),
    route(listRecordingRules, () => ({ rules: rules.list() })),
    route(changeRecordingRule, ({ body: { eventId, ...change } }) => rules.change(eventId, change)),
    route(previewRecordingRule, ({ body: { eventId, ...change } }) => needs.preview(eventId, change)),
    route(resetRecordingRule, ({ query }) => rules.reset(query.eventId)),
    route(listClips, async ({ query: { limit = defaultLimit, before = null, ...filter } }) => {
      const page = await library.list(filter, before, limit);
      pictures.requestMissing(page.clips);
      return page;
    }),
    route(listClipTags, async () => ({ tags: await library.tags() })),
    route(trimClip, ({ params, body }) => trim.trim(params.id, body)),
    route(makeReel, ({ body }) => reels.make(body)),
    route(cancelReel, ({ params }) => reels.cancel(params.id)),
    route(copyClipFiles, ({ body }) => clipboard.copy(body.clips)),
    route(revealClip, ({ params }) => reveal(params.id)),
    route(listClipExports, async ({ query }) => ({ exports: await exports.list(query.clip) })),
    route(exportClip, ({ body }) => exports.export(body)),
    route(cancelClipExport, ({ params }) => exports.cancel(params.id)),
    route(getClipExportFile, async ({ params }, reply) => sendMedia(reply, await exports.file(params.id))),
    route(getClip, async ({ params }) => {
      const clip = await library.get(params.id);
      pictures.requestMissing([clip]);
      return clip;
    }),
    route(changeClip, ({ params, body }) => library.change(params.id, body)),
    route(deleteClip, ({ params, query }) =>
      query.forever === true ? library.deleteForever(params.id) : library.moveToTrash(params.id),
    ),
    route(restoreClip, ({ params }) => library.restore(params.id)),
    route(planCleanup, ({ query }) => library.planCleanup(query)),
  ];
}
