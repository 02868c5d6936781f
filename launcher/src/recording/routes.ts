// The recorder, its rules, the clips and their files over the wire.
import {
  changeClip,
  changeRecorder,
  changeRecordingRule,
  deleteClip,
  getClip,
  getClipPoster,
  getClipPreview,
  getClipVideo,
  getRecorder,
  KitError,
  listClips,
  listRecordingRules,
  planCleanup,
  type RecorderReport,
  resetRecordingRule,
  restoreClip,
  type TestRecording,
  testRecorder,
} from "@kit/contract";
import { type Route, route } from "../http/route.ts";
import { sendMedia } from "../http/send-media.ts";
import type { Library, Media } from "./clips/library.ts";
import type { Rules } from "./moments/rules.ts";
import type { Settings } from "./settings/settings.ts";

const defaultLimit = 50;

export type RecordingRouteNeeds = {
  readonly report: () => Promise<RecorderReport>;
  readonly testClip: () => Promise<TestRecording>;
  readonly settings: Settings;
  readonly rules: Rules;
  readonly library: Library;
};

export function recordingRoutes({ report, testClip, settings, rules, library }: RecordingRouteNeeds): readonly Route[] {
  const mediaOf = async (id: string, what: "video" | "poster" | "preview"): Promise<Media> => {
    const media = await library.media(id, what);
    if (media === undefined) throw new KitError("not_found", `There is no ${what} of a clip ${id}.`);
    return media;
  };
  return [
    route(getClipVideo, async ({ params, query }, reply) => {
      const { downloadName, ...file } = await mediaOf(params.id, "video");
      return sendMedia(reply, query.download ? { ...file, saveAs: downloadName } : file);
    }),
    route(getClipPoster, async ({ params }, reply) => sendMedia(reply, await mediaOf(params.id, "poster"))),
    route(getClipPreview, async ({ params }, reply) => sendMedia(reply, await mediaOf(params.id, "preview"))),
    route(getRecorder, report),
    route(changeRecorder, async ({ body }) => {
      await settings.change(body);
      return report();
    }),
    route(testRecorder, testClip),
    route(listRecordingRules, () => ({ rules: rules.list() })),
    route(changeRecordingRule, ({ body: { eventId, ...change } }) => rules.change(eventId, change)),
    route(resetRecordingRule, ({ query }) => rules.reset(query.eventId)),
    route(listClips, ({ query: { limit = defaultLimit, before = null, ...filter } }) =>
      library.list(filter, before, limit),
    ),
    route(getClip, ({ params }) => library.get(params.id)),
    route(changeClip, ({ params, body }) => library.change(params.id, body)),
    route(deleteClip, ({ params, query }) =>
      query.forever === true ? library.removeForever(params.id) : library.remove(params.id),
    ),
    route(restoreClip, ({ params }) => library.restore(params.id)),
    route(planCleanup, ({ query }) => library.cleanup(query.quotaBytes)),
  ];
}
