// The Live page: all events as they arrive, and what became of each.
import { engines, eventKinds, getReceipt, type WebOrigin } from "@kit/contract";
import { Button, IconButton, Tabs } from "@radix-ui/themes";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { isLiveFiltered, type LiveFilter, matchesPageFilter, unfilteredEvents } from "../../api/address-filters.ts";
import { createEventRow, type LiveRow } from "../../api/event-row.ts";
import { liveRowsMax } from "../../api/feed.ts";
import type { FeedConnection } from "../../api/follow-feed.ts";
import { useClient } from "../../api/session.ts";
import { useGames } from "../../api/use-games.ts";
import { useConsentActions, useOrigins } from "../../api/use-origins.ts";
import { t } from "../../language/language.ts";
import { connectAddress, rowFromAddress } from "../../ui/address.ts";
import { CommandLine } from "../../ui/copy-button.tsx";
import { DemoPanel } from "../../ui/demo-panel.tsx";
import { EmptyState, NoMatches, SendFromTerminal, waitingForFirstEvent } from "../../ui/empty.tsx";
import { EventList } from "../../ui/event-list.tsx";
import { eventKindLabel } from "../../ui/event-text.ts";
import { GameChoice, KindChoice, SearchField, SwitchField } from "../../ui/fields.tsx";
import { formatDay } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { Page, useTitle } from "../../ui/page.tsx";
import { ProblemList } from "../../ui/problems/problem-list.tsx";
import { usePageKeys } from "../../ui/shortcuts.tsx";
import { visibleText } from "../../ui/visible-text.ts";
import { EventDetails } from "./event-details.tsx";
import { type LiveFilterChange, LiveHead, useLiveFilter } from "./live-head.tsx";
import { RefusalDetails } from "./refusal-details.tsx";
import { useAnnouncement, useFeed } from "./use-feed.ts";

function consentText({ state, expiresAt }: WebOrigin): string {
  if (state === "blocked") return t("Blocked");
  if (state === "until-exit") return t("Allowed until Kit exits");
  return expiresAt === null ? t("Allowed") : t("Allowed until {{date}}", { date: formatDay(expiresAt) });
}

