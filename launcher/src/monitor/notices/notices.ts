// Lists notices, marks them seen, keeps their settings, and shows them on the desktop if that is enabled.

import { setTimeout as pause } from "node:timers/promises";
import {
  digestMessage,
  emptyDigestState,
  type Names,
  NoticeSettings,
  type NoticeSettingsReport,
  nextAlerts,
  noticeHeadline,
  noticeOfGame,
  noticeSettingDefaults,
  type ShownAlert,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { assertValid } from "../../http/validation.ts";
import { log } from "../../log.ts";
import type { Say } from "../../reader-language.ts";
import type { Statement } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import { createDesktopNotifier, type DesktopNotifier, toPlainText } from "./desktop-notifier.ts";
import { createNoticeStore, markNoticesSeen, type NoticeStore, saveNoticeSetting } from "./notice-store.ts";

const gameCharsMax = 60;
/** Maximum notices processed at once. The digest only counts the notices that it does not name. */
const notifiedAtOnceMax = 500;
/** Pause between two checks, because each reads the database, and a flood commits hundreds of times a second. */
const checkPauseMs = 100;

export type NoticesDeps = {
  readonly store: NoticeStore;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly desktop: DesktopNotifier;
  readonly gameName: Names["gameName"];
  readonly say: Say;
  readonly onChanged: () => void;
};

export type Notices = ReturnType<typeof createNotices>;

type Change = { readonly [Name in keyof NoticeSettings]?: NoticeSettings[Name] | undefined };
const settingNames = Object.keys(noticeSettingDefaults) as (keyof NoticeSettings)[];

/** Whether a stored value is valid here. Another version of Kit may have stored one that is not. */
function fits(name: keyof NoticeSettings, value: unknown): boolean {
  try {
    assertValid(NoticeSettings.properties[name], value);
    return true;
  } catch {
    return false;
  }
}

function notificationOf(saying: ShownAlert, nameOf: Names["gameName"], say: Say): { title: string; body: string } {
  const plainName = (game: string) => toPlainText(nameOf(game), gameCharsMax);
  if (saying.kind === "digest") return { title: "Kit", body: say(digestMessage(saying, plainName)) };
  const { game, title, ...notice } = saying.notice;
  const name = game === null ? undefined : plainName(game);
  return { title: say(noticeOfGame(noticeHeadline(notice), name)), body: title };
}

export function createNotices({ store, write, now, desktop, gameName, say, onChanged }: NoticesDeps) {
  /**
   * Number of the newest notice that was checked. Undefined before the first check, which shows nothing: earlier notices are
   * old.
   */
  let lastChecked: number | undefined;
  let digestState = emptyDigestState;
  let checking: Promise<void> | undefined;
  let hasNewCommits = false;
  const stopping = new AbortController();
  const { signal: stopped } = stopping;
  let showing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const settings = async (): Promise<NoticeSettings> => {
    const stored = await store.settings();
    const known = settingNames.filter((name) => name in stored && fits(name, stored[name]));
    return { ...noticeSettingDefaults, ...Object.fromEntries(known.map((name) => [name, stored[name]])) };
  };
  const settingsReport = async (): Promise<NoticeSettingsReport> => ({
    ...(await settings()),
    trouble: await desktop.trouble(),
  });

  /** Queues notifications, which are shown one after another. Does not wait for them. */
  const showNotifications = (notices: Parameters<typeof nextAlerts>[1]) => {
    clearTimeout(timer);
    const { state: after, alerts: says } = nextAlerts(digestState, notices, now());
    digestState = after;
    showing = says.reduce(
      (before, saying) =>
        before
          .then(() => (stopped.aborted ? undefined : desktop.show(notificationOf(saying, gameName, say))))
          .then(ignore),
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
  /** Starts a check, or another one after the running one. If a check fails, the next report starts one. */
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
    /** To be called after every commit of reports. Checks for new notices soon, at most ten times a second. */
    checkForNew,
    /** Lists the notices with a lower number than `before`, newest first. */
    async list(before: number | undefined, limit: number) {
      const set = await settings();
      const [found, { unseen, kept }, newest] = await Promise.all([
        store.between(0, before ?? Number.MAX_SAFE_INTEGER, limit + 1, set),
        store.totals(set),
        store.newestNumber(),
      ]);
      return { notices: found.slice(0, limit), more: found.length > limit, unseen, gone: Math.max(0, newest - kept) };
    },
    /** Marks notices as seen up to a number, but not beyond the newest, so that none is seen before it exists. */
    async markSeen(upTo: number) {
      await write(markNoticesSeen(Math.min(upTo, await store.newestNumber())));
      onChanged();
      const { unseen } = await store.totals(await settings());
      return { unseen };
    },
    settings: settingsReport,
    async changeSettings(change: Change): Promise<NoticeSettingsReport> {
      const statements = settingNames.flatMap((name) =>
        change[name] === undefined ? [] : [saveNoticeSetting(name, change[name])],
      );
      if (statements.length > 0) {
        await write(...statements);
        onChanged();
      }
      return await settingsReport();
    },
    async showTest() {
      const failed = await desktop.show({ title: "Kit", body: say(message("notice.test")) });
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

export type StartNoticesDeps = {
  readonly storage: Storage;
  /** The folders of `PATH`, in its format, where `notify-send` is searched. */
  readonly searchPath: string;
  readonly gameName: Names["gameName"];
  readonly say: Say;
  /** Called when the list of notices or their settings changed. */
  readonly onNoticesChanged: () => void;
};

/** Creates the notices of the launcher, with their store and the desktop's notifier. */
export function startNotices({ storage, searchPath, gameName, say, onNoticesChanged }: StartNoticesDeps): Notices {
  return createNotices({
    store: createNoticeStore(storage),
    write: storage.write,
    // Digests wait by a clock that nobody sets: otherwise one would wait for an hour if the clock is set back by an hour.
    now: () => performance.now(),
    gameName,
    say,
    desktop: createDesktopNotifier({ searchPath, onFailure: log.notNotified }),
    onChanged: onNoticesChanged,
  });
}
