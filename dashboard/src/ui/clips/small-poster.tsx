// A small picture of a clip in a row of a list. Without alternative text, because the row says what the clip shows.
import "./clips.css";
import { usePicture } from "../../api/media-pass.tsx";
import { Icon } from "../icon.tsx";
import { clipSmallPosterFile } from "./media-urls.ts";

/** `clip` is the clip's id; null shows an empty frame, so that all rows align. */
export function SmallPoster({ clip }: { clip: string | null }) {
  return <span className="small-poster">{clip !== null && <Picture key={clip} id={clip} />}</span>;
}

function Picture({ id }: { id: string }) {
  const { src, broken, onError } = usePicture(clipSmallPosterFile({ id }));
  return broken ? <Icon name="film" /> : <img src={src} alt="" loading="lazy" decoding="async" onError={onError} />;
}