/** The web origins that a person allowed or blocked, each with a button to ask again. */
function DecidedOrigins() {
  const decided = useOrigins().data?.origins.filter((origin) => origin.state !== "pending") ?? [];
  const { forget } = useConsentActions();
  if (decided.length === 0) return null;
  return (
    <details className="decided">
      <summary>{t("Allowed and blocked web pages ({{count}})", { count: decided.length })}</summary>
      <ul className="lines">
        {decided.map((origin) => (
          <li key={origin.origin} className="cluster">
            <bdi className="code">{visibleText(origin.origin)}</bdi>
            <span>{consentText(origin)}</span>
            <Button
              size="1"
              variant="soft"
              color="gray"
              aria-label={t("Ask again for {{origin}}", { origin: visibleText(origin.origin) })}
              disabled={forget.isPending}
              onClick={() => forget.mutate(origin.origin)}
            >
              {t("Ask again")}
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}

type FilterBarProps = {
  filter: LiveFilter;
  games: readonly string[];
  onChange: (change: LiveFilterChange) => void;
  textField: RefObject<HTMLInputElement | null>;
};

function FilterBar({ filter, games, onChange, textField }: FilterBarProps) {
  return (
    <search className="filters" aria-label={t("Filter the events")}>
      <SearchField
        field={textField}
        label={t("Show only rows that contain these words")}
        placeholder={t("Filter")}
        text={filter.text ?? ""}
        onChange={(text) => onChange({ text: text || undefined })}
      />
      <GameChoice chosen={filter.game} games={games} onChange={onChange} />
      <KindChoice kinds={eventKinds} labelOf={eventKindLabel} chosen={filter.kind} onChange={onChange} />
      <SwitchField
        says={t("Refused")}
        on={filter.refusals === "shown"}
        onChange={(on) => onChange({ refusals: on ? "shown" : "hidden" })}
      />
    </search>
  );
}

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

function Skipped({ count, onLoad }: { count: number; onLoad: () => Promise<void> }) {
  return (
    <div className="list-end">
      <p role="status">
        {t("{{count, number}} more events arrived than this page could show.", {
          count,
          defaultValue_one: "{{count, number}} more event arrived than this page could show.",
        })}
      </p>
      <LoadButton says={t("Load these events")} onLoad={onLoad} />
    </div>
  );
}

function Older({ rows, onLoad }: { rows: number; onLoad: () => Promise<void> }) {
  return (
    <div className="list-end">
      {rows >= liveRowsMax ? (
        <p>{t("This page shows the newest {{rows}} rows. Kit still stores the older ones.", { rows: liveRowsMax })}</p>
      ) : (
        <LoadButton says={t("Show older")} onLoad={onLoad} />
      )}
    </div>
  );
}

type Props = { row: LiveRow; games: readonly string[]; onClose: () => void };

/** In small windows the details cover the rows, so the focus must move into the details. */
const isOverlay = matchMedia("(max-width: 959px)");

/** The details of the selected row. */
function Details({ row, games, onClose }: Props) {
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOverlay.matches) close.current?.focus();
  }, []);
  return (
    <aside className="details scroll" aria-label={t("Details")} data-testid="details">
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

/** Fetches an event that the list does not have, because a link may lead to one of any age. */
function useListedOrOlder(key: string | undefined, listed: LiveRow | undefined): LiveRow | undefined {
  const client = useClient();
  const older = useQuery({
    queryKey: ["live", "older", key],
    enabled: key !== undefined && listed === undefined && !key.startsWith("refusal "),
    queryFn: async () => createEventRow((await client.call(getReceipt, { params: { id: key ?? "" } })).event, false),
    retry: false,
  });
  return listed ?? (older.data?.key === key ? older.data : undefined);
}

/** The row whose details are open. They stay open even when the row leaves the list. */
function useSelection(rows: readonly LiveRow[]) {
  const [selected, setSelected] = useState(() => rowFromAddress(location.hash));
  const last = useRef<LiveRow>(undefined);
  const listed = rows.find((row) => row.key === selected);
  const found = useListedOrOlder(selected, listed);
  if (found) last.current = found;
  const row = found ?? (last.current?.key === selected ? last.current : undefined);
  const close = useCallback(() => setSelected(undefined), []);
  // If details are open, an arrow key shows those of the next row. If none are open, it opens none.
  const follow = useCallback((key: string) => setSelected((now) => (now === undefined ? now : key)), []);
  // When the details close, the focus returns to their row.
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
  const [filter, changeFilter] = useLiveFilter();
  const { feed, connection, loaded, setPaused, refresh, loadOlder } = useFeed(filter);
  const games = useGames().data?.games;
  const rows = useMemo(() => feed.rows.filter((row) => matchesPageFilter(row, filter)), [feed.rows, filter]);
  const { selected, row, select, follow, close } = useSelection(feed.rows);
  const textField = useRef<HTMLInputElement>(null);
  const help = usePageKeys({
    "/": () => textField.current?.focus(),
    p: () => setPaused(!feed.paused),
    Escape: close,
    ArrowDown: focusFirstRow,
    ArrowUp: focusFirstRow,
  });
  const announcement = useAnnouncement(feed.arrived);
  useTitle(feed.bufferedCount > 0 ? `(${feed.bufferedCount}) Kit` : "Kit");

  const gameNames = useMemo(() => namesOf(games, feed.rows), [games, feed.rows]);
  return (
    <div className="live" data-details={row !== undefined}>
      <Page>
        <LiveHead connection={connection} feed={feed} onPause={setPaused} onHelp={help.open}>
          <FilterBar filter={filter} games={gameNames} onChange={changeFilter} textField={textField} />
        </LiveHead>
        {feed.skipped > 0 && <Skipped count={feed.skipped} onLoad={refresh} />}
        {rows.length > 0 && <EventList rows={rows} selected={selected} onSelect={select} onFollow={follow} />}
        {rows.length === 0 && loaded && (
          <NoRows filter={filter} onChange={changeFilter} rows={feed.rows} connection={connection} />
        )}
        {feed.more && <Older rows={feed.rows.length} onLoad={loadOlder} />}
        <DecidedOrigins />
        <p className="unseen" role="status">
          {announcement}
        </p>
      </Page>
      {row && <Details row={row} games={gameNames} onClose={close} />}
      {help.dialog}
    </div>
  );
}

type NoRowsProps = {
  filter: LiveFilter;
  onChange: (change: LiveFilterChange) => void;
  rows: readonly LiveRow[];
  connection: FeedConnection;
};

function NoRows({ filter, onChange, ...seen }: NoRowsProps) {
  return isLiveFiltered(filter) ? (
    <NoMatches
      title={t("Nothing matches these filters")}
      hint={t("New matches appear here automatically.")}
      clearLabel={t("Show everything")}
      onClear={() => onChange(nothing)}
    />
  ) : (
    <NoEventsYet {...seen} />
  );
}

/** Shown before the first event: the line of game code for each engine, and a command that sends an event. */
function NoEventsYet({ rows, connection }: Pick<NoRowsProps, "rows" | "connection">) {
  return (
    <EmptyState title={waitingForFirstEvent()} isNew>
      <p>{t("Add one line to your game. The event appears here as soon as that line runs.")}</p>
      <ProblemList rows={rows} connection={connection} />
      <Tabs.Root className="engines" defaultValue={engines[0]?.binding ?? ""}>
        <Tabs.List aria-label={t("Engine")}>
          {engines.map(({ binding, name }) => (
            <Tabs.Trigger key={binding} value={binding}>
              {name}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {engines.map(({ binding, name, line }) => (
          <Tabs.Content key={binding} value={binding}>
            <CommandLine command={line} prompt="" />
            <p>
              <a href={connectAddress(binding)}>
                {t("First add Kit to the game: steps for {{engine}}", { engine: name })}
              </a>
            </p>
          </Tabs.Content>
        ))}
      </Tabs.Root>
      <SendFromTerminal />
      <DemoPanel />
    </EmptyState>
  );
}

const nothing: LiveFilterChange = { game: undefined, kind: undefined, text: undefined, ...unfilteredEvents };

function namesOf(games: readonly { game: string }[] | undefined, rows: readonly LiveRow[]): string[] {
  const seen = rows.flatMap((row) => (row.type === "event" && row.event.game !== null ? [row.event.game] : []));
  return [...new Set([...(games ?? []).map(({ game }) => game), ...seen])].sort((a, b) => a.localeCompare(b));
}
