// The fields of a recording rule: its action, its lengths in seconds, and its priority.
import { recordingActions } from "@kit/contract";
import { TextField } from "@radix-ui/themes";
import { useId } from "react";
import { t } from "../../../language/language.ts";
import { NumberQuestion, SegmentedChoice } from "../../../ui/fields.tsx";
import { formatNumber } from "../../../ui/format.ts";
import { priorityText, recordingActionText } from "../rule-text.ts";
import type { FormProblems, RuleDraft, SecondsMember } from "./rule-form.ts";

type Props = { form: RuleDraft; onChange: (change: RuleDraft) => void };

export function ActionChoice({ form, onChange }: Props) {
  return (
    <SegmentedChoice
      className="rule-action"
      label={t("Action")}
      choices={recordingActions.map((action) => ({ value: action, says: recordingActionText(action) }))}
      value={form.action ?? "clip"}
      onChange={(action) => onChange({ action })}
    />
  );
}

export function SecondsFields({ form, problems, onChange }: Props & { problems: FormProblems }) {
  const seconds = (member: SecondsMember, label: string, hint?: string) => (
    <SecondsField
      label={label}
      hint={hint}
      value={form[member] ?? ""}
      problem={problems[member]}
      onChange={(typed) => onChange({ [member]: typed })}
    />
  );
  return (
    <div className="rule-seconds">
      {seconds("preSeconds", t("Before the moment"))}
      {seconds("postSeconds", t("After the moment"))}
      {seconds(
        "mergeGapSeconds",
        t("Merge gap"),
        t("Another moment within this time after the clip's end extends the clip."),
      )}
      {seconds("longestSeconds", t("Maximum length"), t("Later moments start a new clip."))}
      {seconds(
        "cooldownSeconds",
        t("Cooldown"),
        t("If the same event happens again within this time, it neither starts nor extends a clip."),
      )}
    </div>
  );
}

type SecondsProps = {
  label: string;
  hint: string | undefined;
  value: string;
  problem: string | undefined;
  onChange: (typed: string) => void;
};

function SecondsField({ label, hint, value, problem, onChange }: SecondsProps) {
  const ids = { field: useId(), hint: useId() };
  return (
    <div className="stack tight">
      <label className="form-label" htmlFor={ids.field}>
        {label}
      </label>
      <span className="with-unit">
        <TextField.Root
          id={ids.field}
          className="number-field"
          aria-describedby={ids.hint}
          aria-invalid={problem !== undefined}
          inputMode="decimal"
          autoComplete="off"
          maxLength={12}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
        {t("seconds")}
      </span>
      <NumberQuestion typed={value} onChoose={onChange} />
      <p id={ids.hint} className="setting-hint small quiet">
        {problem === undefined ? hint : <span className="error">{problem}</span>}
      </p>
    </div>
  );
}

export function PriorityField({ value, onChange }: { value: number; onChange: (priority: number) => void }) {
  const ids = { field: useId(), hint: useId() };
  return (
    <div className="stack tight">
      <span className="spread">
        <label className="form-label" htmlFor={ids.field}>
          {t("When space runs low")}
        </label>
        <output htmlFor={ids.field}>
          {priorityText(value)} <span className="quiet">{formatNumber(value)}</span>
        </output>
      </span>
      <input
        id={ids.field}
        type="range"
        min={0}
        max={1_000}
        step={10}
        value={value}
        aria-valuetext={priorityText(value)}
        aria-describedby={ids.hint}
        onChange={({ target }) => onChange(Number(target.value))}
      />
      <p id={ids.hint} className="setting-hint small quiet">
        {t("Kit deletes clips with a lower priority first. It never deletes pinned clips.")}
      </p>
    </div>
  );
}
