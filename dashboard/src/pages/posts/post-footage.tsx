// The clip or screenshot of a post, or the reason why it has none.
import type { Post } from "@kit/contract";
import { Spinner } from "@radix-ui/themes";
import { usePicture } from "../../api/media-pass.tsx";
import { t, translateMessage } from "../../language/language.ts";
import { clipsAddress } from "../../ui/address.ts";
import { useHoverOrFocus } from "../../ui/clips/clip-picture.tsx";
import { clipPosterFile, clipPreviewFile } from "../../ui/clips/media-urls.ts";
import { formatClock, spokenDuration } from "../../ui/format.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

type Props = { post: Pick<Post, "attach" | "footage"> };

export function PostFootage({ post: { attach, footage } }: Props) {
  const isScreenshot = attach === "screenshot";
  const none = isScreenshot ? t("No screenshot") : t("No clip");
  if (attach === "none") return <Placeholder icon="skip" says={t("Without an attachment")} />;
  if (footage.state === "ready" && footage.clip !== null) return <ClipLink footage={footage} clip={footage.clip} />;
  if (footage.state === "pending")
    return (
      <Placeholder
        icon="clock"
        says={isScreenshot ? t("The screenshot is still being made") : t("The clip is still being made")}
        moving
      />
    );
  if (footage.state === "missing")
    return (
      <Placeholder
        icon="warning"
        says={footage.says === null ? none : visibleText(visibleLine(translateMessage(footage.says), 160))}
      />
    );
  return <Placeholder icon="skip" says={none} />;
}

function Placeholder({ icon, says, moving = false }: { icon: IconName; says: string; moving?: boolean }) {
  return (
    <span className="clip-picture">
      <span className="clip-blank post-blank">
        <Icon name={icon} size={22} />
        <span>{says}</span>
        {moving && <Spinner aria-hidden="true" />}
      </span>
    </span>
  );
}

function ClipLink({ footage: { seconds }, clip }: { footage: Post["footage"]; clip: string }) {
  const [isActive, handlers] = useHoverOrFocus();
  const poster = usePicture(clipPosterFile({ id: clip }));
  const preview = usePicture(clipPreviewFile({ id: clip }));
  const label =
    seconds === null
      ? t("Open the screenshot")
      : t("Open the clip, {{length}} long", { length: spokenDuration(seconds) });
  return (
    <a className="clip-link" href={clipsAddress(clip)} aria-label={label} {...handlers}>
      <span className="clip-picture">
        {poster.broken ? (
          <span className="clip-blank">
            <Icon name={seconds === null ? "picture" : "film"} size={28} />
          </span>
        ) : (
          <img src={poster.src} alt="" loading="lazy" decoding="async" onError={poster.onError} />
        )}
        {isActive && seconds !== null && !preview.broken && !reducedMotion.matches && (
          <video
            className="clip-preview"
            src={preview.src}
            autoPlay
            muted
            loop
            playsInline
            tabIndex={-1}
            onError={preview.onError}
          />
        )}
        {seconds !== null && (
          <span className="clip-length numbers" aria-hidden="true">
            {formatClock(seconds)}
          </span>
        )}
      </span>
    </a>
  );
}
