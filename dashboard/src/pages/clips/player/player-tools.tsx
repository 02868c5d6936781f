// The tools of the player: its buttons for speed, loop, trim and export, and the actions on the open clip.
import type { Clip } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useEffect, useState } from "react";
import { useMedia } from "../../../api/media-pass.ts";
import { clipDownloadFile } from "../../../api/use-clips.ts";
import { locale, t } from "../../../language/language.ts";
import { isPlayable, isReelInProgress, isSavedVideo } from "../../../ui/clips/clip-text.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { ErrorText } from "../../../ui/error-text.tsx";
import { Select } from "../../../ui/fields.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { playbackSpeeds, playerKeyHelp } from "../../../ui/player/player-keys.ts";
import type { TrimRange } from "../../../ui/player/trim-range.ts";
import { type Playback, usePlaybackRange } from "../../../ui/player/use-playback.ts";
import { ShortcutList } from "../../../ui/shortcuts.tsx";
import { ExportPanel, isUpright, useExportChoice } from "../exports.tsx";
import { PostDialog } from "../post-dialog.tsx";
import { type ClipCommands, useRevealClip } from "../use-clip-commands.ts";
import type { PlayerOutput } from "./player-output.ts";
import { TrimPanel, type TrimState } from "./trim-panel.tsx";

type PostProps = { clip: Clip; range: TrimRange | undefined; commands: ClipCommands };
type ActionProps = PostProps & { output: PlayerOutput };

/** Actions for the open clip: post, download, pin, show in folder, delete. `range` is the part to post, if one is selected. */
export function PlayerActions({ clip, range, output, commands }: ActionProps) {
  return (
    <>
      <div className="cluster">
        {clip.deletedAt === null ? (
          <ActiveClipActions clip={clip} range={range} output={output} commands={commands} />
        ) : (
          <TrashActions clip={clip} commands={commands} />
        )}
      </div>
      {clip.microphone && (
        <p className="small quiet">
          {t("The file has your microphone as a second sound track. Export leaves it out unless you include it.")}
        </p>
      )}
      {isSavedVideo(clip) && <Keys />}
    </>
  );
}

function PostButton({ clip, range, commands }: PostProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon name="share" size={14} />
        {range === undefined ? t("Post…") : t("Post this part…")}
      </Button>
      {isOpen && <PostDialog clips={[clip]} range={range} commands={commands} onClose={() => setOpen(false)} />}
    </>
  );
}

function ActiveClipActions({ clip, range, output, commands }: ActionProps) {
  const { addressFor } = useMedia();
  return (
    <>
      {isPlayable(clip) && <PostButton clip={clip} range={range} commands={commands} />}
      {isPlayable(clip) && (
        <Button asChild variant="soft">
          <a href={addressFor(clipDownloadFile(clip))} download>
            <Icon name="download" size={14} />
            {t("Download")}
          </a>
        </Button>
      )}
      {output.canCopy && (
        <Button
          variant="soft"
          title={t("Copy the file so that you can paste it into a chat, an email or a folder (C)")}
          onClick={output.copyFile}
        >
          <Icon name="copy" size={14} />
          {t("Copy file")}
        </Button>
      )}
      <ErrorText error={output.copyError} />
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
      {isReelInProgress(clip) && (
        <Button variant="soft" color="gray" onClick={() => commands.cancelReel(clip)}>
          <Icon name="close" size={14} />
          {t("Cancel the reel")}
        </Button>
      )}
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

type Props = {
  clip: Clip;
  playback: Playback;
  trim: TrimState;
  output: PlayerOutput;
  /** Where the crop frame for a vertical copy is: 0 is left or top, 1 is right or bottom. */
  position: number;
  /** Shows or hides that frame. */
  onCrop: (isShown: boolean) => void;
  commands: ClipCommands;
};

/** Tools below the video: speed, loop, trim, export and save a frame. */
export function PlayerTools({ clip, playback, trim, output, position, onCrop, commands }: Props) {
  const [exporting, setExporting] = useState(false);
  const [chosen, setChosen] = useExportChoice();
  const isCropping = exporting && isUpright(chosen);
  useEffect(() => onCrop(isCropping), [isCropping, onCrop]);
  usePlaybackRange(playback, { range: trim.range, loops: trim.loops });
  return (
    <>
      <div className="cluster tight">
        <Speed playback={playback} />
        <Button
          variant="soft"
          color={trim.loops ? "iris" : "gray"}
          aria-pressed={trim.loops}
          title={trim.range ? t("Loop the selection (R)") : t("Loop (R)")}
          onClick={() => trim.setLoops(!trim.loops)}
        >
          <Icon name="repeat" size={14} />
          {t("Loop")}
        </Button>
        {clip.deletedAt === null && (
          <>
            <Button
              variant="soft"
              color={trim.range ? "iris" : "gray"}
              aria-expanded={trim.range !== undefined}
              title={t("Save part of this clip as a new clip (I, O)")}
              onClick={trim.toggle}
            >
              <Icon name="scissors" size={14} />
              {t("Trim")}
            </Button>
            <Button
              variant="soft"
              color={exporting ? "iris" : "gray"}
              aria-expanded={exporting}
              title={t("Make a copy: for Discord or email, vertical, or as a GIF")}
              onClick={() => setExporting(!exporting)}
            >
              <Icon name="share" size={14} />
              {t("Export")}
            </Button>
            <Button
              variant="soft"
              color="gray"
              title={t("Save this frame as a picture in full size (S)")}
              onClick={output.saveFrame}
            >
              <Icon name="picture" size={14} />
              {t("Save frame")}
            </Button>
          </>
        )}
      </div>
      <ErrorText error={output.frameError} />
      {trim.range && <TrimPanel clip={clip} playback={playback} trim={trim} range={trim.range} commands={commands} />}
      {exporting && (
        <ExportPanel clip={clip} chosen={chosen} onChoose={setChosen} range={trim.range} position={position} />
      )}
    </>
  );
}

function Speed({ playback: { speed, setSpeed } }: { playback: Playback }) {
  const choices = playbackSpeeds.map((each) => ({
    value: each,
    says: t("{{speed}} ×", { speed: each.toLocaleString(locale()) }),
  }));
  return (
    <span title={t("Speed (< and >)")}>
      <Select label={t("Speed")} choices={choices} value={speed} onChange={setSpeed} />
    </span>
  );
}
