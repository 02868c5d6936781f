// The tags of the clip that is open: written at once, said when the launcher refuses.
import { type Clip, clipTagsMax } from "@kit/contract";
import { useRef } from "react";
import { t } from "../language/language.ts";
import { Section } from "../live/section.tsx";
import { TagField } from "./tag-field.tsx";
import { TagList } from "./tag-list.tsx";
import { tagsChanged } from "./tags.ts";
import { useClipChange } from "./use-clip-actions.ts";

export function ClipTags({ clip }: { clip: Clip }) {
  const { mutate, error, isPending } = useClipChange();
  const place = useRef<HTMLDivElement>(null);
  const write = (tags: string[]) => mutate({ id: clip.id, tags });
  const full = clip.tags.length >= clipTagsMax;
  return (
    <Section title={t("Tags")}>
      <div className="clip-tag-editor" ref={place} aria-busy={isPending}>
        <TagList
          tags={clip.tags}
          label={t("Tags")}
          onRemove={(tag) => {
            write(tagsChanged(clip.tags, { remove: [tag] }));
            // Its button goes: the focus would be lost with it.
            place.current?.querySelector("input")?.focus();
          }}
        />
        {clip.tags.length === 0 && clip.deletedAt !== null && <p>{t("None")}</p>}
        <TagField taken={clip.tags} disabled={full} onAdd={(tag) => write(tagsChanged(clip.tags, { add: [tag] }))} />
        {full && <p className="tag-full">{t("A clip has {{count}} tags at most.", { count: clipTagsMax })}</p>}
        {error && (
          <p className="details-warning" role="alert">
            {error.message}
          </p>
        )}
      </div>
    </Section>
  );
}
