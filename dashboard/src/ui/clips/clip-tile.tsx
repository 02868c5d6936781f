// One line that links to a clip in the player, for pages that are not about clips.
import type { Clip } from "@kit/contract";
import { translateMessage } from "../../language/language.ts";
import { clipsAddress } from "../address.ts";
import { visibleLine, visibleText } from "../visible-text.ts";
import { ClipBadges } from "./clip-badges.tsx";
import { ClipPicture, useHoverOrFocus } from "./clip-picture.tsx";
import { isMarker, markerExplanation, momentCountText } from "./clip-text.ts";

export function ClipTile({ clip }: { clip: Clip }) {
  const [isActive, handlers] = useHoverOrFocus();
  const says = isMarker(clip)
    ? (clip.reason ?? markerExplanation())
    : clip.state === "saved"
      ? clip.notes[0]
      : clip.reason;
  return (
    <a className="clip-tile" href={clipsAddress(clip.id)} data-marker={isMarker(clip)} {...handlers}>
      {!isMarker(clip) && <ClipPicture clip={clip} isActive={isActive} />}
      <span className="clip-words">
        <bdi className="clip-title ellipsis">{visibleLine(clip.title, 200)}</bdi>
        {clip.events.length > 1 && (
          <span className="clip-about small quiet dots">{momentCountText(clip.events.length)}</span>
        )}
        <ClipBadges clip={clip} />
        {says && <bdi className="small clamp warn">{visibleText(visibleLine(translateMessage(says), 200))}</bdi>}
      </span>
    </a>
  );
}
