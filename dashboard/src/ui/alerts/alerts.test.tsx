// Tests of alerts: the bell with its count, toasts for new alerts, the list and its settings.
import assert from "node:assert/strict";
import {
  changeNoticeSettings,
  getNoticeSettings,
  listNotices,
  listRecordingRules,
  markNoticesSeen,
  type Notice,
  type NoticeSettingsReport,
  noticeSettingDefaults,
  testNotice,
} from "@kit/contract";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, test } from "vitest";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { answerIssues, issueOf } from "../../../test/component/fake-issues.ts";
import { createFakeLauncher, type FakeLauncher } from "../../../test/component/fake-launcher.ts";
import { openApp } from "../../../test/component/open-app.tsx";
import { hostileStrings } from "../../../test/hostile-strings.ts";
import { visibleLine } from "../visible-text.ts";

/** The nth alert, about the nth issue. */
const noticeOf = (number: number, title: string, members: Partial<Notice> = {}): Notice => ({
  ...{ number, kind: "new", issue: issueOf(number).id, title, game: null, at: new Date().toISOString() },
  ...{ count: 1, seen: false, quiet: false },
  ...members,
});

const trouble = "Desktop notifications are not available: install libnotify-bin, which contains notify-send.";
let launcher: FakeLauncher;
let [notices, settings]: [Notice[], NoticeSettingsReport] = [[], { ...noticeSettingDefaults, trouble: null }];
beforeEach(() => {
  launcher = createFakeLauncher();
  [notices, settings] = [[], { ...noticeSettingDefaults, trouble: null }];
  const unseen = () => notices.filter(({ seen, quiet }) => !seen && !quiet).length;
  launcher.when(listRecordingRules).reply(() => ({ rules: [] }));
  launcher.when(listNotices).reply(() => ({ notices, more: false, unseen: unseen(), gone: 0 }));
  launcher.when(markNoticesSeen).reply(({ body: { upTo } }) => {
    notices = notices.map((notice) => ({ ...notice, seen: notice.seen || notice.number <= upTo }));
    return { unseen: unseen() };
  });
  launcher.when(getNoticeSettings).reply(() => settings);
  launcher.when(changeNoticeSettings).reply(({ body }) => {
    settings = { ...settings, ...body };
    return settings;
  });
  launcher.when(testNotice).reply(() => ({ ok: false, says: trouble }));
});

async function openPage() {
  const { user } = await openApp("#/live", launcher);
  await screen.findByText("Listening");
  return user;
}

/** Adds alerts, the newest last, and tells the page. */
function arrive(...added: readonly Notice[]): void {
  notices = [...added.toReversed(), ...notices];
  launcher.tell("notices");
}

/** happy-dom has no popovers, so their events come from here. */
const toggle = (panel: HTMLElement, newState: "open" | "closed") =>
  fireEvent(panel, Object.assign(new Event("toggle"), { newState }));
function openPanel() {
  const bell = screen.getByRole("button", { name: /^Alerts/ });
  const panel = document.getElementById(bell.getAttribute("popovertarget") ?? "") ?? assert.fail();
  panel.hidePopover = () => void toggle(panel, "closed");
  toggle(panel, "open");
  assert.ok(document.activeElement === panel);
  return { bell, panel, within: within(panel) };
}

const toasts = () => screen.queryByRole("region", { name: "New alerts" });
const toastLines = () =>
  within(toasts() ?? document.body)
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);

test("a new error is shown as an alert that opens its issue, and an old alert is not", async () => {
  answerIssues(launcher, [issueOf(2, { title: "The door has no key" })]);
  notices = [noticeOf(1, "The lamp is out")];
  const user = await openPage();
  await screen.findByRole("button", { name: "Alerts: 1 unread" });
  assert.ok(toasts() === null);
  arrive(noticeOf(2, "The door has no key", { game: "mygame" }));
  const link = await screen.findByRole("link", { name: /^New error · Mygame/ });
  // The alert stays while it has the focus, however long the checks take.
  link.focus();
  assert.deepEqual(toastLines(), ["New error · MygameThe door has no key"]);
  screen.getByText("New error · Mygame: The door has no key", { selector: "[role=status]" });
  screen.getByRole("button", { name: "Alerts: 2 unread" });
  await assertAccessible();
  await user.click(link);
  await screen.findByRole("heading", { level: 1, name: "The door has no key" });
  assert.equal(location.hash, `#/issues/${issueOf(2).id}`);
  assert.ok(toasts() === null);
});

