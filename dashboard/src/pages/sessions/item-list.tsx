// The same as the track in words: what happened, line by line. For who listens, and for small windows.
import { Button } from "@radix-ui/themes";
import { useEffect, useMemo, useState } from "react";
import { t } from "../../language/language.ts";
import { clipsAddress } from "../../ui/address.ts";
import { Icon } from "../../ui/icon.tsx";
import { clockOf } from "../../ui/measures.ts";
import { type Item, listedOf, type Track } from "../../ui/sessions/session-items.ts";
import { lengthWords, timesWord } from "../../ui/sessions/session-words.ts";
import { addressOfItem } from "./item-address.ts";
import { labelOf, offsetOf, stateOf } from "./item-words.ts";
import { laneIcons, laneWord } from "./lane-words.ts";
import { ToneBadge } from "./session-labels.tsx";

/** Lines drawn at once. */
const pageLines = 200;

type Props = {
  track: Track;
  current: Item | undefined;
  opened: Item | undefined;
  startMs: number;
  onShow: (item: Item) => void;
};

/** The lines around the one that is chosen on the track. */
function usePages({ track, current }: Pick<Props, "track" | "current">) {
  const listed = useMemo(() => listedOf(track.items, track.gaps), [track]);
  const [page, setPage] = useState(0);
  const at = current === undefined ? -1 : listed.findIndex(({ item }) => item?.key === current.key);
  useEffect(() => {
    if (at >= 0) setPage(Math.floor(at / pageLines));
  }, [at]);
  const from = page * pageLines;
  return {
    lines: listed.slice(from, from + pageLines),
    earlier: from > 0 ? () => setPage(page - 1) : undefined,
    later: from + pageLines < listed.length ? () => setPage(page + 1) : undefined,
  };
}

export function ItemList({ track, current, opened, startMs, onShow }: Props) {
  const { lines, earlier, later } = usePages({ track, current });
  return (
    <section className="item-list" aria-label={t("What happened")}>
      <h2>{t("What happened")}</h2>
      {track.items.length === 0 && <p className="session-wait">{t("Nothing is kept of this session yet.")}</p>}
      <OtherLines says={t("Show earlier lines")} onShow={earlier} />
      <ol>
        {lines.map(({ item, gap }) =>
          item === undefined ? (
            <li key={`gap ${gap.fromMs}`} className="item-gap">
              {t("Nothing for {{length}}", { length: lengthWords(gap.toMs - gap.fromMs) })}
            </li>
          ) : (
            <Line
              key={item.key}
              item={item}
              startMs={startMs}
              isCurrent={item.key === current?.key}
              isOpen={item.key === opened?.key}
              onShow={onShow}
            />
          ),
        )}
      </ol>
      <OtherLines says={t("Show later lines")} onShow={later} />
    </section>
  );
}

function OtherLines({ says, onShow }: { says: string; onShow: (() => void) | undefined }) {
  if (onShow === undefined) return null;
  return (
    <p className="session-more">
      <Button size="1" variant="soft" color="gray" onClick={onShow}>
        {says}
      </Button>
    </p>
  );
}

type LineProps = {
  item: Item;
  startMs: number;
  isCurrent: boolean;
  isOpen: boolean;
  onShow: (item: Item) => void;
};

function Line({ item, startMs, isCurrent, isOpen, onShow }: LineProps) {
  const { lane, entry } = item;
  const times = entry === undefined ? "" : timesWord(entry);
  return (
    <li className="item" data-lane={lane} data-current={isCurrent} data-open={isOpen}>
      <time dateTime={new Date(item.atMs).toISOString()} title={new Date(item.atMs).toISOString()}>
        {offsetOf(item, startMs)}
      </time>
      <span className="lane-name" title={laneWord(lane)}>
        <Icon name={laneIcons[lane]} size={14} />
        <span className="unseen">{laneWord(lane)}</span>
      </span>
      <span className="item-words">
        <button type="button" aria-pressed={isOpen} onClick={() => onShow(item)}>
          <bdi>{labelOf(item)}</bdi>
        </button>
        {times !== "" && <span className="item-times">{times}</span>}
      </span>
      <ToneBadge {...stateOf(item)} />
      <span className="item-links">
        <Links item={item} />
      </span>
    </li>
  );
}

function Links({ item }: { item: Item }) {
  const { entry, clip } = item;
  const of = clip?.id ?? entry?.clip;
  const seconds = entry?.second ?? 0;
  return (
    <>
      {of && (
        <a href={clipsAddress(of)} aria-label={t("Clip of {{moment}}", { moment: labelOf(item) })}>
          {clip ? t("Clip") : t("Clip at {{time}}", { time: clockOf(seconds) })}
        </a>
      )}
      {entry && (
        <a href={addressOfItem(item)} aria-label={leadWords(item)}>
          {leadWord(item)}
        </a>
      )}
    </>
  );
}

const leadWord = ({ entry }: Item): string =>
  entry?.issue != null ? t("Issue") : entry?.post != null ? t("Post") : t("Receipt");

function leadWords(item: Item): string {
  const moment = labelOf(item);
  if (item.entry?.issue != null) return t("Issue of {{moment}}", { moment });
  return item.entry?.post != null ? t("Post of {{moment}}", { moment }) : t("Receipt of {{moment}}", { moment });
}
