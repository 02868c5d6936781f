// Answers the page's requests about clips and the recorder in place of the launcher, so that a test decides what exists.
import type {
  Clip,
  ClipExport,
  ClipSort,
  listRecorderSources,
  RecorderReport,
  RecordingRule,
  ReplyOf,
  TestRecording,
} from "@kit/contract";
import type { Page, Route } from "playwright-core";
import { answerMedia } from "./clip-media.ts";
import { clipOf, exportOf, reportOf } from "./clip-samples.ts";

/** The answers to the page, and the changes that it requested. A test may change all of it at any time. */
export type Answers = {
  clips: Clip[];
  exports: ClipExport[];
  report: RecorderReport;
  rules: RecordingRule[];
  test: TestRecording;
  sources: ReplyOf<typeof listRecorderSources>;
  /** The clips that a test recording adds. */
  recorded: Clip[];
  cleanup: { clip: Clip; why: string }[];
  /** The requests for changes, in order, as `PUT /api/recorder {"when":"always"}`. */
  readonly changes: string[];
  /** Refuses the next change with this sentence. */
  refuseWith: string | undefined;
};

const problem = (status: number, code: string, detail: string) => ({
  status,
  contentType: "application/problem+json",
  body: JSON.stringify({ type: `urn:kit:problem:${code}`, title: detail, status, detail, errors: [] }),
});

const sorts: Record<ClipSort, (a: Clip, b: Clip) => number> = {
  newest: () => 0,
  longest: (a, b) => b.duration - a.duration,
  largest: (a, b) => b.bytes - a.bytes,
  best: (a, b) => Number(b.pinned) - Number(a.pinned) || b.priority - a.priority,
  title: (a, b) => a.title.localeCompare(b.title),
};

const searchableText = (clip: Clip) =>
  [clip.title, ...clip.tags, ...clip.events.map(({ label }) => label)].join(" ").toLowerCase();

function matchesQuery(clip: Clip, query: URLSearchParams): boolean {
  const words = (query.get("text") ?? "").toLowerCase().split(/\s+/u);
  return (
    (clip.deletedAt !== null) === (query.get("bin") === "true") &&
    (query.get("kind") ?? clip.kind) === clip.kind &&
    (query.get("subject") ?? clip.subject) === clip.subject &&
    (query.get("game") ?? clip.game ?? "unsorted") === (clip.game ?? "unsorted") &&
    (query.get("tag") === null || clip.tags.includes(query.get("tag") ?? "")) &&
    (query.get("pinned") === null || clip.pinned) &&
    (query.get("from") ?? "") <= clip.startedAt &&
    clip.startedAt < (query.get("to") ?? "9999") &&
    words.every((word) => searchableText(clip).includes(word)) &&
    (query.get("event") === null || clip.events.some(({ id }) => id === query.get("event")))
  );
}

function clipPage(answers: Answers, query: URLSearchParams) {
  const bytes = answers.clips.reduce((sum, clip) => sum + clip.bytes, 0);
  const sort = (query.get("sort") ?? "newest") as ClipSort;
  const all = answers.clips.filter((clip) => matchesQuery(clip, query)).toSorted(sorts[sort]);
  const from = all.findIndex(({ id }) => id === query.get("before")) + 1;
  const limit = Number(query.get("limit") ?? 50);
  const clips = all.slice(from, from + limit);
  return { clips, more: all.length > from + limit, bytes, quotaBytes: answers.report.settings.quotaBytes };
}

function tagsOf({ clips }: Answers) {
  const tags = [...new Set(clips.flatMap((clip) => clip.tags))].toSorted();
  return { tags: tags.map((tag) => ({ tag, clips: clips.filter((clip) => clip.tags.includes(tag)).length })) };
}

/** The new clip stays in work until a test changes it. */
function createTrim(answers: Answers, of: Clip, body: { title?: string }): Clip {
  const members = {
    state: "pending",
    stage: "cutting",
    duration: 0,
    path: null,
    poster: false,
    preview: false,
  } as const;
  const made = clipOf(900, { ...members, title: body.title ?? of.title, trimmedFrom: of.id });
  answers.clips = [made, ...answers.clips];
  return made;
}

/** A new reel stays in work until a test changes it. */
async function answerReel(route: Route, answers: Answers, id: string | undefined): Promise<void> {
  if (id !== undefined) {
    answers.clips = answers.clips.filter((clip) => clip.id !== id);
    return await route.fulfill({ status: 204 });
  }
  const { title, parts } = route.request().postDataJSON();
  const work = { state: "pending", stage: "cutting", progress: { share: 0.4, secondsLeft: 12 } } as const;
  const made = clipOf(901, { ...work, title, duration: 0, path: null, poster: false, preview: false, parts });
  answers.clips = [made, ...answers.clips];
  return await route.fulfill({ status: 202, json: made });
}

async function answerExports(route: Route, answers: Answers, id: string | undefined): Promise<void> {
  const request = route.request();
  if (request.method() === "DELETE") {
    answers.exports = answers.exports.filter((made) => made.id !== id);
    return await route.fulfill({ status: 204 });
  }
  if (request.method() === "POST") {
    const made = exportOf(answers.exports.length + 1, { progress: 0, ...request.postDataJSON() });
    answers.exports = [made, ...answers.exports];
    return await route.fulfill({ status: 202, json: made });
  }
  const of = new URL(request.url()).searchParams.get("clip");
  return await route.fulfill({ json: { exports: answers.exports.filter(({ clip }) => of === null || clip === of) } });
}

