// What a post shows of its moment: its picture, that it is still being made, or why it is missing.
import type { Post } from "@kit/contract";
import { useState } from "react";
import { usePicture } from "../../api/media-pass.tsx";
import { t, translateMessage } from "../../language/language.ts";
import { clipsAddress } from "../../ui/address.ts";
import { posterOf, previewOf } from "../../ui/clips/media-urls.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { clockOf, spokenLengthOf } from "../../ui/measures.ts";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

type Props = { post: Pick<Post, "attach" | "footage"> };

export function PostFootage({ post: { attach, footage } }: Props) {
  const isScreenshot = attach === "screenshot";
  const none = isScreenshot ? t("There is no screenshot") : t("There is no clip");
  if (attach === "none") return <Blank icon="skip" says={t("Without a picture")} />;
  if (footage.state === "ready" && footage.clip !== null) return <Ready footage={footage} clip={footage.clip} />;
  if (footage.state === "pending")
    return (
      <Blank
        icon="clock"
        says={isScreenshot ? t("The screenshot is still being made") : t("The clip is still being made")}
        moving
      />
    );
  if (footage.state === "missing")
    return (
      <Blank
        icon="warning"
        says={footage.says === null ? none : visibleText(visibleLine(translateMessage(footage.says), 160))}
      />
    );
  return <Blank icon="skip" says={none} />;
}

function Blank({ icon, says, moving = false }: { icon: IconName; says: string; moving?: boolean }) {
  return (
    <span className="clip-picture post-picture">
      <span className="clip-blank post-blank">
        <Icon name={icon} size={22} />
        <span>{says}</span>
        {moving && <span className="post-blank-moving" aria-hidden="true" />}
      </span>
    </span>
  );
}

function Ready({ footage: { seconds }, clip }: { footage: Post["footage"]; clip: string }) {
  const [lively, setLively] = useState(false);
  const poster = usePicture(posterOf({ id: clip }));
  const preview = usePicture(previewOf({ id: clip }));
  const label =
    seconds === null ? t("Open the screenshot") : t("Open the clip of {{length}}", { length: spokenLengthOf(seconds) });
  return (
    <a
      className="clip-link post-picture"
      href={clipsAddress(clip)}
      aria-label={label}
      onMouseEnter={() => setLively(true)}
      onMouseLeave={() => setLively(false)}
      onFocus={() => setLively(true)}
      onBlur={() => setLively(false)}
    >
      <span className="clip-picture">
        {poster.broken ? (
          <span className="clip-blank">
            <Icon name={seconds === null ? "picture" : "film"} size={28} />
          </span>
        ) : (
          <img src={poster.src} alt="" loading="lazy" decoding="async" onError={poster.onError} />
        )}
        {lively && seconds !== null && !preview.broken && !calm.matches && (
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
          <span className="clip-length" aria-hidden="true">
            {clockOf(seconds)}
          </span>
        )}
      </span>
    </a>
  );
}
