// The clips that would be deleted, in order, each with its picture, its size and the reason.
import type { planCleanup, ReplyOf } from "@kit/contract";
import { clipSmallPosterFile } from "../../api/use-clips.ts";
import { t, translateMessage } from "../../language/language.ts";
import { formatBytes, formatRelativeTime } from "../format.ts";
import { visibleLine } from "../visible-text.ts";
import { clipTitle } from "./clip-text.ts";
import { SmallPicture } from "./clip-tile.tsx";

export function RemovalList({ goes }: Pick<ReplyOf<typeof planCleanup>, "goes">) {
  const nowMs = Date.now();
  if (goes.length === 0) return null;
  return (
    <ol className="lines scroll small">
      {goes.map(({ clip, why }) => (
        <li key={clip.id} className="cluster tight">
          <SmallPicture file={clipSmallPosterFile(clip)} />
          <div className="removal-words">
            <span className="spread">
              <bdi className="clip-title ellipsis">{visibleLine(clipTitle(clip), 120)}</bdi>
              <span>
                {t("{{size}}, {{ago}}", {
                  size: formatBytes(clip.bytes),
                  ago: formatRelativeTime(clip.startedAt, nowMs),
                })}
              </span>
            </span>
            <bdi className="quiet">{visibleLine(translateMessage(why), 200)}</bdi>
          </div>
        </li>
      ))}
    </ol>
  );
}
