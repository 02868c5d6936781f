// What can be done with all selected clips at once. Lies over the gallery's lower edge: nothing moves when it comes.
import type { Clip } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useId, useState } from "react";
import { t } from "../../language/language.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { TagField } from "./tag-field.tsx";
import { TagList } from "./tag-list.tsx";
import { type TagChange, tagsChanged, tagsOf } from "./tags.ts";
import type { ClipCommands } from "./use-clip-commands.ts";
import type { Selection } from "./use-selection.ts";

type TagsDialogProps = { clips: readonly Clip[]; onChange: (change: TagChange) => void; onClose: () => void };

/** Tags for all selected clips: some are added to each, some taken from those that have them. */
function TagsDialog({ clips, onChange, onClose }: TagsDialogProps) {
  const title = useId();
  const [add, setAdd] = useState<readonly string[]>([]);
  const [remove, setRemove] = useState<readonly string[]>([]);
  const had = tagsOf(clips);
  const left = tagsChanged(had, { remove });
  const count = clips.length;
  return (
    <Dialog className="panel tags-dialog" labelledBy={title} onClose={onClose}>
      <h2 id={title}>{t("Tags of {{count}} clips", { count, defaultValue_one: "Tags of {{count}} clip" })}</h2>
      <TagField
        taken={add}
        onAdd={(tag) => {
          setAdd(tagsChanged(add, { add: [tag] }));
          setRemove(tagsChanged(remove, { remove: [tag] }));
        }}
      />
      {add.length > 0 && <p>{t("Added to each of them:")}</p>}
      <TagList tags={add} label={t("Added")} onRemove={(tag) => setAdd(tagsChanged(add, { remove: [tag] }))} />
      {left.length > 0 && <p>{t("Some of them have:")}</p>}
      <TagList
        tags={left}
        label={t("Had by some")}
        onRemove={(tag) => {
          setRemove([...remove, tag]);
          setAdd(tagsChanged(add, { remove: [tag] }));
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

type Props = { selection: Selection; inBin: boolean; doing: ClipCommands };

export function ClipSelectionBar({ selection: { clips, clear }, inBin, doing }: Props) {
  const [tagging, setTagging] = useState(false);
  const count = clips.length;
  const button = (icon: IconName, says: string, onClick: () => void) => (
    <Button variant="soft" color="gray" onClick={onClick}>
      <Icon name={icon} size={14} />
      {says}
    </Button>
  );
  return (
    <section className="clip-selection" aria-label={t("What to do with the selected")}>
      <p role="status">{t("{{count}} clips selected", { count, defaultValue_one: "{{count}} clip selected" })}</p>
      {inBin ? (
        <>
          {button("undo", t("Take back"), () => doing.restore(clips))}
          {button("bin", t("Remove for good"), () => doing.remove(clips))}
        </>
      ) : (
        <KeptButtons clips={clips} doing={doing} button={button} onTag={() => setTagging(true)} />
      )}
      <Button variant="ghost" color="gray" onClick={clear}>
        {t("Clear")}
      </Button>
      {tagging && (
        <TagsDialog
          clips={clips}
          onChange={(change) => {
            setTagging(false);
            doing.tag(clips, change);
          }}
          onClose={() => setTagging(false)}
        />
      )}
    </section>
  );
}

type KeptProps = {
  clips: readonly Clip[];
  doing: ClipCommands;
  button: (icon: IconName, says: string, onClick: () => void) => React.ReactNode;
  onTag: () => void;
};

function KeptButtons({ clips, doing, button, onTag }: KeptProps) {
  const saved = clips.filter(({ state }) => state === "saved");
  const going = clips.filter(({ state }) => state !== "pending");
  const allPinned = saved.every(({ pinned }) => pinned);
  return (
    <>
      {saved.length > 0 && button("pin", allPinned ? t("Unpin") : t("Pin"), () => doing.pin(saved, !allPinned))}
      {button("tag", t("Tags"), onTag)}
      {going.length > 0 && button("bin", t("Delete"), () => doing.discard(going))}
    </>
  );
}
