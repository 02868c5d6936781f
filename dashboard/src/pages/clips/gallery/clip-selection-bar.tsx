// Actions for the selected clips. The bar covers the lower edge of the gallery, so that nothing moves when it appears.
import type { Clip } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useId, useState } from "react";
import { t } from "../../../language/language.ts";
import { isPlayable, isSavedVideo } from "../../../ui/clips/clip-text.ts";
import { ReelDialog } from "../../../ui/clips/reel/reel-dialog.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorText } from "../../../ui/error-text.tsx";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import { ExportDialog } from "../exports.tsx";
import { useCopyFiles } from "../player/player-output.ts";
import { PostDialog } from "../post-dialog.tsx";
import { TagField, TagList } from "../tag-field.tsx";
import { applyTagChange, type TagChange, uniqueTags } from "../tags.ts";
import type { ClipCommands } from "../use-clip-commands.ts";
import type { Selection } from "./use-selection.ts";

type TagsDialogProps = { clips: readonly Clip[]; onChange: (change: TagChange) => void; onClose: () => void };

/**
 * Edits the tags of all selected clips. An added tag is added to every clip; a removed one is removed from each that
 * has it.
 */
function TagsDialog({ clips, onChange, onClose }: TagsDialogProps) {
  const title = useId();
  const [add, setAdd] = useState<readonly string[]>([]);
  const [remove, setRemove] = useState<readonly string[]>([]);
  const had = uniqueTags(clips);
  const left = applyTagChange(had, { remove });
  const count = clips.length;
  return (
    <Dialog className="panel tags-dialog" labelledBy={title} onClose={onClose}>
      <h2 id={title}>{t("Tags of {{count}} clips", { count, defaultValue_one: "Tags of {{count}} clip" })}</h2>
      <TagField
        taken={add}
        onAdd={(tag) => {
          setAdd(applyTagChange(add, { add: [tag] }));
          setRemove(applyTagChange(remove, { remove: [tag] }));
        }}
      />
      {add.length > 0 && <p>{t("Added to every selected clip:")}</p>}
      <TagList tags={add} label={t("Added")} onRemove={(tag) => setAdd(applyTagChange(add, { remove: [tag] }))} />
      {left.length > 0 && <p>{t("On some of the selected clips:")}</p>}
      <TagList
        tags={left}
        label={t("Tags on some clips")}
        onRemove={(tag) => {
          setRemove([...remove, tag]);
          setAdd(applyTagChange(add, { remove: [tag] }));
        }}
      />
      <div className="panel-end">
        <Button variant="soft" color="gray" onClick={onClose}>
          {t("Cancel")}
        </Button>
        <Button disabled={add.length + remove.length === 0} onClick={() => onChange({ add, remove })}>
          {t("Save")}
        </Button>
      </div>
    </Dialog>
  );
}

type Props = { selection: Selection; inBin: boolean; commands: ClipCommands };

export function ClipSelectionBar({ selection: { clips, clear }, inBin, commands }: Props) {
  const [posting, setPosting] = useState(false);
  const [tagging, setTagging] = useState(false);
  const [exporting, setExporting] = useState<readonly Clip[]>();
  const copying = useCopyFiles(commands);
  const [reeling, setReeling] = useState<readonly Clip[]>();
  const count = clips.length;
  const button = (icon: IconName, says: string, onClick: () => void) => (
    <Button variant="soft" color="gray" onClick={onClick}>
      <Icon name={icon} size={14} />
      {says}
    </Button>
  );
  return (
    <section className="cluster tight floating clip-selection" aria-label={t("Actions for the selection")}>
      <p role="status">{t("{{count}} clips selected", { count, defaultValue_one: "{{count}} clip selected" })}</p>
      {inBin ? (
        <>
          {button("undo", t("Restore"), () => commands.restore(clips))}
          {button("bin", t("Delete permanently"), () => commands.remove(clips))}
        </>
      ) : (
        <ActiveClipButtons
          clips={clips}
          commands={commands}
          button={button}
          onPost={() => setPosting(true)}
          onTag={() => setTagging(true)}
          onReel={setReeling}
          onCopy={copying.isOffered ? (files) => copying.copy.mutate(files) : undefined}
          onExport={setExporting}
        />
      )}
      <Button variant="ghost" color="gray" onClick={clear}>
        {t("Clear")}
      </Button>
      <ErrorText error={copying.copy.error} />
      {exporting && (
        <ExportDialog
          clips={exporting}
          onMade={() => {
            setExporting(undefined);
            clear();
            commands.say(t("Making the copies. The button above the gallery lists them."));
          }}
          onClose={() => setExporting(undefined)}
        />
      )}
      {posting && <PostDialog clips={clips.filter(isPlayable)} commands={commands} onClose={() => setPosting(false)} />}
      {reeling && (
        <ReelDialog
          clips={reeling}
          onMade={() => {
            setReeling(undefined);
            clear();
            commands.say(t("Making the reel. It appears in the gallery; its clips stay unchanged."));
          }}
          onClose={() => setReeling(undefined)}
        />
      )}
      {tagging && (
        <TagsDialog
          clips={clips}
          onChange={(change) => {
            setTagging(false);
            commands.tag(clips, change);
          }}
          onClose={() => setTagging(false)}
        />
      )}
    </section>
  );
}

type ActiveClipButtonsProps = {
  clips: readonly Clip[];
  commands: ClipCommands;
  button: (icon: IconName, says: string, onClick: () => void) => React.ReactNode;
  onPost: () => void;
  onTag: () => void;
  onReel: (clips: readonly Clip[]) => void;
  /** Undefined if the launcher's computer has no desktop. */
  onCopy: ((clips: readonly Clip[]) => void) | undefined;
  onExport: (clips: readonly Clip[]) => void;
};

function ActiveClipButtons(props: ActiveClipButtonsProps) {
  const { clips, commands, button, onPost, onTag, onReel, onCopy, onExport } = props;
  const saved = clips.filter(({ state }) => state === "saved");
  const playable = clips.filter(isPlayable);
  const videos = clips.filter(isSavedVideo);
  const going = clips.filter(({ state }) => state !== "pending");
  const allPinned = saved.every(({ pinned }) => pinned);
  return (
    <>
      {playable.length > 0 && button("share", t("Post…"), onPost)}
      {saved.length > 0 && button("pin", allPinned ? t("Unpin") : t("Pin"), () => commands.pin(saved, !allPinned))}
      {playable.length > 0 && onCopy && button("copy", t("Copy files"), () => onCopy(playable))}
      {videos.length > 0 && button("download", t("Export…"), () => onExport(videos))}
      {videos.length > 0 && button("film", t("Make a reel"), () => onReel(videos))}
      {button("tag", t("Tags"), onTag)}
      {going.length > 0 && button("bin", t("Delete"), () => commands.discard(going))}
    </>
  );
}
