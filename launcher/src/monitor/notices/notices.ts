// Notices as a person meets them: listed, seen, set, and shown on the desktop where that was asked for.
import { setTimeout as pause } from "node:timers/promises";
import {
  digest,
  digestSays,
  emptyDigest,
  NoticeSettings,
  type NoticeSettingsReport,
  noticeDefaults,
  noticeSays,
  type Saying,
} from "@kit/contract";
import { assertFits } from "../../http/validation.ts";
import type { Statement } from "../../storage/sql.ts";
import type { Desktop } from "./desktop.ts";
import { type NoticeStore, saveSetting, seenUpTo } from "./notice-store.ts";
import { plainText } from "./plain-text.ts";

const gameCharsMax = 60;
/** Told of at one look; the digest adds up what it does not say one by one. */
const lookMax = 500;
/** Between two looks: a flood is committed hundreds of times a second, and each look is a read. */
const lookPauseMs = 100;

export type NoticesNeeds = {
  readonly store: NoticeStore;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly desktop: Desktop;
  readonly onChanged: () => void;
};

export type Notices = ReturnType<typeof createNotices>;

type Change = { readonly [Name in keyof NoticeSettings]?: NoticeSettings[Name] | undefined };
const names = Object.keys(noticeDefaults) as (keyof NoticeSettings)[];

/** What another version stored may not fit this one. */
function fits(name: keyof NoticeSettings, value: unknown): boolean {
  try {
    assertFits(NoticeSettings.properties[name], value);
    return true;
  } catch {
    return false;
  }
}

const gameWords = (game: string | null) => (game === null ? "without a game" : `in ${plainText(game, gameCharsMax)}`);

/** The words of a notification. */
function wordsOf(saying: Saying): { title: string; body: string } {
  if (saying.kind === "single") {
    const { notice } = saying;
    return { title: `${noticeSays(notice)} ${gameWords(notice.game)}`, body: notice.title };
  }
  return { title: "Kit", body: digestSays(saying, (game) => plainText(game, gameCharsMax)) };
}

export function createNotices({ store, write, now, desktop, onChanged }: NoticesNeeds) {
  /** The newest notice that was looked at; what was there at the start was told before. */
  let looked: number | undefined;
  let told = emptyDigest;
  let looking: Promise<void> | undefined;
  let isNews = false;
  const stopping = new AbortController();
  const { signal: stopped } = stopping;
  let telling = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const settings = async (): Promise<NoticeSettings> => {
    const stored = await store.settings();
    const known = names.filter((name) => name in stored && fits(name, stored[name]));
    return { ...noticeDefaults, ...Object.fromEntries(known.map((name) => [name, stored[name]])) };
  };
  const report = async (): Promise<NoticeSettingsReport> => ({
    ...(await settings()),
    trouble: await desktop.trouble(),
  });

  /** One notification after the other, in its own time: nobody waits for a desktop. */
  const tell = (notices: Parameters<typeof digest>[1]) => {
    clearTimeout(timer);
    const { told: after, says } = digest(told, notices, now());
    told = after;
    telling = says.reduce(
      (before, saying) =>
        before.then(() => (stopped.aborted ? undefined : desktop.show(wordsOf(saying)))).then(ignored),
      telling,
    );
    if (told.dueMs !== null && !stopped.aborted) timer = setTimeout(tell, Math.max(0, told.dueMs - now()), []).unref();
  };
  const lookOnce = async () => {
    isNews = false;
    const newest = await store.newest();
    const before = looked ?? newest;
    looked = newest;
    if (newest <= before) return;
    onChanged();
    const set = await settings();
    if (!set.desktop) return;
    const notices = await store.between(before, newest + 1, lookMax, set);
    tell(notices.filter(({ quiet }) => !quiet).reverse());
  };
  /** What cannot be read now is looked at with the next report. */
  const look = () => {
    isNews = true;
    if (stopped.aborted) return;
    looking ??= lookOnce()
      .catch(ignored)
      .then(() => pause(lookPauseMs, undefined, { signal: stopped }).catch(ignored))
      .finally(() => {
        looking = undefined;
        if (isNews) look();
      });
  };
  look();

  return {
    /** Something may have been noticed; cheap to call at every commit. */
    look,
    /** Those before that number, newest first. */
    async list(before: number | undefined, limit: number) {
      const set = await settings();
      const [found, { unseen, kept }, newest] = await Promise.all([
        store.between(0, before ?? Number.MAX_SAFE_INTEGER, limit + 1, set),
        store.sums(set),
        store.newest(),
      ]);
      return { notices: found.slice(0, limit), more: found.length > limit, unseen, gone: Math.max(0, newest - kept) };
    },
    /** Never beyond the newest: what comes later is unseen. */
    async see(upTo: number) {
      await write(seenUpTo(Math.min(upTo, await store.newest())));
      onChanged();
      const { unseen } = await store.sums(await settings());
      return { unseen };
    },
    settings: report,
    async change(change: Change): Promise<NoticeSettingsReport> {
      const statements = names.flatMap((name) => (change[name] === undefined ? [] : [saveSetting(name, change[name])]));
      if (statements.length > 0) {
        await write(...statements);
        onChanged();
      }
      return await report();
    },
    async test() {
      const failed = await desktop.show({ title: "Kit", body: "This is how Kit tells of new errors." });
      return failed === null ? { ok: true, says: "The desktop took it." } : { ok: false, says: failed };
    },
    /** Resolves when what is under way has ended. */
    async stop(): Promise<void> {
      stopping.abort();
      clearTimeout(timer);
      await looking;
      await telling;
    },
  };
}

const ignored = () => undefined;
