// The alert bell of the top bar: unread count, list of alerts, and toasts for new ones.
import "./alerts.css";
import { emptyDigestState, type Notice, nextAlerts } from "@kit/contract";
import { Button, IconButton } from "@radix-ui/themes";
import { useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import { t } from "../../language/language.ts";
import { issuesAddress } from "../address.ts";
import { ErrorText } from "../error-text.tsx";
import { formatDateTime, formatRelativeTime } from "../format.ts";
import { Icon } from "../icon.tsx";
import { gameName } from "../names.ts";
import { useNow } from "../use-now.ts";
import { AlertSettings } from "./alert-settings.tsx";
import {
  type AlertLine,
  alertHeadline,
  alertTitle,
  bellCountText,
  bellLabel,
  spokenAlerts,
  toAlertLine,
  useAlertList,
  useMarkAlertsSeen,
} from "./alerts.ts";

const shownMs = 10_000;
const linesMax = 6;

type ShownLine = AlertLine & { readonly key: number };

/**
 * Returns the toasts for new alerts: a few are shown one by one, a flood as a digest. Alerts from before the page was
 * opened get none.
 */
function useNewAlerts(notices: readonly Notice[] | undefined) {
  const announcedUpTo = useRef<number>(undefined);
  const told = useRef(emptyDigestState);
  const keys = useRef(0);
  const [dueMs, setDueMs] = useState<number | null>(null);
  const [lines, setLines] = useState<readonly ShownLine[]>([]);
  const [announcement, setAnnouncement] = useState("");
  const [isHeld, setHeld] = useState(false);

  const announce = useCallback((news: readonly Notice[]) => {
    const { state: after, alerts: says } = nextAlerts(told.current, news, Date.now());
    told.current = after;
    setDueMs(after.dueMs);
    if (says.length === 0) return;
    const said = says.map((saying): ShownLine => {
      keys.current += 1;
      return { ...toAlertLine(saying), key: keys.current };
    });
    setLines((before) => [...before, ...said].slice(-linesMax));
    setAnnouncement(spokenAlerts(said));
  }, []);

  useEffect(() => {
    if (notices === undefined) return;
    const newest = notices[0]?.number ?? 0;
    const before = announcedUpTo.current ?? newest;
    announcedUpTo.current = Math.max(before, newest);
    const news = notices.filter(({ number, quiet, seen }) => number > before && !quiet && !seen);
    if (news.length > 0) announce(news.reverse());
  }, [notices, announce]);
  useEffect(() => {
    if (dueMs === null) return;
    const timer = setTimeout(() => announce([]), Math.max(0, dueMs - Date.now()));
    return () => clearTimeout(timer);
  }, [dueMs, announce]);
  useEffect(() => {
    // A toast stays while the pointer or the focus is on it.
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

type AlertToastsProps = { lines: readonly ShownLine[]; onDismiss: () => void; onHeld: (isHeld: boolean) => void };

/** Shows new alerts for a few seconds at the bottom of the window. Screen readers get them from a separate status element. */
function AlertToasts({ lines, onDismiss, onHeld }: AlertToastsProps) {
  if (lines.length === 0) return null;
  return (
    <section
      className="notice-toasts floating scroll"
      aria-label={t("New alerts")}
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
      <IconButton size="1" variant="ghost" color="gray" aria-label={t("Dismiss these alerts")} onClick={onDismiss}>
        <Icon name="close" size={14} />
      </IconButton>
    </section>
  );
}

function ToastLine({ line: { says, title, issue }, onFollow }: { line: AlertLine; onFollow: () => void }) {
  if (issue === undefined) return <p>{says}</p>;
  return (
    <a href={issuesAddress(issue)} onClick={onFollow}>
      <strong>{says}</strong>
      <span className="notice-title clamp">{title}</span>
    </a>
  );
}

type Props = { notices: readonly Notice[]; nowMs: number; onFollow: () => void };

/** The alerts, newest first, each with a link to its issue. */
function AlertList({ notices, nowMs, onFollow }: Props) {
  return (
    <ol className="notice-list">
      {notices.map((notice) => (
        <li key={notice.number} data-unseen={!notice.seen && !notice.quiet} data-kind={notice.kind}>
          <a href={issuesAddress(notice.issue)} onClick={onFollow}>
            <strong>
              {!notice.seen && !notice.quiet && <span className="unseen">{t("Unread:")} </span>}
              {alertHeadline(notice)}
            </strong>
            <span className="notice-title clamp">{alertTitle(notice)}</span>
            <span className="small quiet">
              {gameName(notice.game)} ·{" "}
              <time dateTime={notice.at} title={formatDateTime(notice.at)}>
                {formatRelativeTime(notice.at, nowMs)}
              </time>
              {notice.quiet && ` · ${t("silenced")}`}
            </span>
          </a>
        </li>
      ))}
    </ol>
  );
}

type AlertQuery = ReturnType<typeof useAlertList>;

export function AlertBell() {
  const list = useAlertList();
  const notices = useMemo(() => list.data?.pages.flatMap((page) => page.notices), [list.data]);
  const { lines, announcement, dismiss, setHeld } = useNewAlerts(notices);
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
          <span className="count notice-count" aria-hidden="true">
            {bellCountText(unseen)}
          </span>
        )}
      </IconButton>
      {/* The browser closes this popover on Escape or a click outside it, and then restores the focus. */}
      <div
        ref={panel}
        id={ids.panel}
        popover="auto"
        role="dialog"
        aria-labelledby={ids.heading}
        tabIndex={-1}
        className="panel notice-panel scroll"
        onToggle={({ target, currentTarget, newState }) => {
          // React also passes on this event of the settings inside.
          if (target !== currentTarget) return;
          setOpen(newState === "open");
          if (newState === "open") panel.current?.focus();
        }}
      >
        <h2 id={ids.heading}>{t("Alerts")}</h2>
        {isOpen && <Panel list={list} notices={notices ?? []} onClose={() => panel.current?.hidePopover()} />}
      </div>
      {!isOpen && <AlertToasts lines={lines} onDismiss={dismiss} onHeld={setHeld} />}
      <p className="unseen" role="status">
        {announcement}
      </p>
    </div>
  );
}

function Panel({ list, notices, onClose }: { list: AlertQuery; notices: readonly Notice[]; onClose: () => void }) {
  const seeing = useMarkAlertsSeen();
  const nowMs = useNow();
  const [first] = list.data?.pages ?? [];
  const games = useMemo(() => [...new Set(notices.map(({ game }) => game ?? "unsorted"))], [notices]);
  const newest = notices[0]?.number ?? 0;
  const trouble = list.error ?? seeing.error;
  return (
    <>
      {(first?.unseen ?? 0) > 0 && (
        <Button size="1" variant="soft" onClick={() => seeing.mutate(newest)}>
          {t("Mark all as seen")}
        </Button>
      )}
      <ErrorText error={trouble} />
      {first?.notices.length === 0 && (
        <p className="small quiet">
          {t("No alerts yet. Kit lists new errors, regressed errors and errors with ten times as many reports here.")}
        </p>
      )}
      <AlertList notices={notices} nowMs={nowMs} onFollow={onClose} />
      {list.hasNextPage && (
        <Button size="1" variant="soft" color="gray" onClick={() => void list.fetchNextPage()}>
          {t("Show older")}
        </Button>
      )}
      {!list.hasNextPage && (first?.gone ?? 0) > 0 && (
        <p className="small quiet">
          {t("{{count, number}} older alerts were removed.", {
            count: first?.gone ?? 0,
            defaultValue_one: "1 older alert was removed.",
          })}
        </p>
      )}
      <AlertSettings games={games} />
    </>
  );
}
