// The summary of a session: its best clips, its errors by issue, and its posts.
import type { Clip, Timeline, TimelineEntry } from "@kit/contract";
import { useMemo } from "react";
import { useBestClipsOf } from "../../api/use-clips.ts";
import { locale, t } from "../../language/language.ts";
import { BestReel } from "../../ui/clips/best-reel.tsx";
import { clipTitle, momentCountText } from "../../ui/clips/clip-text.ts";
import { ClipPicture, useHoverOrFocus } from "../../ui/clips/clip-tile.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PageSection } from "../../ui/section.tsx";
import { visibleLine } from "../../ui/visible-text.ts";
import {
  deletedEventsText,
  errorCountText,
  issueFrequencyText,
  occurrencesText,
  sessionPostCountText,
} from "./session-text.ts";
import { itemAddress, itemOffset } from "./timeline/item-text.ts";
import type { TimelineItem } from "./timeline/session-items.ts";
import { errorsByIssue, postEntries } from "./use-sessions.ts";

const bestMax = 4;
const linesMax = 4;

type Props = {
  items: readonly TimelineItem[];
  startMs: number;
  parts: readonly Timeline[];
  onShow: (item: TimelineItem) => void;
};

export function SessionSummary({ items, startMs, parts, onShow }: Props) {
  const { forgotten = 0, session } = parts.at(-1) ?? {};
  const clips = useBestClipsOf(session).data ?? [];
  const best = clips
    .flatMap((clip) => {
      const item = items.find(({ key }) => key === clip.id);
      return item === undefined ? [] : [{ clip, item }];
    })
    .slice(0, bestMax);
  const [firstPart] = parts;
  const errors = useMemo(() => errorsByIssue(items), [items]);
  const posts = useMemo(() => postEntries(items), [items]);
  return (
    <div className="stack">
      {best.length > 0 && (
        <PageSection title={t("Best moments")} end={<BestReel clips={clips} />}>
          <ul className="best-clips">
            {best.map(({ clip, item }) => (
              <li key={clip.id}>
                <BestClip clip={clip} at={itemOffset(item, startMs)} onShow={() => onShow(item)} />
              </li>
            ))}
          </ul>
        </PageSection>
      )}
      <div className="session-told">
        <section aria-label={t("Errors")} data-lane="errors">
          <h2 className="with-icon">
            <Icon name="warning" size={14} />
            {errors.length === 0 ? t("No errors") : errorCountText(errors.reduce((sum, { count }) => sum + count, 0))}
          </h2>
          <Lines
            lines={errors.map(({ entry, count }) => ({
              entry,
              count,
              often: entry.issue !== null && firstPart ? issueFrequencyText(entry.issue, firstPart) : undefined,
            }))}
          />
        </section>
        {posts.length > 0 && (
          <section aria-label={t("Posts")} data-lane="posts">
            <h2 className="with-icon">
              <Icon name="megaphone" size={14} />
              {sessionPostCountText(posts.length)}
            </h2>
            <Lines lines={posts.map((entry) => ({ entry, count: 1 }))} />
          </section>
        )}
      </div>
      {forgotten > 0 && <p className="quiet">{deletedEventsText(forgotten)}</p>}
    </div>
  );
}

type Line = { readonly entry: TimelineEntry; readonly count: number; readonly often?: string | undefined };

function Lines({ lines }: { lines: readonly Line[] }) {
  if (lines.length === 0) return null;
  return (
    <ul className="numbers">
      {lines.slice(0, linesMax).map(({ entry, count, often }) => (
        <li key={entry.id}>
          <a className="ellipsis" href={itemAddress({ entry })}>
            <bdi>{visibleLine(entry.label, 160)}</bdi>
          </a>
          {count > 1 && <span>{occurrencesText({ count })}</span>}
          {often && <span className="end small">{often}</span>}
        </li>
      ))}
      {lines.length > linesMax && (
        <li className="quiet">
          {t("and {{number}} more below", { number: (lines.length - linesMax).toLocaleString(locale()) })}
        </li>
      )}
    </ul>
  );
}

function BestClip({ clip, at, onShow }: { clip: Clip; at: string; onShow: () => void }) {
  const [isActive, handlers] = useHoverOrFocus();
  return (
    <button type="button" className="bare best-clip" onClick={onShow} {...handlers}>
      <ClipPicture clip={clip} isActive={isActive} />
      <bdi className="clip-title ellipsis">{visibleLine(clipTitle(clip), 120)}</bdi>
      <span className="small quiet best-about">
        {clip.events.length > 1
          ? t("at {{time}} · {{moments}}", { time: at, moments: momentCountText(clip.events.length) })
          : t("at {{time}}", { time: at })}
      </span>
    </button>
  );
}
