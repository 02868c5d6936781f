// The Live page: everything games send, the moment it arrives, and what became of it.
import "../../ui/list-page.css";
import "../../ui/event-list.css";
import "../../ui/details.css";
import { Button, IconButton } from "@radix-ui/themes";
import { useMutation } from "@tanstack/react-query";
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { everything, isNarrow, type LiveFilter, passesView } from "../../api/event-filter.ts";
import type { Row } from "../../api/event-row.ts";
import { rowsMax } from "../../api/feed.ts";
import type { Connection } from "../../api/follow-feed.ts";
import { useGames } from "../../api/use-games.ts";
import { locale, t } from "../../language/language.ts";
import { rowIn } from "../../ui/address.ts";
import { ConsentCards } from "../../ui/consent/consent-cards.tsx";
import { DecidedOrigins } from "../../ui/consent/decided-origins.tsx";
import { RowList } from "../../ui/event-list.tsx";
import { HelpDialog } from "../../ui/help-dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useShortcutSwitch, useShortcuts } from "../../ui/shortcuts.ts";
import { StorageBanner } from "../../ui/storage-banner.tsx";
import { useAnnouncement } from "./announcement.ts";
import { EmptyState, NothingMatches } from "./empty-state.tsx";
import { EventDetails } from "./event-details.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { LiveHead } from "./live-head.tsx";
import { RefusalDetails } from "./refusal-details.tsx";
import { useFeed } from "./use-feed.ts";
import { type FilterChange, useFilter } from "./use-filter.ts";

type LoadProps = { says: string; onLoad: () => Promise<void> };

function LoadButton({ says, onLoad }: LoadProps) {
  const load = useMutation({ mutationFn: onLoad });
  return (
    <>
      <Button variant="soft" color="gray" disabled={load.isPending} onClick={() => load.mutate()}>
        {says}
      </Button>
      {load.error && <span role="alert">{load.error.message}</span>}
    </>
  );
}

/** The lines around the rows that say what is not among them, and fetch it. */
function Skipped({ count, onLoad }: { count: number; onLoad: () => Promise<void> }) {
  return (
    <div className="notice-line">
      <p role="status">
        {t("{{events}} more arrived than the page could show.", { events: count.toLocaleString(locale()) })}
      </p>
      <LoadButton says={t("Load them")} onLoad={onLoad} />
    </div>
  );
}

function Older({ rows, onLoad }: { rows: number; onLoad: () => Promise<void> }) {
  return (
    <div className="notice-line">
      {rows >= rowsMax ? (
        <p>{t("The newest {{rows}} are shown. Kit keeps the older ones.", { rows: rowsMax })}</p>
      ) : (
        <LoadButton says={t("Show older")} onLoad={onLoad} />
      )}
    </div>
  );
}

type Props = { row: Row; games: readonly string[]; onClose: () => void };

/** Where the pane covers the rows, the keyboard has to move with the eyes. */
const covers = matchMedia("(max-width: 959px)");

/** The pane beside the rows: everything about the selected one. */
function Details({ row, games, onClose }: Props) {
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (covers.matches) close.current?.focus();
  }, []);
  return (
    <aside className="details" aria-label={t("Details")} data-testid="details">
      <IconButton
        ref={close}
        className="details-close"
        variant="ghost"
        color="gray"
        aria-label={t("Close the details")}
        title={t("Close (Esc)")}
        onClick={onClose}
      >
        <Icon name="close" />
      </IconButton>
      {row.type === "event" ? (
        <EventDetails key={row.key} row={row} games={games} />
      ) : (
        <RefusalDetails refusal={row.refusal} />
      )}
    </aside>
  );
}

