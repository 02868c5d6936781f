// Tags for all selected clips: some are added to each, some taken from those that have them.
import type { Clip } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useId, useState } from "react";
import { Dialog } from "../frame/dialog.tsx";
import { t } from "../language/language.ts";
import { TagField } from "./tag-field.tsx";
import { TagList } from "./tag-list.tsx";
import { type TagChange, tagsChanged, tagsOf } from "./tags.ts";

type Props = { clips: readonly Clip[]; onChange: (change: TagChange) => void; onClose: () => void };

export function TagsDialog({ clips, onChange, onClose }: Props) {
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
