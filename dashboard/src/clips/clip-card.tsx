// One clip in the gallery: its picture, what it shows, and what a person does with it most often.
import type { Clip } from "@kit/contract";
import { IconButton } from "@radix-ui/themes";
import { type KeyboardEvent, memo, useState } from "react";
import { Icon, type IconName } from "../frame/icon.tsx";
import { visibleLine, visibleText } from "../live/visible-text.ts";
import { ClipBadges } from "./clip-badges.tsx";
import { ClipPicture } from "./clip-picture.tsx";
import { agoOf } from "./measures.ts";
import { momentsWord } from "./words.ts";

export type CardActions = {
  onPin: (clip: Clip) => void;
  onDelete: (clip: Clip) => void;
  onRestore: (clip: Clip) => void;
  onRemove: (clip: Clip) => void;
};

type Props = CardActions & {
  clip: Clip;
  address: string;
  nowMs: number;
  /** One card takes part in the tab order; arrow keys go from card to card. */
  tabStop: boolean;
  onVisit: (id: string) => void;
  onKeyDown: (event: KeyboardEvent<HTMLAnchorElement>, clip: Clip) => void;
};

export const ClipCard = memo(function ClipCard({ clip, address, nowMs, tabStop, onVisit, onKeyDown, ...act }: Props) {
  const [lively, setLively] = useState(false);
  return (
    <li className="clip-card">
      <a
        className="clip-link"
        href={address}
        data-clip={clip.id}
        tabIndex={tabStop ? 0 : -1}
        onMouseEnter={() => setLively(true)}
        onMouseLeave={() => setLively(false)}
        onFocus={() => {
          setLively(true);
          onVisit(clip.id);
        }}
        onBlur={() => setLively(false)}
        onKeyDown={(event) => onKeyDown(event, clip)}
      >
        <ClipPicture clip={clip} lively={lively} />
        <span className="clip-words">
          <bdi className="clip-title">{visibleLine(clip.title, 200)}</bdi>
          <span className="clip-about">
            <bdi>{clip.game === null ? "Unsorted" : visibleLine(clip.game, 60)}</bdi>
            <time dateTime={clip.startedAt} title={new Date(clip.startedAt).toLocaleString()}>
              {agoOf(clip.startedAt, nowMs)}
            </time>
            {clip.events.length > 1 && <span>{momentsWord(clip.events.length)}</span>}
          </span>
          <ClipBadges clip={clip} />
          <CardNote clip={clip} />
        </span>
      </a>
      <CardButtons clip={clip} tabStop={tabStop} {...act} />
    </li>
  );
});

/** The one thing that is not as it should be; the player says the rest. */
function CardNote({ clip }: { clip: Clip }) {
  const says = clip.state === "saved" ? clip.notes[0] : clip.reason;
  if (!says) return null;
  return (
    <bdi className="clip-note" data-bad={clip.state === "failed"}>
      {visibleText(visibleLine(says, 160))}
    </bdi>
  );
}

function CardButtons({ clip, tabStop, ...act }: CardActions & { clip: Clip; tabStop: boolean }) {
  const title = visibleLine(clip.title, 80);
  const button = (icon: IconName, label: string, onClick: () => void, pressed?: boolean) => (
    <IconButton
      size="1"
      variant="surface"
      color={pressed ? "iris" : "gray"}
      aria-label={`${label}: ${title}`}
      aria-pressed={pressed}
      title={label}
      tabIndex={tabStop ? 0 : -1}
      onClick={onClick}
    >
      <Icon name={icon} size={14} />
    </IconButton>
  );
  if (clip.deletedAt !== null) {
    return (
      <span className="clip-buttons" data-always="true">
        {button("undo", "Take back", () => act.onRestore(clip))}
        {button("bin", "Remove for good", () => act.onRemove(clip))}
      </span>
    );
  }
  return (
    <span className="clip-buttons">
      {clip.state === "saved" && button("pin", "Pin", () => act.onPin(clip), clip.pinned)}
      {clip.state !== "pending" && button("bin", "Delete", () => act.onDelete(clip))}
    </span>
  );
}
