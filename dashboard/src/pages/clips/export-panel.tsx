// A copy of the clip that fits where a person puts it by hand: which place, or how large, and those that were asked for.
import { type Clip, type ExportTarget, exportTargets } from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { type FormEvent, useId, useState } from "react";
import { t } from "../../language/language.ts";
import { sizeOf } from "../../ui/measures.ts";
import { ExportList } from "./export-list.tsx";
import { ownBytesOf, targets, targetWord } from "./export-words.ts";
import { useExportCalls, useExports } from "./use-exports.ts";

const own = "own";
type Choice = ExportTarget | typeof own;

export function ExportPanel({ clip }: { clip: Clip }) {
  const asked = useExports(clip.id);
  return (
    <section className="tool-panel" aria-label={t("Export")}>
      <Ask clip={clip} />
      {asked.error && (
        <p className="details-warning" role="alert">
          {asked.error.message}
        </p>
      )}
      <ExportList exports={asked.data ?? []} />
    </section>
  );
}

function Ask({ clip }: { clip: Clip }) {
  const [choice, setChoice] = useState<Choice>("discord");
  const [typed, setTyped] = useState("8");
  const { ask } = useExportCalls();
  const bytesMax = choice === own ? ownBytesOf(typed) : exportTargets[choice].bytesMax;
  const onSubmit = (submitted: FormEvent) => {
    submitted.preventDefault();
    if (bytesMax === undefined) return;
    ask.mutate({ clip: clip.id, ...(choice === own ? { bytesMax } : { target: choice }) });
  };
  return (
    <form className="export-ask" onSubmit={onSubmit}>
      <fieldset>
        <legend>{t("A copy small enough for")}</legend>
        {targets.map((target) => (
          <Place
            key={target}
            value={target}
            chosen={choice}
            onChoose={setChoice}
            says={targetWord(target)}
            limit={t("up to {{size}}", { size: sizeOf(exportTargets[target].bytesMax) })}
          />
        ))}
        <Place value={own} chosen={choice} onChoose={setChoice} says={t("A size of your own")} />
        {choice === own && <OwnSize typed={typed} onType={setTyped} valid={bytesMax !== undefined} />}
      </fieldset>
      <p className="export-note" data-quiet="true">
        {bytesMax !== undefined && clip.bytes <= bytesMax
          ? t("The clip has {{size}}: it fits, and is copied as it is.", { size: sizeOf(clip.bytes) })
          : t("The clip has {{size}}: the copy is encoded anew, and may get a smaller picture.", {
              size: sizeOf(clip.bytes),
            })}
      </p>
      <Button type="submit" disabled={ask.isPending || bytesMax === undefined}>
        {t("Make a copy")}
      </Button>
      {ask.error && (
        <p className="details-warning" role="alert">
          {ask.error.message}
        </p>
      )}
    </form>
  );
}

type PlaceProps = {
  value: Choice;
  chosen: Choice;
  onChoose: (choice: Choice) => void;
  says: string;
  limit?: string;
};

function Place({ value, chosen, onChoose, says, limit }: PlaceProps) {
  const id = useId();
  return (
    <label className="export-place" htmlFor={id}>
      <input id={id} type="radio" name="place" checked={chosen === value} onChange={() => onChoose(value)} />
      <span>{says}</span>
      {limit && <span className="export-limit">{limit}</span>}
    </label>
  );
}

type OwnProps = { typed: string; onType: (typed: string) => void; valid: boolean };

function OwnSize({ typed, onType, valid }: OwnProps) {
  const ids = { field: useId(), says: useId() };
  return (
    <span className="export-own">
      <label htmlFor={ids.field}>{t("Megabytes")}</label>
      <TextField.Root
        id={ids.field}
        className="number-field"
        inputMode="decimal"
        aria-invalid={!valid}
        aria-describedby={ids.says}
        value={typed}
        onChange={({ target }) => onType(target.value)}
      />
      <span id={ids.says}>{t("0.5 at least")}</span>
    </span>
  );
}
