// The bell in the bar over every page: how many notices nobody has seen, the list of them, and what is new said aloud.
import "./alerts.css";
import { digest, emptyDigest, type Notice, noticeSays } from "@kit/contract";
import { Button, IconButton } from "@radix-ui/themes";
import { useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import { useNoticeList, useSeeing } from "../../api/use-alerts.ts";
import { t } from "../../language/language.ts";
import { issuesAddress } from "../address.ts";
import { Icon } from "../icon.tsx";
import { agoOf } from "../measures.ts";
import { useNow } from "../use-now.ts";
import { NoticeSettingsSection } from "./alert-settings.tsx";
import { bellCount, bellLabel, gameWord, type Line, lineOf, spoken, titleWord } from "./alert-words.ts";

const shownMs = 10_000;
const linesMax = 6;

type ToldLine = Line & { readonly key: number };

/**
 * What is said aloud of new notices: a few one by one, a flood in sums, and nothing of what was there when the page opened.
 */
function useTelling(notices: readonly Notice[] | undefined) {
  const toldUpTo = useRef<number>(undefined);
  const told = useRef(emptyDigest);
  const keys = useRef(0);
  const [dueMs, setDueMs] = useState<number | null>(null);
  const [lines, setLines] = useState<readonly ToldLine[]>([]);
  const [announcement, setAnnouncement] = useState("");
  const [isHeld, setHeld] = useState(false);

  const tell = useCallback((news: readonly Notice[]) => {
    const { told: after, says } = digest(told.current, news, Date.now());
    told.current = after;
    setDueMs(after.dueMs);
    if (says.length === 0) return;
    const said = says.map((saying): ToldLine => {
      keys.current += 1;
      return { ...lineOf(saying), key: keys.current };
    });
    setLines((before) => [...before, ...said].slice(-linesMax));
    setAnnouncement(spoken(said));
  }, []);

  useEffect(() => {
    if (notices === undefined) return;
    const newest = notices[0]?.number ?? 0;
    const before = toldUpTo.current ?? newest;
    toldUpTo.current = Math.max(before, newest);
    const news = notices.filter(({ number, quiet, seen }) => number > before && !quiet && !seen);
    if (news.length > 0) tell(news.reverse());
  }, [notices, tell]);
  useEffect(() => {
    if (dueMs === null) return;
    const timer = setTimeout(() => tell([]), Math.max(0, dueMs - Date.now()));
    return () => clearTimeout(timer);
  }, [dueMs, tell]);
  useEffect(() => {
    // Whoever reaches for them must not see them vanish.
    if (lines.length === 0 || isHeld) return;
    const timer = setTimeout(() => setLines([]), shownMs);
    return () => clearTimeout(timer);
  }, [lines, isHeld]);

  const dismiss = useCallback(() => {
    setLines([]);
    setHeld(false);
  }, []);
  return { lines, announcement, dismiss, setHeld };
}

type NoticeToastsProps = { lines: readonly ToldLine[]; onDismiss: () => void; onHeld: (isHeld: boolean) => void };

/** New notices for a few seconds, under the bar. For who listens they are said elsewhere, once. */
function NoticeToasts({ lines, onDismiss, onHeld }: NoticeToastsProps) {
  if (lines.length === 0) return null;
  return (
    <section
      className="notice-toasts"
      aria-label={t("Just noticed")}
      onMouseEnter={() => onHeld(true)}
      onMouseLeave={() => onHeld(false)}
      onFocus={() => onHeld(true)}
      onBlur={() => onHeld(false)}
    >
      <ul>
        {lines.map((line) => (
          <li key={line.key}>
            <ToastLine line={line} onFollow={onDismiss} />
          </li>
        ))}
      </ul>
      <IconButton
        size="1"
        variant="ghost"
        color="gray"
        aria-label={t("Dismiss what was just noticed")}
        onClick={onDismiss}
      >
        <Icon name="close" size={14} />
      </IconButton>
    </section>
  );
}

function ToastLine({ line: { says, title, issue }, onFollow }: { line: Line; onFollow: () => void }) {
  if (issue === undefined) return <p className="notice-says">{says}</p>;
  return (
    <a href={issuesAddress(issue)} onClick={onFollow}>
      <span className="notice-says">{says}</span>
      <span className="notice-title">{title}</span>
    </a>
  );
}

type Props = { notices: readonly Notice[]; nowMs: number; onFollow: () => void };

/** The notices, newest first, each a way to its issue. */
function NoticeList({ notices, nowMs, onFollow }: Props) {
  return (
    <ol className="notice-list">
      {notices.map((notice) => (
        <li key={notice.number} data-unseen={!notice.seen && !notice.quiet} data-kind={notice.kind}>
          <a href={issuesAddress(notice.issue)} onClick={onFollow}>
            <span className="notice-says">
              {!notice.seen && !notice.quiet && <span className="unseen">{t("Not seen:")} </span>}
              {noticeSays(notice)}
            </span>
            <span className="notice-title">{titleWord(notice)}</span>
            <span className="notice-where">
              {gameWord(notice.game)} ·{" "}
              <time dateTime={notice.at} title={new Date(notice.at).toLocaleString()}>
                {agoOf(notice.at, nowMs)}
              </time>
              {notice.quiet && ` · ${t("quiet")}`}
            </span>
          </a>
        </li>
      ))}
    </ol>
  );
}

type Listed = ReturnType<typeof useNoticeList>;

export function NoticeBell() {
  const list = useNoticeList();
  const notices = useMemo(() => list.data?.pages.flatMap((page) => page.notices), [list.data]);
  const { lines, announcement, dismiss, setHeld } = useTelling(notices);
  const [isOpen, setOpen] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const ids = { panel: useId(), heading: useId() };
  const unseen = list.data?.pages[0]?.unseen ?? 0;
  return (
    <div className="notice-place">
      <IconButton
        variant="ghost"
        color="gray"
        aria-label={bellLabel(unseen)}
        title={bellLabel(unseen)}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        popoverTarget={ids.panel}
      >
        <Icon name="bell" />
        {unseen > 0 && (
          <span className="notice-count" aria-hidden="true">
            {bellCount(unseen)}
          </span>
        )}
      </IconButton>
      {/* The browser closes it on Escape and on a click beside it, and gives the focus back. */}
      <div
        ref={panel}
        id={ids.panel}
        popover="auto"
        role="dialog"
        aria-labelledby={ids.heading}
        tabIndex={-1}
        className="notice-panel"
        onToggle={({ newState }) => {
          setOpen(newState === "open");
          if (newState === "open") panel.current?.focus();
        }}
      >
        <h2 id={ids.heading}>{t("Notices")}</h2>
        {isOpen && <Panel list={list} notices={notices ?? []} onClose={() => panel.current?.hidePopover()} />}
      </div>
      {!isOpen && <NoticeToasts lines={lines} onDismiss={dismiss} onHeld={setHeld} />}
      <p className="unseen" role="status">
        {announcement}
      </p>
    </div>
  );
}

function Panel({ list, notices, onClose }: { list: Listed; notices: readonly Notice[]; onClose: () => void }) {
  const seeing = useSeeing();
  const nowMs = useNow();
  const [first] = list.data?.pages ?? [];
  const games = useMemo(() => [...new Set(notices.map(({ game }) => game ?? "unsorted"))], [notices]);
  const newest = notices[0]?.number ?? 0;
  const trouble = list.error ?? seeing.error;
  return (
    <>
      {(first?.unseen ?? 0) > 0 && (
        <Button size="1" variant="soft" className="notice-seen" onClick={() => seeing.mutate(newest)}>
          {t("Mark all as seen")}
        </Button>
      )}
      {trouble && (
        <p className="notice-trouble" role="alert">
          {trouble.message}
        </p>
      )}
      {first?.notices.length === 0 && (
        <p className="notice-hint">
          {t(
            "Nothing yet. New errors, errors that come back and errors that become ten times as many are listed here.",
          )}
        </p>
      )}
      <NoticeList notices={notices} nowMs={nowMs} onFollow={onClose} />
      {list.hasNextPage && (
        <Button size="1" variant="soft" color="gray" onClick={() => void list.fetchNextPage()}>
          {t("Show older")}
        </Button>
      )}
      {!list.hasNextPage && (first?.gone ?? 0) > 0 && (
        <p className="notice-hint">
          {t("{{count, number}} older ones are no longer kept.", {
            count: first?.gone ?? 0,
            defaultValue_one: "1 older one is no longer kept.",
          })}
        </p>
      )}
      <NoticeSettingsSection games={games} />
    </>
  );
}
