// One clip in the gallery: its picture, what it shows, and what a person does with it most often.

import type { Clip } from "@kit/contract";
import { IconButton } from "@radix-ui/themes";
import { type KeyboardEvent, type MouseEvent, memo, useState } from "react";
import { t, translateMessage } from "../../language/language.ts";
import { ClipBadges } from "../../ui/clips/clip-badges.tsx";
import { ClipPicture } from "../../ui/clips/clip-picture.tsx";
import { momentsWord } from "../../ui/clips/clip-words.ts";
import { gameWord } from "../../ui/game-name.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { agoOf, whenOf } from "../../ui/measures.ts";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { asCard } from "./grid-roles.ts";
import type { ClipCommands } from "./use-clip-commands.ts";

export type CardEvents = {
  readonly onVisit: (id: string) => void;
  readonly onPress: (event: MouseEvent, clip: Clip) => void;
  readonly onKeyDown: (event: KeyboardEvent, clip: Clip) => void;
  /** `range`: all from the last one chosen to this one. */
  readonly onSelect: (id: string, range: boolean) => void;
};

type Props = CardEvents & {
  clip: Clip;
  doing: ClipCommands;
  address: string;
  nowMs: number;
  /** One card takes part in the tab order; arrow keys go from card to card. */
  tabStop: boolean;
  selected: boolean;
};

export const ClipCard = memo(function ClipCard(props: Props) {
  const { clip, doing, address, nowMs, tabStop, selected, onVisit, onPress, onKeyDown, onSelect } = props;
  const [lively, setLively] = useState(false);
  return (
    <div className="clip-card" {...asCard(selected)} data-selected={selected}>
      <a
        className="clip-link"
        href={address}
        data-clip={clip.id}
        tabIndex={tabStop ? 0 : -1}
        onClick={(event) => onPress(event, clip)}
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
        <CardWords clip={clip} nowMs={nowMs} />
      </a>
      <CardButtons clip={clip} doing={doing} tabStop={tabStop} />
      <input
        className="clip-select"
        type="checkbox"
        aria-label={t("Select: {{title}}", { title: visibleLine(clip.title, 80) })}
        checked={selected}
        tabIndex={tabStop ? 0 : -1}
        onChange={() => undefined}
        onClick={(event) => onSelect(clip.id, event.shiftKey)}
      />
    </div>
  );
});

function CardWords({ clip, nowMs }: { clip: Clip; nowMs: number }) {
  return (
    <span className="clip-words">
      <bdi className="clip-title">{visibleLine(clip.title, 200)}</bdi>
      <span className="clip-about">
        <bdi>{gameWord(clip.game)}</bdi>
        <time dateTime={clip.startedAt} title={whenOf(clip.startedAt)}>
          {agoOf(clip.startedAt, nowMs)}
        </time>
        {clip.events.length > 1 && <span>{momentsWord(clip.events.length)}</span>}
      </span>
      <ClipBadges clip={clip} />
      <CardNote clip={clip} />
    </span>
  );
}

/** The one thing that is not as it should be; the player says the rest. */
function CardNote({ clip }: { clip: Clip }) {
  const says = clip.state === "saved" ? clip.notes[0] : clip.reason;
  if (!says) return null;
  return (
    <bdi className="clip-note" data-bad={clip.state === "failed"}>
      {visibleText(visibleLine(translateMessage(says), 160))}
    </bdi>
  );
}

function CardButtons({ clip, doing, tabStop }: { clip: Clip; doing: ClipCommands; tabStop: boolean }) {
  const title = visibleLine(clip.title, 80);
  const button = (icon: IconName, label: string, onClick: () => void, pressed?: boolean) => (
    <IconButton
      size="1"
      variant="surface"
      color={pressed ? "iris" : "gray"}
      aria-label={t("{{does}}: {{title}}", { does: label, title })}
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
        {button("undo", t("Take back"), () => doing.restore([clip]))}
        {button("bin", t("Remove for good"), () => doing.remove([clip]))}
      </span>
    );
  }
  return (
    <span className="clip-buttons">
      {clip.state === "saved" && button("pin", t("Pin"), () => doing.pin([clip], !clip.pinned), clip.pinned)}
      {clip.state !== "pending" && button("bin", t("Delete"), () => doing.discard([clip]))}
    </span>
  );
}
