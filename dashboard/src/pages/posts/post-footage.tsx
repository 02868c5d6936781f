// The clip, part or screenshot that a post carries, as it is posted.
import type { Post } from "@kit/contract";
import { Button, Spinner } from "@radix-ui/themes";
import { useId, useRef, useState } from "react";
import { useMediaFile } from "../../api/media-pass.ts";
import { clipPreviewFile } from "../../api/use-clips.ts";
import { postPictureFile, postVideoFile } from "../../api/use-posting.ts";
import { t, translateMessage } from "../../language/language.ts";
import { clipsAddress } from "../../ui/address.ts";
import { useHoverOrFocus } from "../../ui/clips/clip-tile.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { formatClock, spokenDuration } from "../../ui/format.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { partText } from "../../ui/posts/post-text.ts";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

type PostFootageProps = { post: Pick<Post, "id" | "attach" | "footage"> };

/** The clip or screenshot of a post, or the reason why it has none. */
export function PostFootage({ post }: PostFootageProps) {
  const { attach, footage } = post;
  const isScreenshot = attach === "screenshot";
  const none = isScreenshot ? t("No screenshot") : t("No clip");
  if (attach === "none") return <Placeholder icon="skip" says={t("Without an attachment")} />;
  if (footage.state === "ready" && footage.clip !== null) return <ReadyFootage post={post} clip={footage.clip} />;
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

type ReadyProps = PostFootageProps & { clip: string };

/** A link to the clip that is posted whole, or a button that plays the part that is posted. */
function ReadyFootage({ post, clip }: ReadyProps) {
  const [isActive, handlers] = useHoverOrFocus();
  const [plays, setPlays] = useState(false);
  const { seconds, part } = post.footage;
  const picture = <ReadyPicture post={post} clip={clip} isActive={isActive} />;
  if (part === null || seconds === null) {
    const label =
      seconds === null
        ? t("Open the screenshot")
        : t("Open the clip, {{length}} long", { length: spokenDuration(seconds) });
    return (
      <a className="clip-link" href={clipsAddress(clip)} aria-label={label} {...handlers}>
        {picture}
      </a>
    );
  }
  return (
    <div className="stack tight post-part">
      <button
        type="button"
        className="clip-link"
        aria-label={t("Play what is posted, {{length}} long", { length: spokenDuration(seconds) })}
        onClick={() => setPlays(true)}
        {...handlers}
      >
        {picture}
      </button>
      <p className="small quiet numbers">{partText(post.footage)}</p>
      {plays && <PartPlayer post={post} clip={clip} onClose={() => setPlays(false)} />}
    </div>
  );
}

function ReadyPicture({ post, clip, isActive }: ReadyProps & { isActive: boolean }) {
  const { seconds, part } = post.footage;
  const poster = useMediaFile(postPictureFile(post));
  const preview = useMediaFile(part === null ? clipPreviewFile({ id: clip }) : postVideoFile(post));
  return (
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
  );
}

/** Plays the very file that is posted. A network may get a smaller copy of it. */
function PartPlayer({ post, clip, onClose }: ReadyProps & { onClose: () => void }) {
  const title = useId();
  const { src, broken, onError } = useMediaFile(postVideoFile(post));
  const close = useRef<HTMLButtonElement>(null);
  return (
    <Dialog className="panel roomy post-player" labelledBy={title} onClose={onClose} focusFirst={close}>
      <h2 id={title}>{t("What is posted")}</h2>
      {broken ? (
        <p className="error">{t("The video could not be loaded.")}</p>
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: a recording of a game has no captions
        <video src={src} controls autoPlay loop playsInline onError={onError} />
      )}
      <p className="small quiet numbers">{partText(post.footage)}</p>
      <div className="panel-end">
        <Button asChild variant="soft" color="gray">
          <a href={clipsAddress(clip)}>{t("Open the whole clip")}</a>
        </Button>
        <Button ref={close} onClick={onClose}>
          {t("Close")}
        </Button>
      </div>
    </Dialog>
  );
}
