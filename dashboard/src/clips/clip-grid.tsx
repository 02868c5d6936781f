// The gallery, newest first, by day: cards, and below them quietly what holds no video.
import type { Clip } from "@kit/contract";
import { type KeyboardEvent, useCallback, useState } from "react";
import { clipsAddress } from "../frame/address.ts";
import { byDay } from "../live/days.ts";
import { type CardActions, ClipCard } from "./clip-card.tsx";
import { MarkerList } from "./marker-list.tsx";
import { isMarker } from "./words.ts";

type Props = CardActions & { clips: readonly Clip[]; query: string; nowMs: number };

/** How many cards stand in a line: those as high as the first. */
function columnsOf(cards: readonly HTMLElement[]): number {
  const top = cards[0]?.getBoundingClientRect().top;
  const next = cards.findIndex((card) => card.getBoundingClientRect().top !== top);
  return next === -1 ? cards.length : next;
}

/** Focuses the card that an arrow key means. */
function move(event: KeyboardEvent<HTMLAnchorElement>): void {
  const cards = [...document.querySelectorAll<HTMLElement>(".clip-link")];
  const at = cards.indexOf(event.currentTarget);
  const inDay = [...(event.currentTarget.closest("ul")?.querySelectorAll<HTMLElement>(".clip-link") ?? [])];
  const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };
  const step = steps[event.key] ?? { ArrowDown: columnsOf(inDay), ArrowUp: -columnsOf(inDay) }[event.key];
  const ends: Record<string, number> = { Home: 0, End: cards.length - 1 };
  const target = ends[event.key] ?? (step === undefined ? undefined : at + step);
  if (target === undefined) return;
  event.preventDefault();
  const card = cards[Math.max(0, Math.min(target, cards.length - 1))];
  card?.focus();
  card?.scrollIntoView({ block: "nearest" });
}

export function ClipGrid({ clips, query, nowMs, ...actions }: Props) {
  const [visited, setVisited] = useState<string>();
  const cards = clips.filter((clip) => !isMarker(clip));
  const stop = cards.some(({ id }) => id === visited) ? visited : cards[0]?.id;
  const { onDelete } = actions;
  const onKeyDown = useCallback(
    (event: KeyboardEvent<HTMLAnchorElement>, clip: Clip) => {
      if (event.key === "Delete" && clip.deletedAt === null && clip.state !== "pending") onDelete(clip);
      else move(event);
    },
    [onDelete],
  );
  return (
    <div className="clip-days">
      {byDay(clips, new Date(nowMs), ({ startedAt }) => startedAt).map((day) => (
        <section key={day.key} aria-label={day.says}>
          <h2 className="day">{day.says}</h2>
          {day.rows.some((clip) => !isMarker(clip)) && (
            <ul className="clip-grid">
              {day.rows
                .filter((clip) => !isMarker(clip))
                .map((clip) => (
                  <ClipCard
                    key={clip.id}
                    clip={clip}
                    address={clipsAddress(clip.id, query)}
                    nowMs={nowMs}
                    tabStop={clip.id === stop}
                    onVisit={setVisited}
                    onKeyDown={onKeyDown}
                    {...actions}
                  />
                ))}
            </ul>
          )}
          <MarkerList markers={day.rows.filter(isMarker)} query={query} {...actions} />
        </section>
      ))}
    </div>
  );
}
