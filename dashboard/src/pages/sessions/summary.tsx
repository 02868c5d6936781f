// What a session came to, before all of it: the best clips, the errors with their issues, what was posted.
import type { Clip, Timeline, TimelineEntry } from "@kit/contract";
import { useMemo, useState } from "react";
import { locale, t } from "../../language/language.ts";
import { ClipPicture } from "../../ui/clips/clip-picture.tsx";
import { momentsWord } from "../../ui/clips/clip-words.ts";
import { Icon } from "../../ui/icon.tsx";
import type { Item } from "../../ui/sessions/session-items.ts";
import { deletedWord, errorsWord, oftenWord, postsWord, timesWord } from "../../ui/sessions/session-words.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import { addressOfItem } from "./item-address.ts";
import { offsetOf } from "./item-words.ts";
import { errorsIn, likelyBest, postsIn } from "./session-texts.ts";
import { useBestClips } from "./use-sessions.ts";

/** Asked for, so that the best can be found among them. */
const likelyMax = 8;
const bestMax = 4;
const linesMax = 4;

type Props = {
  items: readonly Item[];
  startMs: number;
  parts: readonly Timeline[];
  onShow: (item: Item) => void;
};

export function Summary({ items, startMs, parts, onShow }: Props) {
  const likely = useMemo(() => likelyBest(items, likelyMax), [items]);
  const clips = useBestClips(likely);
  const best = clips.slice(0, bestMax).flatMap((clip) => {
    const item = items.find(({ key }) => key === clip.id);
    return item === undefined ? [] : [{ clip, item }];
  });
  const forgotten = parts.at(-1)?.forgotten ?? 0;
  const [spread] = parts;
  const errors = useMemo(() => errorsIn(items), [items]);
  const posts = useMemo(() => postsIn(items), [items]);
  return (
    <div className="session-summary">
      {best.length > 0 && (
        <section aria-label={t("Best moments")}>
          <h2>{t("Best moments")}</h2>
          <ul className="best-clips">
            {best.map(({ clip, item }) => (
              <li key={clip.id}>
                <BestClip clip={clip} at={offsetOf(item, startMs)} onShow={() => onShow(item)} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="session-told">
        <section aria-label={t("Errors")} data-lane="errors">
          <h2>
            <Icon name="warning" size={14} />
            {errors.length === 0 ? t("No errors") : errorsWord(errors.reduce((sum, { count }) => sum + count, 0))}
          </h2>
          <Lines
            lines={errors.map(({ entry, count }) => ({
              entry,
              count,
              often: entry.issue !== null && spread ? oftenWord(entry.issue, spread) : undefined,
            }))}
          />
        </section>
        {posts.length > 0 && (
          <section aria-label={t("Posts")} data-lane="posts">
            <h2>
              <Icon name="megaphone" size={14} />
              {postsWord(posts.length)}
            </h2>
            <Lines lines={posts.map((entry) => ({ entry, count: 1 }))} />
          </section>
        )}
      </div>
      {forgotten > 0 && <p className="session-wait">{deletedWord(forgotten)}</p>}
    </div>
  );
}

type Line = { readonly entry: TimelineEntry; readonly count: number; readonly often?: string | undefined };

function Lines({ lines }: { lines: readonly Line[] }) {
  if (lines.length === 0) return null;
  return (
    <ul>
      {lines.slice(0, linesMax).map(({ entry, count, often }) => (
        <li key={entry.id}>
          <a href={addressOfItem({ entry })}>
            <bdi>{visibleLine(entry.label, 160)}</bdi>
          </a>
          {count > 1 && <span>{timesWord({ count })}</span>}
          {often && <span className="session-often">{often}</span>}
        </li>
      ))}
      {lines.length > linesMax && (
        <li className="session-wait">
          {t("and {{number}} more below", { number: (lines.length - linesMax).toLocaleString(locale()) })}
        </li>
      )}
    </ul>
  );
}

function BestClip({ clip, at, onShow }: { clip: Clip; at: string; onShow: () => void }) {
  const [lively, setLively] = useState(false);
  return (
    <button
      type="button"
      className="best-clip"
      onClick={onShow}
      onMouseEnter={() => setLively(true)}
      onMouseLeave={() => setLively(false)}
      onFocus={() => setLively(true)}
      onBlur={() => setLively(false)}
    >
      <ClipPicture clip={clip} lively={lively} />
      <bdi className="clip-title">{visibleLine(clip.title, 120)}</bdi>
      <span className="best-about">
        {clip.events.length > 1
          ? t("at {{time}} · {{moments}}", { time: at, moments: momentsWord(clip.events.length) })
          : t("at {{time}}", { time: at })}
      </span>
    </button>
  );
}
