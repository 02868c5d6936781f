// What a person does with the clip that is open: keep it, take it along, delete it.
import type { Clip } from "@kit/contract";
import { Button, Kbd } from "@radix-ui/themes";
import { useMedia } from "../../api/media-pass.tsx";
import { t } from "../../language/language.ts";
import { isPlayable, isVideo } from "../../ui/clips/clip-words.ts";
import { savedVideoOf } from "../../ui/clips/media-urls.ts";
import { playerKeys } from "../../ui/clips/player-keys.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useReveal } from "./use-clip-actions.ts";
import type { ClipCommands } from "./use-clip-commands.ts";

export function PlayerActions({ clip, doing }: { clip: Clip; doing: ClipCommands }) {
  return (
    <>
      <div className="player-actions">
        {clip.deletedAt === null ? <KeptActions clip={clip} doing={doing} /> : <BinActions clip={clip} doing={doing} />}
      </div>
      {isVideo(clip) && <Keys />}
    </>
  );
}

function KeptActions({ clip, doing }: { clip: Clip; doing: ClipCommands }) {
  const { addressFor } = useMedia();
  return (
    <>
      {isPlayable(clip) && (
        <Button asChild>
          <a href={addressFor(savedVideoOf(clip))} download>
            <Icon name="download" size={14} />
            {t("Download")}
          </a>
        </Button>
      )}
      {clip.state === "saved" && (
        <Button
          variant="soft"
          color={clip.pinned ? "iris" : "gray"}
          aria-pressed={clip.pinned}
          title={t("Pinned clips are never removed to make room")}
          onClick={() => doing.pin([clip], !clip.pinned)}
        >
          <Icon name="pin" size={14} />
          {clip.pinned ? t("Pinned") : t("Pin")}
        </Button>
      )}
      {clip.path !== null && (
        <CopyButton text={clip.path} label={t("Copy the file's path")} shows={t("Copy path")} size="2" />
      )}
      {isPlayable(clip) && <Reveal clip={clip} />}
      {clip.state !== "pending" && (
        <Button className="player-actions-end" variant="soft" color="ruby" onClick={() => doing.discard([clip])}>
          <Icon name="bin" size={14} />
          {t("Delete")}
        </Button>
      )}
    </>
  );
}

function Reveal({ clip }: { clip: Clip }) {
  const reveal = useReveal();
  return (
    <>
      <Button variant="soft" color="gray" disabled={reveal.isPending} onClick={() => reveal.mutate(clip.id)}>
        <Icon name="folder" size={14} />
        {t("Show in folder")}
      </Button>
      {reveal.error && (
        <p className="details-warning" role="alert">
          {reveal.error.message}
        </p>
      )}
    </>
  );
}

function BinActions({ clip, doing }: { clip: Clip; doing: ClipCommands }) {
  return (
    <>
      <p>{t("It lies in the bin.")}</p>
      <Button onClick={() => doing.restore([clip])}>
        <Icon name="undo" size={14} />
        {t("Take back")}
      </Button>
      <Button className="player-actions-end" variant="soft" color="ruby" onClick={() => doing.remove([clip])}>
        {t("Remove for good")}
      </Button>
    </>
  );
}

function Keys() {
  return (
    <details className="player-keys">
      <summary>{t("Keys")}</summary>
      <dl>
        {playerKeys().map(({ keys, says }) => (
          <div key={says}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
