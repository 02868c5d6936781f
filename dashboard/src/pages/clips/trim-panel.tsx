// A part of the clip becomes a clip of its own: where it begins and ends, how it looks, what it is called.
import { type Clip, trimClip } from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { galleryFilterIn, galleryQueryOf } from "../../api/clip-filter.ts";
import { useClient } from "../../api/session-context.ts";
import { t } from "../../language/language.ts";
import { clipsAddress } from "../../ui/address.ts";
import { doneWords } from "../../ui/clips/clip-words.ts";
import type { PartRange } from "../../ui/clips/trim-range.ts";
import type { Playback } from "../../ui/clips/use-playback.ts";
import { Icon } from "../../ui/icon.tsx";
import { exactClockOf } from "../../ui/measures.ts";
import { titleCharsMax } from "./player-title.tsx";
import { PartStrip } from "./trim-strip.tsx";
import type { ClipCommands } from "./use-clip-commands.ts";
import type { Part } from "./use-trim.ts";

type Props = { clip: Clip; playback: Playback; part: Part; range: PartRange; doing: ClipCommands };

/** Goes to the new clip, which says itself how far it is. */
function useTrim(clip: Clip, doing: ClipCommands) {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ range: { from, to }, title }: { range: PartRange; title: string }) =>
      client.call(trimClip, {
        params: { id: clip.id },
        body: { fromSeconds: from, toSeconds: to, ...(title === "" ? {} : { title }) },
      }),
    onSuccess: (made: Clip) => {
      queryClient.setQueryData(["clips", "one", made.id], made);
      void queryClient.invalidateQueries({ queryKey: ["clips", "list"] });
      doing.say(doneWords.partAsked());
      location.hash = clipsAddress(made.id, galleryQueryOf(galleryFilterIn(location.hash)));
    },
  });
}

export function TrimPanel({ clip, playback, part, range, doing }: Props) {
  const length = range.to - range.from;
  return (
    <section className="tool-panel" aria-label={t("Trim")}>
      <PartStrip clip={clip} playback={playback} part={part} range={range} />
      <p className="part-says" role="status">
        {t("{{from}} to {{to}}: {{seconds}} s", {
          from: exactClockOf(range.from),
          to: exactClockOf(range.to),
          seconds: length.toFixed(2),
        })}
      </p>
      <div className="part-buttons">
        <Button variant="soft" color="gray" title={t("Key I")} onClick={() => part.markHere("from")}>
          {t("Begin here")}
        </Button>
        <Button variant="soft" color="gray" title={t("Key O")} onClick={() => part.markHere("to")}>
          {t("End here")}
        </Button>
        <Button variant="soft" onClick={() => playback.playFrom(range.from)}>
          <Icon name="play" size={14} />
          {t("Play the part")}
        </Button>
      </div>
      <SaveForm clip={clip} range={range} doing={doing} />
    </section>
  );
}

function SaveForm({ clip, range, doing }: { clip: Clip; range: PartRange; doing: ClipCommands }) {
  const name = useId();
  const [title, setTitle] = useState(() => t("{{title}} (part)", { title: clip.title }).slice(0, titleCharsMax));
  const { mutate, isPending, error } = useTrim(clip, doing);
  const onSubmit = (submitted: FormEvent) => {
    submitted.preventDefault();
    mutate({ range, title: title.trim() });
  };
  return (
    <form className="part-save" onSubmit={onSubmit}>
      <label htmlFor={name}>{t("Name of the new clip")}</label>
      <TextField.Root
        id={name}
        value={title}
        maxLength={titleCharsMax}
        onChange={({ target }) => setTitle(target.value)}
      />
      <Button type="submit" disabled={isPending}>
        {t("Save as a new clip")}
      </Button>
      <p className="part-note">{t("The clip it is of stays as it is.")}</p>
      {error && (
        <p className="details-warning" role="alert">
          {error.message}
        </p>
      )}
    </form>
  );
}
