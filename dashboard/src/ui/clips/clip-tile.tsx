// The pictures of a clip, its badges, and the line that links to it from pages that are not about clips.
import "./clips.css";
import type { Clip } from "@kit/contract";
import { Badge } from "@radix-ui/themes";
import { useState } from "react";
import { type LauncherFile, useMedia, useMediaFile } from "../../api/media-pass.ts";
import { clipPosterFile, clipPreviewFile, clipSmallPosterFile } from "../../api/use-clips.ts";
import { translateMessage } from "../../language/language.ts";
import { clipsAddress } from "../address.ts";
import { formatClock, spokenDuration } from "../format.ts";
import { Icon } from "../icon.tsx";
import { toneColours } from "../labels.tsx";
import { visibleLine, visibleText } from "../visible-text.ts";
import {
  clipBadges,
  clipKindIcons,
  clipProgress,
  clipTitle,
  isMarker,
  isPlayable,
  markerExplanation,
  momentCountText,
} from "./clip-text.ts";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Returns whether the pointer or the focus is on an element, and the handlers that the element needs for it. */
export function useHoverOrFocus() {
  const [isActive, setActive] = useState(false);
  const [handlers] = useState(() => {
    const start = () => setActive(true);
    const end = () => setActive(false);
    return { onMouseEnter: start, onMouseLeave: end, onFocus: start, onBlur: end };
  });
  return [isActive, handlers] as const;
}

/** A clip's poster, with a silent preview while the pointer or the focus is on it. */
export function ClipPicture({ clip, isActive }: { clip: Clip; isActive: boolean }) {
  const { addressFor } = useMedia();
  const plays = isActive && clip.preview && isPlayable(clip) && !calm.matches;
  return (
    <span className="clip-picture" data-state={clip.state} data-missing={clip.missing}>
      {clip.poster ? <Poster key={clip.state} clip={clip} /> : <Blank clip={clip} />}
      {plays && (
        <video
          className="clip-preview"
          src={addressFor(clipPreviewFile(clip))}
          autoPlay
          muted
          loop
          playsInline
          tabIndex={-1}
        />
      )}
      {clip.state === "pending" && <Progress clip={clip} />}
      {clip.state === "saved" && clip.kind === "clip" && <Length seconds={clip.duration} />}
    </span>
  );
}

function Poster({ clip }: { clip: Clip }) {
  const { addressFor } = useMedia();
  const { src, broken, onError } = useMediaFile(clipSmallPosterFile(clip));
  if (broken) return <Blank clip={clip} />;
  const sharp = addressFor(clipPosterFile(clip));
  return <img {...{ src, srcSet: sharp && `${sharp} 2x`, onError }} alt="" loading="lazy" decoding="async" />;
}

function Blank({ clip }: { clip: Clip }) {
  const icon = clip.state === "failed" || clip.missing ? "warning" : clipKindIcons[clip.kind];
  return <span className="clip-blank">{clip.state !== "pending" && <Icon name={icon} size={28} />}</span>;
}

/**
 * Shows the progress of a pending clip. An SVG attribute sets the width, because the content security policy forbids
 * inline styles.
 */
function Progress({ clip }: { clip: Clip }) {
  const { says, share } = clipProgress(clip);
  return (
    <span className="clip-progress">
      <span>{says}</span>
      <svg width="120" height="4" aria-hidden="true">
        <rect width="100%" height="4" rx="2" className="bar-all" />
        <rect width={`${100 * share}%`} height="4" rx="2" className="bar-done" />
      </svg>
    </span>
  );
}

function Length({ seconds }: { seconds: number }) {
  return (
    <span className="clip-length numbers">
      <span aria-hidden="true">{formatClock(seconds)}</span>
      <span className="unseen">{spokenDuration(seconds)}</span>
    </span>
  );
}

/** Maximum tags of a clip that a card shows. */
const tagsMax = 3;

/** The badges and tags of a clip. */
export function ClipBadges({ clip }: { clip: Clip }) {
  const badges = clipBadges(clip);
  const tags = clip.tags.slice(0, tagsMax);
  if (badges.length + tags.length === 0) return null;
  return (
    <span className="cluster tight">
      {badges.map(({ says, tone, icon, title }) => (
        <Badge key={says} className="state" color={toneColours[tone]} variant="soft" title={title}>
          {icon && <Icon name={icon} size={12} />}
          {says}
        </Badge>
      ))}
      {tags.map((tag) => (
        <bdi key={tag} className="clip-tag ellipsis">
          {visibleLine(tag, 24)}
        </bdi>
      ))}
      {clip.tags.length > tagsMax && <span className="clip-tag ellipsis">+{clip.tags.length - tagsMax}</span>}
    </span>
  );
}

/** One line that links to a clip in the player, for pages that are not about clips. */
export function ClipTile({ clip }: { clip: Clip }) {
  const [isActive, handlers] = useHoverOrFocus();
  const says = isMarker(clip) ? (clip.reason ?? markerExplanation()) : clip.state === "saved" ? undefined : clip.reason;
  return (
    <a className="clip-tile" href={clipsAddress(clip.id)} data-marker={isMarker(clip)} {...handlers}>
      {!isMarker(clip) && <ClipPicture clip={clip} isActive={isActive} />}
      <span className="clip-words">
        <bdi className="clip-title ellipsis">{visibleLine(clipTitle(clip), 200)}</bdi>
        {clip.events.length > 1 && (
          <span className="clip-about small quiet dots">{momentCountText(clip.events.length)}</span>
        )}
        <ClipBadges clip={clip} />
        {says && <bdi className="small clamp warn">{visibleText(visibleLine(translateMessage(says), 200))}</bdi>}
      </span>
    </a>
  );
}

/**
 * A small picture in a row of a list, without alternative text, because the row says what it shows. Without a file, it is an
 * empty frame, so that all rows align.
 */
export function SmallPicture({ file }: { file: LauncherFile | null }) {
  return <span className="small-poster">{file !== null && <Picture file={file} />}</span>;
}

function Picture({ file }: { file: LauncherFile }) {
  const { src, broken, onError } = useMediaFile(file);
  return broken ? <Icon name="film" /> : <img src={src} alt="" loading="lazy" decoding="async" onError={onError} />;
}