/** The row whose details are open. It stays open when it leaves the list. */
function useSelection(rows: readonly Row[]) {
  const [selected, setSelected] = useState(() => rowIn(location.hash));
  const last = useRef<Row>(undefined);
  const found = rows.find((row) => row.key === selected);
  if (found) last.current = found;
  const row = found ?? (last.current?.key === selected ? last.current : undefined);
  const close = useCallback(() => setSelected(undefined), []);
  // With the details open they follow the arrows; without, one looks before one opens.
  const follow = useCallback((key: string) => setSelected((now) => (now === undefined ? now : key)), []);
  // Back to where the person came from, once the rows can be focused again.
  useEffect(() => {
    const key = last.current?.key;
    if (selected !== undefined || key === undefined) return;
    document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
    last.current = undefined;
  }, [selected]);
  return { selected, row, select: setSelected, follow, close };
}

function focusFirstRow() {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>('.row[tabindex="0"]')?.focus();
}

export function LivePage() {
  const [filter, changeFilter] = useFilter();
  const { feed, connection, loaded, setPaused, refresh, loadOlder } = useFeed(filter);
  const games = useGames().data?.games;
  const rows = useMemo(() => feed.rows.filter((row) => passesView(row, filter)), [feed.rows, filter]);
  const { selected, row, select, follow, close } = useSelection(feed.rows);
  const textField = useRef<HTMLInputElement>(null);
  const help = useHelp({ textField, close, togglePause: () => setPaused(!feed.paused) });
  const announcement = useAnnouncement(feed.arrived);
  useEffect(() => {
    document.title = feed.heldCount > 0 ? `(${feed.heldCount}) Kit` : "Kit";
  }, [feed.heldCount]);

  const gameNames = useMemo(() => namesOf(games, feed.rows), [games, feed.rows]);
  return (
    <div className="live" data-details={row !== undefined}>
      <main className="live-main">
        <StorageBanner />
        <ConsentCards />
        <div className="live-sticky">
          <LiveHead connection={connection} feed={feed} onPause={setPaused} onHelp={help.open} />
          <FilterBar filter={filter} games={gameNames} onChange={changeFilter} textField={textField} />
        </div>
        {feed.skipped > 0 && <Skipped count={feed.skipped} onLoad={refresh} />}
        {rows.length > 0 && <RowList rows={rows} selected={selected} onSelect={select} onFollow={follow} />}
        {rows.length === 0 && loaded && (
          <NoRows filter={filter} onChange={changeFilter} rows={feed.rows} connection={connection} />
        )}
        {feed.more && <Older rows={feed.rows.length} onLoad={loadOlder} />}
        <DecidedOrigins />
        <p className="unseen" role="status">
          {announcement}
        </p>
      </main>
      {row && <Details row={row} games={gameNames} onClose={close} />}
      {help.dialog}
    </div>
  );
}

type HelpNeeds = { textField: RefObject<HTMLInputElement | null>; close: () => void; togglePause: () => void };

/** The keys, and the dialog that explains them. */
function useHelp({ textField, close, togglePause }: HelpNeeds) {
  const [isOpen, setOpen] = useState(false);
  const [shortcuts, setShortcuts] = useShortcutSwitch();
  useShortcuts(shortcuts, {
    "/": () => textField.current?.focus(),
    p: togglePause,
    "?": () => setOpen(true),
    Escape: close,
    ArrowDown: focusFirstRow,
    ArrowUp: focusFirstRow,
  });
  const dialog = (
    <HelpDialog open={isOpen} onClose={() => setOpen(false)} shortcuts={shortcuts} onShortcuts={setShortcuts} />
  );
  return { open: () => setOpen(true), dialog };
}

type NoRowsProps = {
  filter: LiveFilter;
  onChange: (change: FilterChange) => void;
  rows: readonly Row[];
  connection: Connection;
};

function NoRows({ filter, onChange, ...seen }: NoRowsProps) {
  return isNarrow(filter) ? <NothingMatches onClear={() => onChange(nothing)} /> : <EmptyState {...seen} />;
}

const nothing: FilterChange = { game: undefined, kind: undefined, text: undefined, ...everything };

function namesOf(games: readonly { game: string }[] | undefined, rows: readonly Row[]): string[] {
  const seen = rows.flatMap((row) => (row.type === "event" && row.event.game !== null ? [row.event.game] : []));
  return [...new Set([...(games ?? []).map(({ game }) => game), ...seen])].sort((a, b) => a.localeCompare(b));
}
