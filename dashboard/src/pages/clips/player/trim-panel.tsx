// Trims the open clip: its selected range, a preview, and the form that saves the range as a new clip.
import { type Clip, trimClip } from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { useClient } from "../../../api/session-context.ts";
import { t } from "../../../language/language.ts";
import { clipsAddress } from "../../../ui/address.ts";
import { clipToasts } from "../../../ui/clips/clip-text.ts";
import { ErrorText } from "../../../ui/error-text.tsx";
import { formatExactClock } from "../../../ui/format.ts";
import { Icon } from "../../../ui/icon.tsx";
import type { TrimRange } from "../../../ui/player/trim-range.ts";
import type { Playback } from "../../../ui/player/use-playback.ts";
import { parseGalleryFilter, toGalleryQuery } from "../clip-filter.ts";
import type { ClipCommands } from "../use-clip-commands.ts";
import { clipTitleCharsMax } from "./player-title.tsx";
import { TrimStrip } from "./trim-strip.tsx";
import type { TrimState } from "./use-trim.ts";

type Props = { clip: Clip; playback: Playback; trim: TrimState; range: TrimRange; commands: ClipCommands };

/** Creates the trimmed clip and opens its page, which shows the progress. */
function useTrim(clip: Clip, commands: ClipCommands) {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ range: { from, to }, title }: { range: TrimRange; title: string }) =>
      client.call(trimClip, {
        params: { id: clip.id },
        body: { fromSeconds: from, toSeconds: to, ...(title === "" ? {} : { title }) },
      }),
    onSuccess: (made: Clip) => {
      queryClient.setQueryData(["clips", "one", made.id], made);
      void queryClient.invalidateQueries({ queryKey: ["clips", "list"] });
      commands.say(clipToasts.partAsked());
      location.hash = clipsAddress(made.id, toGalleryQuery(parseGalleryFilter(location.hash)));
    },
  });
}

export function TrimPanel({ clip, playback, trim, range, commands }: Props) {
  const length = range.to - range.from;
  return (
    <section className="card" aria-label={t("Trim")}>
      <TrimStrip clip={clip} playback={playback} trim={trim} range={range} />
      <p className="part-says numbers" role="status">
        {t("{{from}} to {{to}}: {{seconds}} s", {
          from: formatExactClock(range.from),
          to: formatExactClock(range.to),
          seconds: length.toFixed(2),
        })}
      </p>
      <div className="cluster tight">
        <Button variant="soft" color="gray" title={t("Key: I")} onClick={() => trim.markHere("from")}>
          {t("Start here")}
        </Button>
        <Button variant="soft" color="gray" title={t("Key: O")} onClick={() => trim.markHere("to")}>
          {t("End here")}
        </Button>
        <Button variant="soft" onClick={() => playback.playFrom(range.from)}>
          <Icon name="play" size={14} />
          {t("Play the selection")}
        </Button>
      </div>
      <SaveForm clip={clip} range={range} commands={commands} />
    </section>
  );
}

function SaveForm({ clip, range, commands }: { clip: Clip; range: TrimRange; commands: ClipCommands }) {
  const name = useId();
  const [title, setTitle] = useState(() => t("{{title}} (trimmed)", { title: clip.title }).slice(0, clipTitleCharsMax));
  const { mutate, isPending, error } = useTrim(clip, commands);
  const onSubmit = (submitted: FormEvent) => {
    submitted.preventDefault();
    mutate({ range, title: title.trim() });
  };
  return (
    <form className="stack tight" onSubmit={onSubmit}>
      <label htmlFor={name}>{t("Name of the new clip")}</label>
      <span className="cluster tight inline-form">
        <TextField.Root
          id={name}
          value={title}
          maxLength={clipTitleCharsMax}
          onChange={({ target }) => setTitle(target.value)}
        />
        <Button type="submit" disabled={isPending}>
          {t("Save as a new clip")}
        </Button>
      </span>
      <p className="small quiet">{t("The original clip stays unchanged.")}</p>
      <ErrorText error={error} />
    </form>
  );
}
