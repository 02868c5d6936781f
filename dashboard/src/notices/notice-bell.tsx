// The bell in the bar over every page: how many notices nobody has seen, the list of them, and what is new said aloud.
import type { Notice } from "@kit/contract";
import { Button, IconButton } from "@radix-ui/themes";
import { useId, useMemo, useRef, useState } from "react";
import { Icon } from "../frame/icon.tsx";
import { useNow } from "../frame/use-now.ts";
import { t } from "../language/language.ts";
import { NoticeList } from "./notice-list.tsx";
import { NoticeSettingsSection } from "./notice-settings.tsx";
import { NoticeToasts } from "./notice-toasts.tsx";
import { useNoticeList, useSeeing } from "./use-notices.ts";
import { useTelling } from "./use-telling.ts";
import { bellCount, bellLabel } from "./words.ts";
import "./notices.css";

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
