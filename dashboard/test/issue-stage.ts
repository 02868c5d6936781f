// One stage for the tests of a file about issues: real reports to the real launcher, each test's under a word of its own.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { type Client, createClient, getReceipt, groupedIssue } from "@kit/contract";
import type { BrowserContextOptions, Page } from "playwright-core";
import { type Answers, answerFor, answersWith } from "./clip-answers.ts";
import type { LauncherProcess } from "./launcher-process.ts";
import { eventually, openStage, type Stage } from "./stage.ts";

export type IssueStage = Pick<Stage, "page" | "launcher" | "complaints"> & {
  /** What a person may call beside the page, as the command line does. */
  readonly client: Client;
  /** What the page is told of clips and the recorder. */
  readonly answers: Answers;
  /** Goes to another place of the page without loading it anew. */
  go(fragment: string): Promise<void>;
  /** Sends so many reports of one kind; resolves with their events' ids, oldest first. */
  report(words: string, times?: number, client?: string): Promise<string[]>;
};

/** Opens a place of the page, loaded anew. */
type Open = (fragment: string) => Promise<IssueStage>;

/** A kind of its own for each words: values would be taken for the same. */
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

export function shareIssueStage(skip: string | false, options: BrowserContextOptions = {}): Open {
  const answers = answersWith();
  let stage: Stage | undefined;
  before(async () => {
    if (skip === false) stage = await openStage({ ...options, prepare: (page) => answerFor(page, answers) });
  });
  after(async () => await stage?.[Symbol.asyncDispose]());
  return async (fragment) => {
    if (stage === undefined) throw new Error("the stage was not opened");
    const { page, launcher, complaints } = stage;
    const go = async (place: string) => void (await page.goto(`http://127.0.0.1:${launcher.port}/${place}`));
    const report = async (words: string, times = 1, client = "Saga/1.0 (Linux)") => {
      const ids: string[] = [];
      for (let n = 0; n < times; n += 1) {
        const body = { message: words, stackTrace: stackOf(words) };
        ids.push((await launcher.send("monitor", body, { "user-agent": client })).id);
      }
      return ids;
    };
    await page.goto("about:blank");
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

/** The issue an event was put into, as its receipt says. */
export async function issueOf({ client }: Pick<IssueStage, "client">, event: string): Promise<string> {
  let found: string | undefined;
  await eventually(async () => {
    const { states } = await client.call(getReceipt, { params: { id: event } });
    found = groupedIssue(states);
    return found !== undefined;
  }, true);
  return found ?? "";
}
