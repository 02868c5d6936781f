// A clip's card in the gallery: picture, title and the most frequent actions; and the ARIA roles of the grid of cards.
import type { Clip } from "@kit/contract";
import { IconButton } from "@radix-ui/themes";
import { type KeyboardEvent, type MouseEvent, memo } from "react";
import { t, translateMessage } from "../../../language/language.ts";
import { clipTitle, isReelInProgress, momentCountText } from "../../../ui/clips/clip-text.ts";
import { ClipBadges, ClipPicture, useHoverOrFocus } from "../../../ui/clips/clip-tile.tsx";
import { formatDateTime, formatRelativeTime } from "../../../ui/format.ts";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import { gameName, useNames } from "../../../ui/names.ts";
import { visibleLine, visibleText } from "../../../ui/visible-text.ts";
import type { ClipCommands } from "../use-clip-commands.ts";

// The grid cannot be a table: the rows of a table cannot be positioned one by one.

/** `rows`: the total number of rows; undefined while it is unknown. */
export const gridProps = (label: string, rows: number | undefined) =>
  ({ role: "grid", "aria-label": label, "aria-multiselectable": true, "aria-rowcount": rows ?? -1 }) as const;

export const rowProps = (index: number) => ({ role: "row", "aria-rowindex": index + 1 }) as const;

export const headingProps = { role: "rowheader" } as const;
export const cellProps = { role: "gridcell" } as const;
const cardProps = (selected: boolean) => ({ ...cellProps, "aria-selected": selected }) as const;

export type ClipCardHandlers = {
  readonly onVisit: (id: string) => void;
  readonly onPress: (event: MouseEvent, clip: Clip) => void;
  readonly onKeyDown: (event: KeyboardEvent, clip: Clip) => void;
  /** If `range` is true, also selects all cards between the last selected card and this one. */
  readonly onSelect: (id: string, range: boolean) => void;
};

type Props = ClipCardHandlers & {
  clip: Clip;
  commands: ClipCommands;
  address: string;
  nowMs: number;
  /** Only this card is in the tab order; arrow keys move between cards. */
  tabStop: boolean;
  selected: boolean;
};

export const ClipCard = memo(function ClipCard(props: Props) {
  const { clip, commands, address, nowMs, tabStop, selected, onVisit, onPress, onKeyDown, onSelect } = props;
  useNames();
  const [isActive, handlers] = useHoverOrFocus();
  return (
    <div className="clip-card" {...cardProps(selected)} data-selected={selected}>
      <a
        className="clip-link"
        href={address}
        data-clip={clip.id}
        tabIndex={tabStop ? 0 : -1}
        onClick={(event) => onPress(event, clip)}
        {...handlers}
        onFocus={() => {
          handlers.onFocus();
          onVisit(clip.id);
        }}
        onKeyDown={(event) => onKeyDown(event, clip)}
      >
        <ClipPicture clip={clip} isActive={isActive} />
        <CardWords clip={clip} nowMs={nowMs} />
      </a>
      <CardButtons clip={clip} commands={commands} tabStop={tabStop} />
      <input
        className="clip-select"
        type="checkbox"
        aria-label={t("Select: {{title}}", { title: visibleLine(clipTitle(clip), 80) })}
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
      <bdi className="clip-title ellipsis">{visibleLine(clipTitle(clip), 200)}</bdi>
      <span className="clip-about small quiet dots">
        <bdi className="ellipsis">{gameName(clip.game)}</bdi>
        <time dateTime={clip.startedAt} title={formatDateTime(clip.startedAt)}>
          {formatRelativeTime(clip.startedAt, nowMs)}
        </time>
        {clip.events.length > 1 && <span>{momentCountText(clip.events.length)}</span>}
      </span>
      <ClipBadges clip={clip} />
      <FailureReason clip={clip} />
    </span>
  );
}

/** Notes are only in the player. */
function FailureReason({ clip: { state, reason } }: { clip: Clip }) {
  if (state !== "failed" || !reason) return null;
  return <bdi className="small clamp error">{visibleText(visibleLine(translateMessage(reason), 160))}</bdi>;
}

function CardButtons({ clip, commands, tabStop }: { clip: Clip; commands: ClipCommands; tabStop: boolean }) {
  const title = visibleLine(clipTitle(clip), 80);
  const button = (icon: IconName, label: string, onClick: () => void, pressed?: boolean) => (
    <IconButton
      size="1"
      variant="surface"
      color={pressed ? "iris" : "gray"}
      aria-label={t("{{action}}: {{title}}", { action: label, title })}
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
        {button("undo", t("Restore"), () => commands.restore([clip]))}
        {button("bin", t("Delete permanently"), () => commands.remove([clip]))}
      </span>
    );
  }
  return (
    <span className="clip-buttons">
      {clip.state === "saved" && button("pin", t("Pin"), () => commands.pin([clip], !clip.pinned), clip.pinned)}
      {isReelInProgress(clip) && button("close", t("Cancel the reel"), () => commands.cancelReel(clip))}
      {clip.state !== "pending" && button("bin", t("Delete"), () => commands.discard([clip]))}
    </span>
  );
}