test("alerts are listed with the newest first, marked as seen, and each opens its issue", async () => {
  const old = new Date(Date.now() - 2 * 86_400_000);
  answerIssues(launcher, [issueOf(1, { title: "The lamp is out" })]);
  notices = [
    noticeOf(3, "The map is torn", { kind: "times", count: 100, seen: true }),
    noticeOf(2, "The door has no key", { kind: "regressed", quiet: true, game: "mygame" }),
    noticeOf(1, "The lamp is out", { at: old.toISOString() }),
  ];
  const user = await openPage();
  await screen.findByRole("button", { name: "Alerts: 1 unread" });
  const { panel, within: list } = openPanel();
  const rows = list.getAllByRole("listitem").map(({ textContent }) => textContent);
  assert.match(rows[0] ?? "", /^Reported 100 times.*The map is torn.*Unsorted · /u);
  assert.match(rows[1] ?? "", /^Occurred again after it was resolved.*The door has no key.*Mygame · .* · silenced$/u);
  assert.match(rows[2] ?? "", /^Unread: New error.*The lamp is out/u);
  assert.equal(panel.querySelectorAll("time")[2]?.textContent, "2 days ago");
  await assertAccessible();
  await user.click(list.getByRole("button", { name: "Mark all as seen" }));
  await screen.findByRole("button", { name: "Alerts" });
  assert.deepEqual(launcher.changes, ['PUT /api/notices/seen {"upTo":3}']);
  assert.ok(list.queryByRole("button", { name: "Mark all as seen" }) === null);
  await user.click(list.getByRole("link", { name: /The lamp is out/ }));
  await screen.findByRole("heading", { level: 1, name: "The lamp is out" });
  assert.ok(panel.querySelector("li") === null);
});

test("older alerts are loaded, the count on the bell ends at 99, and those that were removed are counted", async () => {
  notices = [noticeOf(9, "The newest"), noticeOf(8, "The older")];
  launcher.when(listNotices).reply(({ query }) => {
    const isSecond = query?.before === 9;
    return { notices: notices.slice(isSecond ? 1 : 0, isSecond ? 2 : 1), more: !isSecond, unseen: 120, gone: 5 };
  });
  const user = await openPage();
  const bell = await screen.findByRole("button", { name: "Alerts: 120 unread" });
  assert.equal(bell.textContent, "99+");
  const { within: list } = openPanel();
  await user.click(list.getByRole("button", { name: "Show older" }));
  await list.findByText("The older");
  list.getByText("5 older alerts were removed.");
  assert.ok(list.queryByRole("button", { name: "Show older" }) === null);
});

test("a flood shows at most six alerts and then their number, and hostile text is shown as text", async () => {
  const titles = hostileStrings.slice(0, 12);
  await openPage();
  arrive(...titles.map((title, n) => noticeOf(n + 1, title, { game: title })));
  await waitFor(() => assert.ok(toasts()));
  assert.ok(toastLines().length <= 6);
  const { within: list, panel } = openPanel();
  const shown = [...panel.querySelectorAll(".notice-title")].map(({ textContent }) => textContent);
  assert.deepEqual(shown, titles.map((title) => visibleLine(title, 160)).toReversed());
  assert.equal(list.getAllByRole("link").length, titles.length);
  const forbidden = "script, iframe, img:not([alt='']), [onerror], [onload], a:not([href^='#/'])";
  assert.deepEqual(
    [...document.querySelectorAll(forbidden)].map(({ outerHTML }) => outerHTML),
    [],
  );
});

test("desktop notifications are switched on by a person, show why they fail, and kinds and games can be muted", async () => {
  notices = [noticeOf(1, "The lamp is out", { seen: true })];
  const user = await openPage();
  const { within: panel } = openPanel();
  // Opening them sends an event like that of the panel itself.
  await user.click(panel.getByText("Settings"));
  const desktop = await panel.findByRole("switch", { name: "Also as desktop notifications" });
  assert.equal(desktop.getAttribute("aria-checked"), "false");
  await user.click(desktop);
  await waitFor(() => assert.equal(desktop.getAttribute("aria-checked"), "true"));
  await user.click(panel.getByRole("button", { name: "Show a test notification" }));
  await panel.findByText(trouble);
  await user.click(panel.getByRole("checkbox", { name: "Ten times as many reports" }));
  await waitFor(() => assert.equal(launcher.changes.length, 3));
  await user.click(panel.getByRole("checkbox", { name: "Unsorted" }));
  await assertAccessible();
  await waitFor(() =>
    assert.deepEqual(launcher.changes, [
      'PUT /api/notices/settings {"desktop":true}',
      "POST /api/notices/test",
      'PUT /api/notices/settings {"kinds":["new","regressed","woke"]}',
      'PUT /api/notices/settings {"quietGames":["unsorted"]}',
    ]),
  );
});
