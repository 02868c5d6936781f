// A clip's picture, and its silent preview while somebody looks at it.
import type { Clip } from "@kit/contract";
import { useMedia, usePicture } from "../../api/media-pass.tsx";
import { Icon } from "../icon.tsx";
import { clockOf, spokenLengthOf } from "../measures.ts";
import { clipKindIcons, isPlayable, progressOf } from "./clip-words.ts";
import { posterOf, previewOf } from "./media-urls.ts";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** `lively` is true while the pointer or the keyboard rests on it. */
export function ClipPicture({ clip, lively }: { clip: Clip; lively: boolean }) {
  const { addressFor } = useMedia();
  const plays = lively && clip.preview && isPlayable(clip) && !calm.matches;
  return (
    <span className="clip-picture" data-state={clip.state} data-missing={clip.missing}>
      {clip.poster ? <Poster key={clip.state} clip={clip} /> : <Blank clip={clip} />}
      {plays && (
        <video
          className="clip-preview"
          src={addressFor(previewOf(clip))}
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
  const { src, broken, onError } = usePicture(posterOf(clip));
  if (broken) return <Blank clip={clip} />;
  return <img src={src} alt="" loading="lazy" decoding="async" onError={onError} />;
}

function Blank({ clip }: { clip: Clip }) {
  const icon = clip.state === "failed" || clip.missing ? "warning" : clipKindIcons[clip.kind];
  return <span className="clip-blank">{clip.state !== "pending" && <Icon name={icon} size={28} />}</span>;
}

/** Drawn by attributes: the page's policy allows no styles but its own files'. */
function Progress({ clip }: { clip: Clip }) {
  const { says, step, steps } = progressOf(clip);
  return (
    <span className="clip-progress">
      <span>{says}</span>
      <svg width="120" height="4" aria-hidden="true">
        <rect width="100%" height="4" rx="2" className="clip-progress-all" />
        <rect width={`${(100 * step) / (steps + 1)}%`} height="4" rx="2" className="clip-progress-done" />
      </svg>
    </span>
  );
}

function Length({ seconds }: { seconds: number }) {
  return (
    <span className="clip-length">
      <span aria-hidden="true">{clockOf(seconds)}</span>
      <span className="unseen">{spokenLengthOf(seconds)}</span>
    </span>
  );
}
