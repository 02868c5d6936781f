// The list of events, newest first, grouped by day. Only one row is in the tab order; arrow keys move between rows.
import "./event-list.css";
import { fieldName } from "@kit/contract";
import { Badge } from "@radix-ui/themes";
import { type KeyboardEvent, memo, useCallback, useState } from "react";
import type { EventRow, LiveRow, RefusalRow } from "../api/event-row.ts";
import { t, translateFieldError, translateMessage } from "../language/language.ts";
import { groupByDay } from "./format.ts";
import { KindLabel, StateBadge, Time } from "./labels.tsx";
import { eventName, gameName, useNames } from "./names.ts";
import { visibleLine } from "./visible-text.ts";

type Props = {
  rows: readonly LiveRow[];
  selected: string | undefined;
  onSelect: (key: string) => void;
  /** Called with the key of a row to which an arrow key moved the focus. */
  onFollow: (key: string) => void;
};

/** Moves the focus to another row if an arrow key, Home or End was pressed. Returns the key of that row. */
function moveFocus(event: KeyboardEvent<HTMLButtonElement>): string | undefined {
  const rows = event.currentTarget.closest(".rows");
  const buttons = [...(rows?.querySelectorAll<HTMLButtonElement>("button.row") ?? [])];
  const at = buttons.indexOf(event.currentTarget);
  const targets: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 };
  const target = targets[event.key];
  if (target === undefined) return undefined;
  event.preventDefault();
  const button = buttons[Math.max(0, Math.min(target, buttons.length - 1))];
  button?.focus();
  button?.scrollIntoView({ block: "nearest" });
  return button?.dataset.key;
}

export function EventList({ rows, selected, onSelect, onFollow }: Props) {
  const [visited, setVisited] = useState<string>();
  const stop = rows.some((row) => row.key === visited) ? visited : rows[0]?.key;
  // Created once, so that opening the details does not draw every row again.
  const onKeyDown = useCallback(
    (event: KeyboardEvent<HTMLButtonElement>) => {
      const key = moveFocus(event);
      if (key !== undefined) onFollow(key);
    },
    [onFollow],
  );
  return (
    <div className="rows">
      {groupByDay(rows, new Date(), ({ at }) => at).map((day) => (
        <section key={day.key} aria-label={day.says}>
          <h2 className="day">{day.says}</h2>
          <ol>
            {day.rows.map((row) => (
              <RowItem
                key={row.key}
                row={row}
                selected={row.key === selected}
                tabStop={row.key === stop}
                onSelect={onSelect}
                onVisit={setVisited}
                onKeyDown={onKeyDown}
              />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

type ItemProps = {
  row: LiveRow;
  selected: boolean;
  tabStop: boolean;
  onSelect: (key: string) => void;
  onVisit: (key: string) => void;
  onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => void;
};

const RowItem = memo(function RowItem({ row, selected, tabStop, onSelect, onVisit, onKeyDown }: ItemProps) {
  return (
    <li className="row-place" data-fresh={row.fresh}>
      <button
        type="button"
        className="row"
        data-key={row.key}
        data-type={row.type}
        aria-current={selected}
        tabIndex={tabStop ? 0 : -1}
        onFocus={() => onVisit(row.key)}
        // Acts when the mouse button is pressed: before it is released, a new row may have moved this one.
        onMouseDown={(event) => event.button === 0 && onSelect(row.key)}
        onClick={() => onSelect(row.key)}
        onKeyDown={onKeyDown}
      >
        {row.type === "event" ? <EventCells row={row} /> : <RefusalCells row={row} />}
      </button>
    </li>
  );
});

function EventCells({ row: { event } }: { row: EventRow }) {
  useNames();
  const { eventId, game, payload } = event;
  return (
    <>
      <Time at={event.receivedAt} />
      <KindLabel kind={event.kind} />
      <span className="what ellipsis" title={eventId === null ? undefined : visibleLine(eventId)}>
        {eventId === null ? (
          <bdi>{visibleLine(payload.message ?? "")}</bdi>
        ) : (
          <>
            <code>{visibleLine(eventId)}</code> <bdi className="quiet">{eventName(eventId, game)}</bdi>
          </>
        )}
      </span>
      <bdi className="game quiet ellipsis" data-unsorted={game === null}>
        {gameName(game, 100)}
      </bdi>
      <StateBadge state={event.state} />
    </>
  );
}

function RefusalCells({ row: { refusal } }: { row: RefusalRow }) {
  const [first, ...others] = refusal.errors;
  return (
    <>
      <Time at={refusal.at} />
      <KindLabel kind="refused" />
      <bdi className="what ellipsis">
        {first && <code className="member">{visibleLine(fieldName(first.path), 60)}</code>}
        {visibleLine(first === undefined ? translateMessage(refusal.detail) : translateFieldError(first))}
        {others.length > 0 && ` ${t("(and {{count}} more)", { count: others.length })}`}
      </bdi>
      <bdi className="game quiet ellipsis" data-unsorted="true">
        {visibleLine(refusal.path, 60)}
      </bdi>
      <Badge className="state" color="ruby" variant="soft">
        {refusal.status}
      </Badge>
    </>
  );
}
