// Moments that hold no video, as a quiet list that says so.
import type { Clip } from "@kit/contract";
import { IconButton } from "@radix-ui/themes";
import { clipsAddress } from "../frame/address.ts";
import { Icon } from "../frame/icon.tsx";
import { Time } from "../live/labels.tsx";
import { visibleLine } from "../live/visible-text.ts";
import type { CardActions } from "./clip-card.tsx";
import { markersSay } from "./words.ts";

type Props = CardActions & { markers: readonly Clip[]; query: string };

/** Few are listed at once; a game can leave hundreds an hour. */
const openMax = 3;

export function MarkerList({ markers, query, ...actions }: Props) {
  if (markers.length === 0) return null;
  return (
    <details className="markers" open={markers.length <= openMax}>
      <summary>
        <Icon name="flag" size={14} />
        <span>{markers.length === 1 ? "1 marker" : `${markers.length} markers`}</span>
        <span className="markers-say">{markersSay}</span>
      </summary>
      <ul>
        {markers.map((marker) => (
          <MarkerLine key={marker.id} marker={marker} query={query} {...actions} />
        ))}
      </ul>
    </details>
  );
}

function MarkerLine({ marker, query, ...actions }: CardActions & { marker: Clip; query: string }) {
  const title = visibleLine(marker.title, 200);
  const inBin = marker.deletedAt !== null;
  return (
    <li className="marker">
      <Time at={marker.events[0]?.at ?? marker.startedAt} />
      <a href={clipsAddress(marker.id, query)}>
        <bdi>{title}</bdi>
      </a>
      <bdi className="marker-game">{marker.game === null ? "Unsorted" : visibleLine(marker.game, 60)}</bdi>
      {marker.reason && <bdi className="marker-reason">{visibleLine(marker.reason, 200)}</bdi>}
      <IconButton
        size="1"
        variant="ghost"
        color="gray"
        aria-label={`${inBin ? "Take back" : "Delete"}: ${title}`}
        title={inBin ? "Take back" : "Delete"}
        onClick={() => (inBin ? actions.onRestore(marker) : actions.onDelete(marker))}
      >
        <Icon name={inBin ? "undo" : "bin"} size={14} />
      </IconButton>
    </li>
  );
}
