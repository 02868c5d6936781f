// The clips, copies and recorder of a launcher for component tests. They change as the page requests it; filters and orders are the test's to check.
import {
  type Clip,
  type ClipExport,
  cancelClipExport,
  cancelReel,
  changeClip,
  changeRecorder,
  copyClipFiles,
  deleteClip,
  exportClip,
  getClip,
  getRecorder,
  KitError,
  listClipExports,
  listClips,
  listClipTags,
  listRecordingRules,
  makeReel,
  type RecorderReport,
  type RecordingRule,
  restoreClip,
  revealClip,
  trimClip,
} from "@kit/contract";
import { clipOf, exportOf, reportOf } from "../clip-samples.ts";
import { createFakeLauncher, type FakeLauncher } from "./fake-launcher.ts";

/** What the launcher has. A test may change all of it at any time. */
export type Kept = { clips: Clip[]; exports: ClipExport[]; report: RecorderReport; rules: RecordingRule[] };

const inWork = { state: "pending", stage: "cutting", duration: 0, path: null, poster: false, preview: false } as const;

/** Trims and reels stay in work until a test changes them. */
function answerMaking(launcher: FakeLauncher, kept: Kept, clipWith: (id: string) => Clip): void {
  const add = (made: Clip) => {
    kept.clips = [made, ...kept.clips];
    return made;
  };
  launcher.when(trimClip).reply(({ params: { id }, body }) => {
    const of = clipWith(id);
    return add(clipOf(900, { ...inWork, title: body.title ?? of.title, trimmedFrom: of.id }));
  });
  launcher
    .when(makeReel)
    .reply(({ body: { title = "" } }) =>
      add(clipOf(901, { ...inWork, title, progress: { share: 0.4, secondsLeft: 12 }, parts: [] })),
    );
  launcher.when(cancelReel).reply(({ params: { id } }) => {
    kept.clips = kept.clips.filter((clip) => clip.id !== id);
  });
  launcher.when(listClipExports).reply(({ query }) => ({
    exports: kept.exports.filter(({ clip }) => query.clip === undefined || clip === query.clip),
  }));
  launcher.when(exportClip).reply(({ body: { clip, ...asked } }) => {
    const made = exportOf(kept.exports.length + 1, { clip, preset: null, progress: 0, ...asked });
    kept.exports = [made, ...kept.exports];
    return made;
  });
  launcher.when(cancelClipExport).reply(({ params: { id } }) => {
    kept.exports = kept.exports.filter((made) => made.id !== id);
  });
}

function answerRecorder(launcher: FakeLauncher, kept: Kept): void {
  launcher.when(getRecorder).reply(() => kept.report);
  launcher.when(changeRecorder).reply(({ body: { obsPassword, ...settings } }) => {
    const { report } = kept;
    const obsPasswordSet = obsPassword === undefined ? report.obsPasswordSet : obsPassword !== null;
    kept.report = { ...report, settings: { ...report.settings, ...settings }, obsPasswordSet };
    return kept.report;
  });
  launcher.when(listRecordingRules).reply(() => ({ rules: kept.rules }));
}

export function launcherWithClips(given: Partial<Kept> = {}): { readonly launcher: FakeLauncher; readonly kept: Kept } {
  const launcher = createFakeLauncher();
  const kept: Kept = { clips: [], exports: [], report: reportOf(), rules: [], ...given };
  const clipWith = (id: string) => {
    const found = kept.clips.find((clip) => clip.id === id);
    if (found === undefined) throw new KitError("not_found", "There is no such clip.");
    return found;
  };
  const change = (id: string, members: Partial<Clip>) => {
    const changed = { ...clipWith(id), ...members };
    kept.clips = kept.clips.map((clip) => (clip.id === id ? changed : clip));
    return changed;
  };
  launcher.when(listClips).reply(({ query: { bin = false, sort } }) => ({
    clips: kept.clips
      .filter(({ deletedAt }) => (deletedAt !== null) === bin)
      .toSorted((a, b) => (sort === "best" ? b.priority - a.priority : 0)),
    more: false,
    bytes: kept.clips.reduce((sum, clip) => sum + clip.bytes, 0),
    quotaBytes: kept.report.settings.quotaBytes,
  }));
  launcher.when(getClip).reply(({ params: { id } }) => clipWith(id));
  launcher.when(changeClip).reply(({ params: { id }, body }) => change(id, body));
  launcher.when(deleteClip).reply(({ params: { id } }) => {
    if (clipWith(id).deletedAt === null) change(id, { deletedAt: new Date().toISOString() });
    else kept.clips = kept.clips.filter((clip) => clip.id !== id);
  });
  launcher.when(restoreClip).reply(({ params: { id } }) => change(id, { deletedAt: null }));
  launcher.when(listClipTags).reply(() => {
    const tags = [...new Set(kept.clips.flatMap((clip) => clip.tags))].toSorted();
    return { tags: tags.map((tag) => ({ tag, clips: kept.clips.filter((clip) => clip.tags.includes(tag)).length })) };
  });
  launcher.when(revealClip).reply(() => undefined);
  launcher.when(copyClipFiles).reply(() => undefined);
  answerMaking(launcher, kept, clipWith);
  answerRecorder(launcher, kept);
  return { launcher, kept };
}
