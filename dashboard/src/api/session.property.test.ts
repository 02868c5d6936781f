// Property of the sign-in session in several tabs: whatever order requests, responses and events of the storage arrive in, a tab
// that was signed in stays signed in.
import assert from "node:assert/strict";
import { listGames } from "@kit/contract";
import fc from "fast-check";
import { afterAll, test, vi } from "vitest";
import { createSignInSession, type SignInSession } from "./session.ts";
import { openBrowser } from "./test/browser-model.ts";

/** A hundred runs take some seconds, most of it waits. */
const runs = Math.min(1_000, Number(process.env.KIT_PROPERTY_RUNS ?? 100));

/** What the launcher does with cookies and tokens (`launcher/src/http/session/sessions.ts`). */
function launcherModel() {
  const open = new Set<string>();
  let made = 0;
  const tokenOf = (cookie: string) => `token of ${cookie}`;
  return {
    endSessions: () => open.clear(),
    answer(path: string, cookie: string, token: string | undefined) {
      if (path === "/api/session") {
        if (open.has(cookie)) return { status: 201, body: { token: tokenOf(cookie), pass: cookie } };
        made += 1;
        const next = `cookie ${made}`;
        open.add(next);
        return { status: 201, body: { token: tokenOf(next), pass: next }, setCookie: next };
      }
      if (open.has(cookie) && token === tokenOf(cookie)) return { status: 200, body: { games: [] } };
      return { status: 401, body: { type: "urn:kit:problem:unauthorized", title: "", status: 401, detail: "" } };
    },
  };
}

/** A browser whose requests pass three points in any order: the launcher, the cookie store, the page. */
function start(scheduler: fc.Scheduler) {
  const launcher = launcherModel();
  let cookie = "";
  const later = (label: string) => scheduler.schedule(Promise.resolve(), label);
  const browser = openBrowser(undefined, (event) => void later("storage event").then(event));
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const path = String(input);
    const headers = init?.headers as Record<string, string>;
    const sent = cookie;
    await later(`request to ${path}`);
    const { status, body, setCookie } = launcher.answer(path, sent, headers["x-kit-session"]);
    await later(`cookie from ${path}`);
    if (setCookie !== undefined) cookie = setCookie;
    await later(`response of ${path}`);
    return { ok: status < 400, status, json: async () => body } as Response;
  });
  const openTab = (hash: string) => {
    const tab = browser.newTab(hash);
    return { ...tab, session: createSignInSession(tab.window) };
  };
  return { launcher, openTab };
}

const isOpen = ({ current }: SignInSession) => current().state === "open";
const works = ({ client }: SignInSession) =>
  client.call(listGames).then(
    () => true,
    () => false,
  );

/** What a tab does after it was opened by a link: a request of its page, or another link. */
const acts = fc.array(fc.constantFrom("request", "request", "link"), { maxLength: 4 });

afterAll(() => vi.restoreAllMocks());

test("with any order of responses and events, three tabs that sign in and send requests stay signed in", async () => {
  const check = async (scheduler: fc.Scheduler, plans: readonly (readonly string[])[], isKnown: boolean) => {
    const { openTab } = start(scheduler);
    if (isKnown) {
      openTab("#t=first");
      await scheduler.waitIdle();
    }
    const lost: string[] = [];
    const tabs = plans.map((plan, index) => {
      const { session, goTo } = openTab(`#t=${index}`);
      let wasOpen = false;
      session.subscribe(() => {
        if (wasOpen && !isOpen(session)) lost.push(`tab ${index}: ${JSON.stringify(session.current())}`);
        wasOpen ||= isOpen(session);
      });
      const act = async () => {
        for (const [step, what] of plan.entries()) {
          await scheduler.schedule(Promise.resolve(), `step of tab ${index}`);
          if (what === "link") goTo(`#t=${index}-${step}`);
          else if (isOpen(session)) void works(session);
        }
      };
      void act();
      return session;
    });
    await scheduler.waitIdle();
    assert.deepEqual(lost, []);
    assert.ok(tabs.every(isOpen));
    const working = Promise.all(tabs.map(works));
    await scheduler.waitIdle();
    assert.deepEqual(await working, [true, true, true]);
    assert.ok(isOpen(openTab("").session), "a new tab without a link");
  };
  const plans = fc.tuple(acts, acts, acts);
  await fc.assert(fc.asyncProperty(fc.scheduler(), plans, fc.boolean(), check), { numRuns: runs });
});

test("after the session has ended, one tab that signs in signs in all three, with any order of responses and events", async () => {
  const check = async (scheduler: fc.Scheduler, requests: readonly number[]) => {
    const { launcher, openTab } = start(scheduler);
    const tabs = [1, 2, 3].map((index) => openTab(`#t=${index}`));
    await scheduler.waitIdle();
    launcher.endSessions();
    for (const index of requests) void works(tabs[index]?.session ?? assert.fail());
    tabs[0]?.goTo("#t=again");
    await scheduler.waitIdle();
    assert.ok(tabs.every(({ session }) => isOpen(session)));
    const working = Promise.all(tabs.map(({ session }) => works(session)));
    await scheduler.waitIdle();
    assert.deepEqual(await working, [true, true, true]);
  };
  const requests = fc.array(fc.nat(2), { maxLength: 6 });
  await fc.assert(fc.asyncProperty(fc.scheduler(), requests, check), { numRuns: runs });
});
