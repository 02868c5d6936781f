// Actions for the open clip: download, pin, show in folder, delete.
import type { Clip } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useMedia } from "../../../api/media-pass.tsx";
import { t } from "../../../language/language.ts";
import { isPlayable, isSavedVideo } from "../../../ui/clips/clip-text.ts";
import { clipDownloadFile } from "../../../ui/clips/media-urls.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { ErrorText } from "../../../ui/error-text.tsx";
import { ShortcutList } from "../../../ui/help-dialog.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { playerKeyHelp } from "../../../ui/player/player-keys.ts";
import { useRevealClip } from "../use-clip-actions.ts";
import type { ClipCommands } from "../use-clip-commands.ts";

export function PlayerActions({ clip, commands }: { clip: Clip; commands: ClipCommands }) {
  return (
    <>
      <div className="cluster">
        {clip.deletedAt === null ? (
          <ActiveClipActions clip={clip} commands={commands} />
        ) : (
          <TrashActions clip={clip} commands={commands} />
        )}
      </div>
      {isSavedVideo(clip) && <Keys />}
    </>
  );
}

function ActiveClipActions({ clip, commands }: { clip: Clip; commands: ClipCommands }) {
  const { addressFor } = useMedia();
  return (
    <>
      {isPlayable(clip) && (
        <Button asChild>
          <a href={addressFor(clipDownloadFile(clip))} download>
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
          title={t("Pinned clips are never deleted to free up space")}
          onClick={() => commands.pin([clip], !clip.pinned)}
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
        <Button className="end" variant="soft" color="ruby" onClick={() => commands.discard([clip])}>
          <Icon name="bin" size={14} />
          {t("Delete")}
        </Button>
      )}
    </>
  );
}

function Reveal({ clip }: { clip: Clip }) {
  const reveal = useRevealClip();
  return (
    <>
      <Button variant="soft" color="gray" disabled={reveal.isPending} onClick={() => reveal.mutate(clip.id)}>
        <Icon name="folder" size={14} />
        {t("Show in folder")}
      </Button>
      <ErrorText error={reveal.error} />
    </>
  );
}

function TrashActions({ clip, commands }: { clip: Clip; commands: ClipCommands }) {
  return (
    <>
      <p>{t("This clip is in the trash.")}</p>
      <Button onClick={() => commands.restore([clip])}>
        <Icon name="undo" size={14} />
        {t("Restore")}
      </Button>
      <Button className="end" variant="soft" color="ruby" onClick={() => commands.remove([clip])}>
        {t("Delete permanently")}
      </Button>
    </>
  );
}

function Keys() {
  return (
    <details className="small player-keys">
      <summary>{t("Keyboard shortcuts")}</summary>
      <ShortcutList help={playerKeyHelp()} />
    </details>
  );
}
