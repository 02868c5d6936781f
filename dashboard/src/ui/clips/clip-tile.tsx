// A clip as one line with a link to the player, for pages about something else.
import type { Clip } from "@kit/contract";
import { useState } from "react";
import { clipsAddress } from "../address.ts";
import { visibleLine, visibleText } from "../visible-text.ts";
import { ClipBadges } from "./clip-badges.tsx";
import { ClipPicture } from "./clip-picture.tsx";
import { isMarker, markerExplanation, momentCount } from "./clip-text.ts";
import "./clips.css";
import { translateMessage } from "../../language/language.ts";

export function ClipTile({ clip }: { clip: Clip }) {
  const [lively, setLively] = useState(false);
  const says = isMarker(clip)
    ? (clip.reason ?? markerExplanation())
    : clip.state === "saved"
      ? clip.notes[0]
      : clip.reason;
  return (
    <a
      className="clip-tile"
      href={clipsAddress(clip.id)}
      data-marker={isMarker(clip)}
      onMouseEnter={() => setLively(true)}
      onMouseLeave={() => setLively(false)}
      onFocus={() => setLively(true)}
      onBlur={() => setLively(false)}
    >
      {!isMarker(clip) && <ClipPicture clip={clip} lively={lively} />}
      <span className="clip-words">
        <bdi className="clip-title">{visibleLine(clip.title, 200)}</bdi>
        {clip.events.length > 1 && <span className="clip-about">{momentCount(clip.events.length)}</span>}
        <ClipBadges clip={clip} />
        {says && <bdi className="clip-note">{visibleText(visibleLine(translateMessage(says), 200))}</bdi>}
      </span>
    </a>
  );
}