async function answerClip(route: Route, answers: Answers, id: string, part: string | undefined): Promise<void> {
  const request = route.request();
  const clip = answers.clips.find((known) => known.id === id);
  if (clip === undefined) return await route.fulfill(problem(404, "not_found", "There is no such clip."));
  const change = (members: Partial<Clip>) => {
    answers.clips = answers.clips.map((each) => (each.id === id ? { ...each, ...members } : each));
    return { ...clip, ...members };
  };
  if (part === "restore") return await route.fulfill({ json: change({ deletedAt: null }) });
  if (part === "reveal") return await route.fulfill({ status: 204 });
  if (part === "trim") {
    return await route.fulfill({ status: 202, json: createTrim(answers, clip, request.postDataJSON()) });
  }
  if (request.method() === "PUT") return await route.fulfill({ json: change(request.postDataJSON()) });
  if (request.method() === "GET") return await route.fulfill({ json: clip });
  if (clip.deletedAt === null) change({ deletedAt: new Date().toISOString() });
  else answers.clips = answers.clips.filter((each) => each.id !== id);
  return await route.fulfill({ status: 204 });
}

async function answerRecorder(route: Route, answers: Answers, path: string): Promise<void> {
  const request = route.request();
  if (path === "/api/recorder/test") {
    answers.clips = [...answers.recorded, ...answers.clips];
    return await route.fulfill({ json: answers.test });
  }
  if (path === "/api/recorder/sources") return await route.fulfill({ json: answers.sources });
  if (path === "/api/recorder/rules") return await answerRules(route, answers);
  if (request.method() === "PUT") {
    const { obsPassword, ...settings } = request.postDataJSON();
    const { report } = answers;
    const obsPasswordSet = obsPassword === undefined ? report.obsPasswordSet : obsPassword !== null;
    answers.report = { ...report, settings: { ...report.settings, ...settings }, obsPasswordSet };
  }
  return await route.fulfill({ json: answers.report });
}

async function answerRules(route: Route, answers: Answers): Promise<void> {
  const request = route.request();
  const eventId = request.method() === "PUT" ? request.postDataJSON().eventId : "";
  if (request.method() === "PUT") {
    const change = (rule: RecordingRule) => ({ ...rule, ...request.postDataJSON(), changed: true });
    answers.rules = answers.rules.map((rule) => (rule.eventId === eventId ? change(rule) : rule));
  }
  if (request.method() === "DELETE") {
    const reset = new URL(request.url()).searchParams.get("eventId");
    answers.rules = answers.rules.map((rule) => (rule.eventId === reset ? { ...rule, changed: false } : rule));
    return await route.fulfill({ status: 204 });
  }
  const rule = answers.rules.find((known) => known.eventId === eventId);
  return await route.fulfill({ json: rule ?? { rules: answers.rules } });
}

/** The default answers, with those that a test gives. */
export const answersWith = (given: Partial<Answers> = {}): Answers => ({
  clips: [],
  exports: [],
  report: reportOf(),
  rules: [],
  test: { ok: true, says: "It works.", tried: [], clip: null, file: null },
  sources: { sources: [], why: null },
  recorded: [],
  cleanup: [],
  changes: [],
  refuseWith: undefined,
  ...given,
});

function planned({ cleanup, report }: Answers, query: URLSearchParams) {
  const freedBytes = cleanup.reduce((sum, { clip }) => sum + clip.bytes, 0);
  const quotaBytes = Number(query.get("quotaBytes") ?? report.settings.quotaBytes);
  return { bytes: 9_000_000, quotaBytes, freedBytes, goes: cleanup, fits: true };
}

/** Answers the requests of all pages in the browser context, from the current content of `answers`. */
export async function answerFor(page: Page, answers: Answers): Promise<void> {
  await page.context().route(/\/api\/(?:clip|recorder|reels)/u, async (route) => {
    const request = route.request();
    const { pathname, searchParams } = new URL(request.url());
    const [, , of, id, part] = pathname.split("/");
    if (request.method() !== "GET") {
      answers.changes.push(`${request.method()} ${pathname} ${request.postData() ?? ""}`.trim());
      const refusal = answers.refuseWith;
      answers.refuseWith = undefined;
      if (refusal !== undefined) return await route.fulfill(problem(422, "payload_invalid", refusal));
    }
    if (of === "recorder") return await answerRecorder(route, answers, pathname);
    if (of === "clips-clipboard") return await route.fulfill({ status: 204 });
    if (of === "reels") return await answerReel(route, answers, id);
    if (of === "clip-exports") return await answerExports(route, answers, id);
    if (of === "clips-tags") return await route.fulfill({ json: tagsOf(answers) });
    if (of === "clips-cleanup") return await route.fulfill({ json: planned(answers, searchParams) });
    if (id === undefined) return await route.fulfill({ json: clipPage(answers, searchParams) });
    return await answerClip(route, answers, id, part);
  });
  await answerMedia(page);
}
