// The rows of the Rules page, grouped by game. Only rows in view are drawn, so that ten thousand ids scroll as fast as
// ten.
import type { EventIdRule, PostRule } from "@kit/contract";
import { Badge, Button, Switch } from "@radix-ui/themes";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { t } from "../../language/language.ts";
import { postRulesAddress } from "../../ui/address.ts";
import { formatNumber } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { gameName } from "../../ui/names.ts";
import { useNow } from "../../ui/use-now.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import { RowIcon } from "./event-icon.tsx";
import { eventsFileName } from "./events-file.ts";
import {
  createListItems,
  type EventIdRow,
  eventActivity,
  matchingPostRules,
  type RuleListItem,
  suggestedId,
} from "./rule-rows.ts";
import { eventKindText, priorityText, recordingActionIcons, recordingOutcomeText, timeAgo } from "./rule-text.ts";

type Props = {
  rows: readonly EventIdRow[];
  /** Key of the row that is open in the panel. */
  open: string | undefined;
  /** The element that scrolls the list. */
  scroller: RefObject<HTMLElement | null>;
  confirmedIds: ReadonlySet<string>;
  postRules: readonly PostRule[];
  onOpen: (row: EventIdRow) => void;
  onSwitch: (row: EventIdRow, rule: EventIdRule, enabled: boolean) => void;
  onExport: (game: string) => void;
};

const rowPx = 62;
const gamePx = 52;
/** Height of the sticky header above the rows. */
const headPx = 130;

function useRowVirtualizer({
  items,
  scroller,
  stop,
}: {
  items: readonly RuleListItem[];
  scroller: Props["scroller"];
  stop: number;
}) {
  const list = useRef<HTMLDivElement>(null);
  const [above, setAbove] = useState(0);
  // Measured after every render, because a banner that appears above the list moves it down.
  useLayoutEffect(() => setAbove(list.current?.offsetTop ?? 0));
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (items[index]?.type === "game" ? gamePx : rowPx),
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 8,
    scrollMargin: above,
    scrollPaddingStart: headPx,
    // The focused row is always drawn: without it, the keyboard focus would be lost.
    rangeExtractor: (range: Range) =>
      stop < 0
        ? defaultRangeExtractor(range)
        : [...new Set([...defaultRangeExtractor(range), stop])].sort((a, b) => a - b),
  });
  return { list, above, virtual };
}

/**
 * Moves the focus between rows when an arrow key, Home or End is pressed. Scrolls to a row first, because only rows in
 * view are drawn.
 */
