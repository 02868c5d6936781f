// What a session came to, before all of it: the best clips, the errors with their issues, what was posted.
import type { Clip, TimelineEntry } from "@kit/contract";
import { useMemo, useState } from "react";
import { ClipPicture } from "../clips/clip-picture.tsx";
import { momentsWord } from "../clips/words.ts";
import { Icon } from "../frame/icon.tsx";
import { visibleLine } from "../live/visible-text.ts";
import { addressOfItem } from "./item-address.ts";
import { offsetOf } from "./item-words.ts";
import type { Item } from "./items.ts";
import { errorsTold, likelyBest, postsTold } from "./told.ts";
import { useBestClips } from "./use-sessions.ts";
import { errorsWord, postsWord } from "./words.ts";

/** Asked for, so that the best can be found among them. */
const likelyMax = 8;
const bestMax = 4;
const linesMax = 4;

type Props = {
  items: readonly Item[];
  startMs: number;
  /** Events the journal no longer has. */
  forgotten: number;
  onShow: (item: Item) => void;
};

export function Summary({ items, startMs, forgotten, onShow }: Props) {
  const likely = useMemo(() => likelyBest(items, likelyMax), [items]);
  const clips = useBestClips(likely);
  const best = clips.slice(0, bestMax).flatMap((clip) => {
    const item = items.find(({ key }) => key === clip.id);
    return item === undefined ? [] : [{ clip, item }];
  });
  const errors = useMemo(() => errorsTold(items), [items]);
  const posts = useMemo(() => postsTold(items), [items]);
  return (
    <div className="session-summary">
      {best.length > 0 && (
        <section aria-label="Best moments">
          <h2>Best moments</h2>
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
        <section aria-label="Errors" data-lane="errors">
          <h2>
            <Icon name="warning" size={14} />
            {errors.length === 0 ? "No errors" : errorsWord(errors.reduce((sum, { count }) => sum + count, 0))}
          </h2>
          <Lines lines={errors.map(({ entry, count }) => ({ entry, count }))} />
        </section>
        {posts.length > 0 && (
          <section aria-label="Posts" data-lane="posts">
            <h2>
              <Icon name="megaphone" size={14} />
              {postsWord(posts.length)}
            </h2>
            <Lines lines={posts.map((entry) => ({ entry, count: 1 }))} />
          </section>
        )}
      </div>
      {forgotten > 0 && (
        <p className="session-wait">{forgotten.toLocaleString("en-US")} of its events are no longer kept.</p>
      )}
    </div>
  );
}

function Lines({ lines }: { lines: readonly { entry: TimelineEntry; count: number }[] }) {
  if (lines.length === 0) return null;
  return (
    <ul>
      {lines.slice(0, linesMax).map(({ entry, count }) => (
        <li key={entry.id}>
          <a href={addressOfItem({ entry })}>
            <bdi>{visibleLine(entry.label, 160)}</bdi>
          </a>
          {count > 1 && <span>× {count.toLocaleString("en-US")}</span>}
        </li>
      ))}
      {lines.length > linesMax && <li className="session-wait">and {lines.length - linesMax} more below</li>}
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
        at {at}
        {clip.events.length > 1 && ` · ${momentsWord(clip.events.length)}`}
      </span>
    </button>
  );
}
