// The rows by game. Only those in sight are drawn: ten thousand ids scroll as ten do.

import type { PostRule, Rule } from "@kit/contract";
import { Button } from "@radix-ui/themes";
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
import { gameWord } from "../../ui/game-name.ts";
import { Icon } from "../../ui/icon.tsx";
import { useNow } from "../../ui/use-now.ts";
import { eventsFileName } from "./events-file.ts";
import { RuleRow } from "./rule-row.tsx";
import { type EventRow, itemsOf, type ListItem, meantBy } from "./rule-rows.ts";

type Props = {
  rows: readonly EventRow[];
  /** The key of the row that is open. */
  open: string | undefined;
  /** What scrolls. */
  scroller: RefObject<HTMLElement | null>;
  distinct: ReadonlySet<string>;
  postRules: readonly PostRule[];
  onOpen: (row: EventRow) => void;
  onTurn: (row: EventRow, rule: Rule, enabled: boolean) => void;
  onExport: (game: string) => void;
};

const rowPx = 62;
const gamePx = 52;
/** What stays over the rows at the top. */
const headPx = 130;

function useWindow({
  items,
  scroller,
  stop,
}: {
  items: readonly ListItem[];
  scroller: Props["scroller"];
  stop: number;
}) {
  const list = useRef<HTMLDivElement>(null);
  const [above, setAbove] = useState(0);
  // A banner above moves the list down.
  useLayoutEffect(() => setAbove(list.current?.offsetTop ?? 0));
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (items[index]?.type === "game" ? gamePx : rowPx),
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 8,
    scrollMargin: above,
    scrollPaddingStart: headPx,
    // The row with the focus stays in the page, or the keyboard would lose its place.
    rangeExtractor: (range: Range) =>
      stop < 0
        ? defaultRangeExtractor(range)
        : [...new Set([...defaultRangeExtractor(range), stop])].sort((a, b) => a - b),
  });
  return { list, above, virtual };
}

/** The arrows go through the rows; the one they reach is scrolled to, drawn and focused. */
function useArrows(
  items: readonly ListItem[],
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

export function RuleList({ rows, open, scroller, distinct, postRules, onOpen, onTurn, onExport }: Props) {
  const items = useMemo(() => itemsOf(rows), [rows]);
  const [visited, setVisited] = useState<string>();
  const nowMs = useNow();
  const indexOf = useMemo(() => new Map(items.map(({ key }, index) => [key, index])), [items]);
  const stop = indexOf.get(visited ?? "") ?? indexOf.get(open ?? "") ?? items.findIndex(({ type }) => type === "row");
  const { list, above, virtual } = useWindow({ items, scroller, stop });
  const arrow = useArrows(
    items,
    list,
    useCallback((index) => virtual.scrollToIndex(index), [virtual]),
  );
  const opened = useRef(false);
  useEffect(() => {
    // Once, for who comes by an address that names an id; later it was opened from where it is.
    const index = indexOf.get(open ?? "");
    if (opened.current || index === undefined) return;
    opened.current = true;
    virtual.scrollToIndex(index, { align: "center" });
  }, [indexOf, open, virtual]);
  const draw = (item: ListItem, index: number) => {
    if (item.type === "game") return <GameHeading {...item} onExport={onExport} />;
    const { row } = item;
    return (
      <RuleRow
        row={row}
        meant={meantBy(row, distinct)}
        postRules={postRules}
        nowMs={nowMs}
        open={row.key === open}
        tabStop={index === stop}
        onOpen={() => onOpen(row)}
        onVisit={() => setVisited(row.key)}
        onKeyDown={(event) => {
          const to = arrow(event, index);
          if (to !== undefined) setVisited(items[to]?.key);
        }}
        onTurn={(rule, enabled) => onTurn(row, rule, enabled)}
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
  const name = gameWord(game, 100);
  return (
    <header className="rule-game">
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <span>{t("{{count, number}} events", { count, defaultValue_one: "{{count, number}} event" })}</span>
      {game !== null && (
        <Button
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
