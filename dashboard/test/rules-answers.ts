// Answers the Rules page's requests in place of the launcher, so that a test decides which events exist.
import {
  allSwitchesOn,
  type EventIdRule,
  type EventsFile,
  type EventsFileChange,
  type FieldError,
  type Game,
  gameInWords,
  type PostRule,
  type RecordingRule,
  type RulePreview,
  recordingRuleDefaults,
} from "@kit/contract";
import type { Page, Route } from "playwright-core";

/** The answers to the page, and the changes that it requested. A test may change all of it at any time. */
export type RulesAnswers = {
  rules: EventIdRule[];
  recording: RecordingRule[];
  postRules: PostRule[];
  preview: (rule: RecordingRule) => RulePreview;
  /** The changes that an import makes. With errors, it is refused instead. */
  changes: EventsFileChange[];
  fileErrors: FieldError[];
  /** The state before an import. */
  before: EventsFile;
  /** The requests for changes, in order, as `PUT /api/rules {"kind":"recording"}`, with previews and dry runs. */
  readonly requests: string[];
  /** Refuses the next change with this sentence. */
  refuseWith: string | undefined;
};

const seenAt = "2026-05-01T10:00:00.000Z";

export const eventRuleOf = (eventId: string, members: Partial<EventIdRule> = {}): EventIdRule => ({
  kind: "recording",
  eventId,
  game: eventId.split("_")[0] ?? null,
  assigned: false,
  enabled: true,
  firstSeenAt: seenAt,
  lastSeenAt: seenAt,
  count: 1,
  label: null,
  icon: null,
  postText: null,
  similarTo: null,
  ...members,
});

const atSecond = (second: number) => new Date(Date.parse("2026-05-01T10:00:00.000Z") + second * 1_000).toISOString();

/** Three moments in one clip, and one within the cooldown. */
const previewOf = ({ action, preSeconds, postSeconds }: RecordingRule): RulePreview => {
  if (action !== "clip") {
    const became = action;
    return { clips: [], moments: [{ id: "1", at: atSecond(0), became, reason: null, clip: null }] };
  }
  const moments = [0, 4, 8].map((second, n) => {
    const became = n === 0 ? ("clip" as const) : ("joined" as const);
    return { id: String(n), at: atSecond(second), became, reason: null, clip: 0 };
  });
  const early = { id: "9", at: atSecond(60), became: "marker" as const, reason: "Within its cooldown", clip: null };
  const seconds = preSeconds + postSeconds + 8;
  const clip = { from: atSecond(-preSeconds), to: atSecond(8 + postSeconds), seconds, moments: 3, others: 0 };
  return { clips: [clip], moments: [...moments, early] };
};

export const rulesAnswersWith = (given: Partial<RulesAnswers> = {}): RulesAnswers => ({
  rules: [],
  recording: [],
  postRules: [],
  preview: previewOf,
  changes: [],
  fileErrors: [],
  before: { kitEvents: 1, game: "saga", events: {} },
  requests: [],
  refuseWith: undefined,
  ...given,
});

const problem = (detail: string, errors: readonly FieldError[] = []) => ({
  status: 422,
  contentType: "application/problem+json",
  body: JSON.stringify({ type: "urn:kit:problem:payload_invalid", title: detail, status: 422, detail, errors }),
});

const gamesOf = ({ rules }: RulesAnswers): Game[] =>
  [...new Set(rules.flatMap(({ game }) => game ?? []))].map((game) => ({
    game,
    name: gameInWords(game),
    registered: false,
    switches: allSwitchesOn,
    firstSeenAt: seenAt,
  }));

const recordingOf = ({ rules, recording }: RulesAnswers): RecordingRule[] =>
  rules
    .filter(({ kind }) => kind === "recording")
    .map(
      ({ eventId }) =>
        recording.find((rule) => rule.eventId === eventId) ?? { ...recordingRuleDefaults, eventId, changed: false },
    );

function answerRecording(answers: RulesAnswers, method: string, eventId: string, body: Partial<RecordingRule>) {
  const others = answers.recording.filter((rule) => rule.eventId !== eventId);
  const now = recordingOf(answers).find((rule) => rule.eventId === eventId);
  if (method === "DELETE") {
    answers.recording = others;
    return undefined;
  }
  const rule = { ...recordingRuleDefaults, ...now, ...body, eventId, changed: true };
  answers.recording = [...others, rule];
  return rule;
}

function answerLook(answers: RulesAnswers, { kind, eventId, enabled, ...look }: Partial<EventIdRule>) {
  // The label and icon of an event id are the same for all its kinds.
  answers.rules = answers.rules.map((rule) => {
    if (rule.eventId !== eventId) return rule;
    return { ...rule, ...look, ...(rule.kind === kind && enabled !== undefined && { enabled }) };
  });
  return answers.rules.find((rule) => rule.kind === kind && rule.eventId === eventId);
}

function answerFile(answers: RulesAnswers, route: Route): Promise<void> {
  const request = route.request();
  const game = new URL(request.url()).searchParams.get("game");
  if (request.method() === "GET") return route.fulfill({ json: { ...answers.before, game } });
  if (answers.fileErrors.length > 0)
    return route.fulfill(problem("The file is not a kit.events.json Kit can take.", answers.fileErrors));
  return route.fulfill({ json: { changes: answers.changes, before: answers.before } });
}

async function answer(route: Route, answers: RulesAnswers): Promise<void> {
  const request = route.request();
  const { pathname, search, searchParams } = new URL(request.url());
  const method = request.method();
  const body = request.postData() === null ? {} : JSON.parse(request.postData() ?? "{}");
  if (method !== "GET") {
    answers.requests.push(`${method} ${pathname}${search} ${request.postData() ?? ""}`.trim());
    const refusal = answers.refuseWith;
    if (refusal !== undefined && !pathname.endsWith("/preview")) {
      answers.refuseWith = undefined;
      return await route.fulfill(problem(refusal));
    }
  }
  if (pathname === "/api/rules/file") return await answerFile(answers, route);
  if (pathname === "/api/recorder/rules/preview") {
    const rule = { ...recordingRuleDefaults, ...body, changed: true };
    return await route.fulfill({ json: answers.preview(rule) });
  }
  if (pathname === "/api/recorder/rules") {
    if (method === "GET") return await route.fulfill({ json: { rules: recordingOf(answers) } });
    const rule = answerRecording(answers, method, body.eventId ?? searchParams.get("eventId"), body);
    return await route.fulfill(rule === undefined ? { status: 204 } : { json: rule });
  }
  if (pathname === "/api/rules") return await route.fulfill({ json: answerLook(answers, body) });
  if (pathname === "/api/post-rules") return await route.fulfill({ json: { rules: answers.postRules } });
  return await route.fulfill({ json: { services: allSwitchesOn, games: gamesOf(answers), rules: answers.rules } });
}

/** Answers the requests of all pages in the browser context, from the current content of `answers`. */
export async function answerRulesFor(page: Page, answers: RulesAnswers): Promise<void> {
  const paths = /\/api\/(?:games|rules(?:\/file)?|recorder\/rules(?:\/preview)?|post-rules)(?:\?|$)/u;
  await page.context().route(paths, (route) => answer(route, answers));
}
