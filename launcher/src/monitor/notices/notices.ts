// Lists notices, marks them seen, keeps their settings, and shows them on the desktop if that is enabled.

import { setTimeout as pause } from "node:timers/promises";
import {
  digestText,
  emptyDigest,
  type NoticeAlert,
  NoticeSettings,
  type NoticeSettingsReport,
  nextAlerts,
  noticeDefaults,
  noticeHeadline,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { assertValid } from "../../http/validation.ts";
import type { Statement } from "../../storage/sql.ts";
import type { DesktopNotifier } from "./desktop-notifier.ts";
import { markNoticesSeen, type NoticeStore, saveSetting } from "./notice-store.ts";
import { plainText } from "./plain-text.ts";

const gameCharsMax = 60;
/** Maximum notices processed at once. The digest sums up those it does not name. */
const notifiedAtOnceMax = 500;
/** Pause between two checks. A flood commits hundreds of times a second, and each check reads the database. */
const checkPauseMs = 100;

export type NoticesDeps = {
  readonly store: NoticeStore;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly desktop: DesktopNotifier;
  readonly onChanged: () => void;
};

export type Notices = ReturnType<typeof createNotices>;

type Change = { readonly [Name in keyof NoticeSettings]?: NoticeSettings[Name] | undefined };
const settingNames = Object.keys(noticeDefaults) as (keyof NoticeSettings)[];

/** Another version may have stored a value that is not valid in this one. */
function fits(name: keyof NoticeSettings, value: unknown): boolean {
  try {
    assertValid(NoticeSettings.properties[name], value);
    return true;
  } catch {
    return false;
  }
}

const gamePhrase = (game: string | null) => (game === null ? "without a game" : `in ${plainText(game, gameCharsMax)}`);

/** Builds the text of a notification. */
function notificationOf(saying: NoticeAlert): { title: string; body: string } {
  if (saying.kind === "single") {
    const { notice } = saying;
    return { title: `${noticeHeadline(notice)} ${gamePhrase(notice.game)}`, body: notice.title };
  }
  return { title: "Kit", body: digestText(saying, (game) => plainText(game, gameCharsMax)) };
}

export function createNotices({ store, write, now, desktop, onChanged }: NoticesDeps) {
  /** Number of the newest checked notice. Notices from before the start were shown by the previous run. */
  let lastChecked: number | undefined;
  let digestState = emptyDigest;
  let checking: Promise<void> | undefined;
  let hasNewCommits = false;
  const stopping = new AbortController();
  const { signal: stopped } = stopping;
  let showing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const settings = async (): Promise<NoticeSettings> => {
    const stored = await store.settings();
    const known = settingNames.filter((name) => name in stored && fits(name, stored[name]));
    return { ...noticeDefaults, ...Object.fromEntries(known.map((name) => [name, stored[name]])) };
  };
  const settingsReport = async (): Promise<NoticeSettingsReport> => ({
    ...(await settings()),
    trouble: await desktop.trouble(),
  });

  /** Queues notifications and returns at once. They are shown one after another. */
  const showNotifications = (notices: Parameters<typeof nextAlerts>[1]) => {
    clearTimeout(timer);
    const { state: after, alerts: says } = nextAlerts(digestState, notices, now());
    digestState = after;
    showing = says.reduce(
      (before, saying) =>
        before.then(() => (stopped.aborted ? undefined : desktop.show(notificationOf(saying)))).then(ignore),
      showing,
    );
    if (digestState.dueMs !== null && !stopped.aborted)
      timer = setTimeout(showNotifications, Math.max(0, digestState.dueMs - now()), []).unref();
  };
  const checkOnce = async () => {
    hasNewCommits = false;
    const newest = await store.newestNumber();
    const before = lastChecked ?? newest;
    lastChecked = newest;
    if (newest <= before) return;
    onChanged();
    const set = await settings();
    if (!set.desktop) return;
    const notices = await store.between(before, newest + 1, notifiedAtOnceMax, set);
    showNotifications(notices.filter(({ quiet }) => !quiet).reverse());
  };
  /** If reading fails, the next report triggers another check. */
  const checkForNew = () => {
    hasNewCommits = true;
    if (stopped.aborted) return;
    checking ??= checkOnce()
      .catch(ignore)
      .then(() => pause(checkPauseMs, undefined, { signal: stopped }).catch(ignore))
      .finally(() => {
        checking = undefined;
        if (hasNewCommits) checkForNew();
      });
  };
  checkForNew();

  return {
    /** Checks for new notices soon. Cheap enough for every commit. */
    checkForNew,
    /** Lists the notices before a number, newest first. */
    async list(before: number | undefined, limit: number) {
      const set = await settings();
      const [found, { unseen, kept }, newest] = await Promise.all([
        store.between(0, before ?? Number.MAX_SAFE_INTEGER, limit + 1, set),
        store.totals(set),
        store.newestNumber(),
      ]);
      return { notices: found.slice(0, limit), more: found.length > limit, unseen, gone: Math.max(0, newest - kept) };
    },
    /** Marks notices as seen, at most up to the newest, so that later ones stay unseen. */
    async markSeen(upTo: number) {
      await write(markNoticesSeen(Math.min(upTo, await store.newestNumber())));
      onChanged();
      const { unseen } = await store.totals(await settings());
      return { unseen };
    },
    settings: settingsReport,
    async changeSettings(change: Change): Promise<NoticeSettingsReport> {
      const statements = settingNames.flatMap((name) =>
        change[name] === undefined ? [] : [saveSetting(name, change[name])],
      );
      if (statements.length > 0) {
        await write(...statements);
        onChanged();
      }
      return await settingsReport();
    },
    async showTest() {
      const failed = await desktop.show({ title: "Kit", body: "Kit shows new errors like this." });
      return failed === null ? { ok: true, says: message("notice.accepted") } : { ok: false, says: failed };
    },
    /** Resolves when running work has ended. */
    async stop(): Promise<void> {
      stopping.abort();
      clearTimeout(timer);
      await checking;
      await showing;
    },
  };
}

const ignore = () => undefined;
