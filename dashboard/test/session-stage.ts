// One launcher and one browser page for all tests of a file. Requests about sessions get a test's answers.

import type { GameSession, Timeline } from "@kit/contract";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { type Answers, answerFor, answersWith } from "./clip-answers.ts";
import { openFeed, untilListening } from "./post-stage.ts";
import { playedClipOf } from "./session-samples.ts";
import { clearPage, openStage, type Stage } from "./stage.ts";

/** The answers to the page. A test may change all of it at any time. */
export type SessionAnswers = {
  sessions: GameSession[];
  /** The parts of a session's timeline, by session id. Each but the last has the index of the next in `until`. */
  timelines: Record<string, Timeline[]>;
  forgotten: number;
  /** The requested timelines, as `ID after`. */
  readonly requested: string[];
};

export const sessionAnswersWith = (given: Partial<SessionAnswers> = {}): SessionAnswers => ({
  sessions: [],
  timelines: {},
  forgotten: 0,
  requested: [],
  ...given,
});

const missing = {
  status: 404,
  contentType: "application/problem+json",
  body: JSON.stringify({
    type: "urn:kit:problem:not_found",
    title: "Not found",
    status: 404,
    detail: "There is no such session.",
    errors: [],
  }),
};

function sessionPage({ sessions, forgotten }: SessionAnswers, query: URLSearchParams) {
  const game = query.get("game");
  const limit = Number(query.get("limit") ?? 50);
  const wanted = sessions.filter((session) => game === null || game === (session.game ?? "unsorted"));
  const from = wanted.findIndex(({ id }) => id === query.get("before")) + 1;
  return { sessions: wanted.slice(from, from + limit), more: wanted.length > from + limit, forgotten };
}

/** Answers the requests of all pages in the browser context, from the current content of `answers`. */
export async function answerSessionsFor(page: Page, answers: SessionAnswers): Promise<void> {
  await page.context().route(/\/api\/sessions(?:[/?]|$)/u, async (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    const id = pathname.split("/")[3];
    if (id === undefined) return await route.fulfill({ json: sessionPage(answers, searchParams) });
    const after = searchParams.get("after") ?? "0";
    answers.requested.push(`${id} ${after}`);
    const part = answers.timelines[id]?.[Number(after)];
    return await route.fulfill(part === undefined ? missing : { json: part });
  });
}

export type SessionStage = Pick<Stage, "page" | "launcher" | "complaints"> & {
  readonly answers: SessionAnswers;
  readonly clips: Answers;
  /** Reports a change in the feed, as the launcher does. */
  tell(what: "sessions" | "clips"): Promise<void>;
  go(fragment: string): Promise<void>;
};

/** Loads a page of the dashboard, with nothing left of the test before. */
type Open = (fragment: string, given?: Partial<SessionAnswers>) => Promise<SessionStage>;

export function shareSessionStage(skip: boolean, options: BrowserContextOptions = {}): Open {
  const answers = sessionAnswersWith();
  const clips = answersWith();
  let stage: Stage | undefined;
  let tell: SessionStage["tell"] = async () => undefined;
  const prepare = async (page: Page) => {
    tell = await openFeed(page);
    await answerFor(page, clips);
    await answerSessionsFor(page, answers);
  };
  beforeAll(async () => {
    if (skip === false) stage = await openStage({ ...options, prepare });
  });
  afterAll(async () => await stage?.[Symbol.asyncDispose]());
  return async (fragment, given = {}) => {
    if (stage === undefined) throw new Error("the stage was not opened");
    const { page, launcher, complaints } = stage;
    const go = async (hash: string) => void (await page.goto(`http://127.0.0.1:${launcher.port}/${hash}`));
    await clearPage(page);
    Object.assign(answers, sessionAnswersWith(given));
    const three = [300, 900, 500].map((priority, index) => playedClipOf(index + 1, { priority }));
    Object.assign(clips, answersWith({ clips: three }));
    complaints.length = 0;
    await go(fragment);
    await untilListening(page);
    return { page, launcher, complaints, answers, clips, tell, go };
  };
}

export const track = (page: Page) => page.getByRole("slider", { name: "What happened, in chronological order" });
export const lineWith = (page: Page, text: string) => page.locator(".item").filter({ hasText: text });
export const rowsShown = (page: Page): Promise<string[]> => page.locator(".session-game").allTextContents();