function useArrowKeys(
  items: readonly RuleListItem[],
  list: RefObject<HTMLDivElement | null>,
  scrollTo: (index: number) => void,
) {
  const wanted = useRef<number>(undefined);
  useEffect(() => {
    if (wanted.current === undefined) return;
    const button = list.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] .rule-open`);
    if (!button) return;
    wanted.current = undefined;
    button.focus({ preventScroll: true });
  });
  return (event: KeyboardEvent<HTMLElement>, at: number): number | undefined => {
    const step = event.key === "ArrowDown" || event.key === "Home" ? 1 : -1;
    const from = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (from === undefined) return undefined;
    event.preventDefault();
    let to = from;
    while (items[to]?.type === "game") to += step;
    if (items[to] === undefined) return undefined;
    wanted.current = to;
    scrollTo(to);
    return to;
  };
}

export function RuleList({ rows, open, scroller, confirmedIds, postRules, onOpen, onSwitch, onExport }: Props) {
  const items = useMemo(() => createListItems(rows), [rows]);
  const [lastFocused, setLastFocused] = useState<string>();
  const nowMs = useNow();
  const indexOf = useMemo(() => new Map(items.map(({ key }, index) => [key, index])), [items]);
  const stop =
    indexOf.get(lastFocused ?? "") ?? indexOf.get(open ?? "") ?? items.findIndex(({ type }) => type === "row");
  const { list, above, virtual } = useRowVirtualizer({ items, scroller, stop });
  const arrow = useArrowKeys(
    items,
    list,
    useCallback((index) => virtual.scrollToIndex(index), [virtual]),
  );
  const opened = useRef(false);
  useEffect(() => {
    // Scrolls to the row that the address names, once the rows are loaded.
    const index = indexOf.get(open ?? "");
    if (opened.current || index === undefined) return;
    opened.current = true;
    virtual.scrollToIndex(index, { align: "center" });
  }, [indexOf, open, virtual]);
  const draw = (item: RuleListItem, index: number) => {
    if (item.type === "game") return <GameHeading game={item.game} count={item.count} onExport={onExport} />;
    const { row } = item;
    return (
      <RuleRow
        row={row}
        suggestion={suggestedId(row, confirmedIds)}
        postRules={postRules}
        nowMs={nowMs}
        open={row.key === open}
        tabStop={index === stop}
        onOpen={() => onOpen(row)}
        onVisit={() => setLastFocused(row.key)}
        onKeyDown={(event) => {
          const to = arrow(event, index);
          if (to !== undefined) setLastFocused(items[to]?.key);
        }}
        onSwitch={(rule, enabled) => onSwitch(row, rule, enabled)}
      />
    );
  };
  return (
    <div ref={list} className="rule-items" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const item = items[index];
        return item === undefined ? null : (
          <div
            key={String(key)}
            ref={virtual.measureElement}
            className="rule-item"
            data-index={index}
            style={{ transform: `translateY(${start - above}px)` }}
          >
            {draw(item, index)}
          </div>
        );
      })}
    </div>
  );
}

type HeadingProps = { game: string | null; count: number; onExport: (game: string) => void };

function GameHeading({ game, count, onExport }: HeadingProps) {
  const name = gameName(game, 100);
  return (
    <header className="cluster rule-game">
      <h2 className="ellipsis">
        <bdi>{name}</bdi>
      </h2>
      <span className="small quiet">
        {t("{{count, number}} events", { count, defaultValue_one: "{{count, number}} event" })}
      </span>
      {game !== null && (
        <Button
          className="end"
          size="1"
          variant="ghost"
          color="gray"
          aria-label={t("Export kit.events.json of {{name}}", { name })}
          onClick={() => onExport(game)}
        >
          <Icon name="download" size={14} />
          {eventsFileName}
        </Button>
      )}
    </header>
  );
}

type RuleRowProps = {
  row: EventIdRow;
  suggestion: string | undefined;
  postRules: readonly PostRule[];
  nowMs: number;
  open: boolean;
  /** Only this row is in the tab order; the arrow keys move between rows. */
  tabStop: boolean;
  onOpen: () => void;
  onVisit: () => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  onSwitch: (rule: EventIdRule, enabled: boolean) => void;
};

/** A row of the Rules page: an event id, what Kit makes of it, its post rules, its events and its switches. */
function RuleRow({ row, suggestion, postRules, nowMs, open, tabStop, ...handlers }: RuleRowProps) {
  const name = visibleLine(row.words, 80);
  const tabIndex = tabStop ? 0 : -1;
  return (
    <article
      className="rule-row"
      data-open={open}
      data-off={row.rules.every(({ enabled }) => !enabled)}
      aria-label={name}
      onFocus={handlers.onVisit}
    >
      <button
        type="button"
        className="bare rule-open"
        aria-current={open}
        aria-label={t("Edit: {{name}}", { name })}
        tabIndex={tabIndex}
        onClick={handlers.onOpen}
        onKeyDown={handlers.onKeyDown}
      >
        <span className="rule-icon">
          <RowIcon row={row} />
        </span>
        <bdi className="rule-words ellipsis">{name}</bdi>
        <bdi className="code quiet ellipsis">{visibleLine(row.eventId, 200)}</bdi>
      </button>
      <Outcome row={row} />
      <PostRulesLink row={row} postRules={postRules} tabIndex={tabIndex} />
      <Activity row={row} nowMs={nowMs} />
      <div className="rule-switches small quiet">
        {row.rules.map((rule) => (
          <span key={rule.kind} className="with-icon">
            <span aria-hidden="true">{eventKindText(rule.kind)}</span>
            <Switch
              size="1"
              tabIndex={tabIndex}
              checked={rule.enabled}
              aria-label={t("{{kind}}: accept {{name}}", { kind: eventKindText(rule.kind), name })}
              onCheckedChange={(enabled) => handlers.onSwitch(rule, enabled)}
            />
          </span>
        ))}
      </div>
      {suggestion !== undefined && (
        <button type="button" className="bare rule-meant with-icon small" tabIndex={tabIndex} onClick={handlers.onOpen}>
          <Icon name="question" size={14} />
          <bdi>{t("Did you mean {{name}}?", { name: visibleLine(suggestion, 200) })}</bdi>
        </button>
      )}
    </article>
  );
}

function Outcome({ row: { recording, rules } }: { row: EventIdRow }) {
  if (recording === undefined) return <div className="rule-makes" />;
  const isActive = recording.action !== "nothing" && rules.some(({ kind, enabled }) => kind === "recording" && enabled);
  return (
    <div className="rule-makes">
      <Badge color={isActive ? "iris" : "gray"} variant={recording.changed ? "soft" : "outline"}>
        <Icon name={recordingActionIcons[recording.action]} size={12} />
        {recordingOutcomeText(recording)}
      </Badge>
      {recording.action !== "nothing" && (
        <span className="small quiet" title={formatNumber(recording.priority)}>
          {priorityText(recording.priority)}
        </span>
      )}
    </div>
  );
}

function PostRulesLink({ row, postRules, tabIndex }: Pick<RuleRowProps, "row" | "postRules"> & { tabIndex: number }) {
  const isSocial = row.rules.some(({ kind }) => kind === "social");
  const count = isSocial ? matchingPostRules(row, postRules).length : 0;
  return (
    <div className="rule-posts small">
      {isSocial && (
        <a href={postRulesAddress(count > 0 ? undefined : row.eventId)} tabIndex={tabIndex}>
          {count > 0
            ? t("Posts: {{count, number}} rules", { count, defaultValue_one: "Posts: {{count, number}} rule" })
            : t("No post rule")}
        </a>
      )}
    </div>
  );
}

function Activity({ row, nowMs }: Pick<RuleRowProps, "row" | "nowMs">) {
  const { count, lastAt } = eventActivity(row);
  if (lastAt === null) return <div className="rule-came small quiet">{t("Never received")}</div>;
  return (
    <div className="rule-came small quiet">
      <time dateTime={lastAt}>{timeAgo(lastAt, nowMs)}</time>
      <span>{t("{{count, number}} times", { count, defaultValue_one: "once" })}</span>
    </div>
  );
}
