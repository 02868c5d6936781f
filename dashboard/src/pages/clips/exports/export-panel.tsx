// Makes a copy of the clip that fits a service or a given size, and lists the copies of this clip.
import { type Clip, type ExportTarget, exportTargets } from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { type FormEvent, useId, useState } from "react";
import { t } from "../../../language/language.ts";
import { ErrorText } from "../../../ui/error-text.tsx";
import { formatBytes } from "../../../ui/format.ts";
import { ExportList } from "./export-list.tsx";
import { exportTargetIds, exportTargetName, parseCustomBytes } from "./export-text.ts";
import { useExportCalls, useExports } from "./use-exports.ts";

const customSize = "own";
type Choice = ExportTarget | typeof customSize;

export function ExportPanel({ clip }: { clip: Clip }) {
  const asked = useExports(clip.id);
  return (
    <section className="card" aria-label={t("Export")}>
      <ExportForm clip={clip} />
      <ErrorText error={asked.error} />
      <ExportList exports={asked.data ?? []} />
    </section>
  );
}

function ExportForm({ clip }: { clip: Clip }) {
  const [choice, setChoice] = useState<Choice>(exportTargetIds[0] ?? customSize);
  const [typed, setTyped] = useState("8");
  const { ask } = useExportCalls();
  const bytesMax = choice === customSize ? parseCustomBytes(typed) : exportTargets[choice].bytesMax;
  const onSubmit = (submitted: FormEvent) => {
    submitted.preventDefault();
    if (bytesMax === undefined) return;
    ask.mutate({ clip: clip.id, ...(choice === customSize ? { bytesMax } : { target: choice }) });
  };
  return (
    <form className="stack" onSubmit={onSubmit}>
      <fieldset className="export-targets">
        <legend>{t("Make a copy small enough for")}</legend>
        {exportTargetIds.map((target) => (
          <TargetOption
            key={target}
            value={target}
            chosen={choice}
            onChoose={setChoice}
            says={exportTargetName(target)}
            limit={t("up to {{size}}", { size: formatBytes(exportTargets[target].bytesMax) })}
          />
        ))}
        <TargetOption value={customSize} chosen={choice} onChoose={setChoice} says={t("Custom size")} />
        {choice === customSize && <OwnSize typed={typed} onType={setTyped} valid={bytesMax !== undefined} />}
      </fieldset>
      <p className="small quiet">
        {bytesMax !== undefined && clip.bytes <= bytesMax
          ? t("The clip has {{size}} and fits, so it is copied unchanged.", { size: formatBytes(clip.bytes) })
          : t("The clip has {{size}} and is too large, so the copy is re-encoded, possibly at a lower resolution.", {
              size: formatBytes(clip.bytes),
            })}
      </p>
      <Button type="submit" disabled={ask.isPending || bytesMax === undefined}>
        {t("Make a copy")}
      </Button>
      <ErrorText error={ask.error} />
    </form>
  );
}

type TargetOptionProps = {
  value: Choice;
  chosen: Choice;
  onChoose: (choice: Choice) => void;
  says: string;
  limit?: string;
};

function TargetOption({ value, chosen, onChoose, says, limit }: TargetOptionProps) {
  const id = useId();
  return (
    <label className="switch-label" htmlFor={id}>
      <input id={id} type="radio" name="place" checked={chosen === value} onChange={() => onChoose(value)} />
      <span>{says}</span>
      {limit && <span className="small quiet">{limit}</span>}
    </label>
  );
}

type OwnProps = { typed: string; onType: (typed: string) => void; valid: boolean };

function OwnSize({ typed, onType, valid }: OwnProps) {
  const ids = { field: useId(), says: useId() };
  return (
    <span className="cluster inline-form">
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
      <span id={ids.says}>{t("At least 0.5 MB")}</span>
    </span>
  );
}
