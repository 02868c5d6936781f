// One launcher and one browser page for all tests of a file about issues. Each test's real reports have a word of their own.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient, getReceipt, issueIdInReceipt } from "@kit/contract";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { type Answers, answerFor, answersWith } from "./clip-answers.ts";
import type { LauncherProcess } from "./launcher-process.ts";
import { clearPage, eventually, openStage, type Stage } from "./stage.ts";

export type IssueStage = Pick<Stage, "page" | "launcher" | "complaints"> & {
  /** Calls the launcher as the command line does, beside the page. */
  readonly client: Client;
  /** The answers to the page about clips and the recorder. */
  readonly answers: Answers;
  /** Opens another page of the dashboard without a reload. */
  go(fragment: string): Promise<void>;
  /** Sends the same report `times` times; resolves with their events' ids, oldest first. */
  report(words: string, times?: number, client?: string): Promise<string[]>;
};

/** Loads a page of the dashboard. */
type Open = (fragment: string) => Promise<IssueStage>;

/** A stack trace of its own for each message. Messages that differ only in values would be grouped into one issue. */
export const stackOf = (words: string) => {
  const name = words.toLowerCase().replaceAll(/[^a-z]+/gu, "_");
  const calls = [`[0] ${name} (res://actors/enemy.gd:34)`, "[1] _ready (res://main.gd:50)"];
  return ["GDScript backtrace (most recent call first):", ...calls.map((call) => `    ${call}`)].join("\n");
};

/** Calls the launcher with the install secret, as the command line does. */
export function clientOf({ port, dataDir }: Pick<LauncherProcess, "port" | "dataDir">): Client {
  const secret = readFileSync(join(dataDir, "secret"), "utf8").trim();
  return createClient(`http://127.0.0.1:${port}`, () => ({ authorization: `Bearer ${secret}` }));
}

export function shareIssueStage(skip: boolean, options: BrowserContextOptions = {}): Open {
  const answers = answersWith();
  let stage: Stage | undefined;
  beforeAll(async () => {
    if (skip === false) stage = await openStage({ ...options, prepare: (page) => answerFor(page, answers) });
  });
  afterAll(async () => await stage?.[Symbol.asyncDispose]());
  return async (fragment) => {
    if (stage === undefined) throw new Error("the stage was not opened");
    const { page, launcher, complaints } = stage;
    const go = async (hash: string) => void (await page.goto(`http://127.0.0.1:${launcher.port}/${hash}`));
    const report = async (words: string, times = 1, client = "Saga/1.0 (Linux)") => {
      const ids: string[] = [];
      for (let n = 0; n < times; n += 1) {
        const body = { message: words, stackTrace: stackOf(words) };
        ids.push((await launcher.send("monitor", body, { "user-agent": client })).id);
      }
      return ids;
    };
    await clearPage(page);
    Object.assign(answers, answersWith());
    complaints.length = 0;
    await go(fragment);
    return { page, launcher, complaints, answers, client: clientOf(launcher), go, report };
  };
}

export const issueWith = (page: Page, text: string) => page.locator(".issue-row").filter({ hasText: text });

/** The titles in the list, from first to last. */
export const issuesShown = (page: Page): Promise<string[]> => page.locator(".issue-link").allTextContents();

/** Waits until the list shows these titles, from first to last. */
export const untilShown = (page: Page, titles: readonly string[]): Promise<void> =>
  eventually(() => issuesShown(page), [...titles]);

export const toastWith = (page: Page, text: string) => page.locator(".toast").filter({ hasText: text });

/** The issue that an event was grouped into, as its receipt says. */
export async function issueOf({ client }: Pick<IssueStage, "client">, event: string): Promise<string> {
  let found: string | undefined;
  await eventually(async () => {
    const { states } = await client.call(getReceipt, { params: { id: event } });
    found = issueIdInReceipt(states);
    return found !== undefined;
  }, true);
  return found ?? "";
}
