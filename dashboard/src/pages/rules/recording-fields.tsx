// The fields of what an event makes of the screen: what happens, how many seconds, and how long it is kept.
import { recordingActions } from "@kit/contract";
import { SegmentedControl, TextField } from "@radix-ui/themes";
import { useId } from "react";
import { t } from "../../language/language.ts";
import { formatNumber } from "../../ui/recorder/recorder-words.ts";
import type { FormProblems, RuleDraft, SecondsMember } from "./rule-form.ts";
import { actionWord, priorityWord } from "./words.ts";

type Props = { form: RuleDraft; onChange: (change: RuleDraft) => void };

export function ActionChoice({ form, onChange }: Props) {
  return (
    <SegmentedControl.Root
      className="rule-action"
      aria-label={t("What happens")}
      value={form.action ?? "clip"}
      onValueChange={(value) => {
        const action = recordingActions.find((known) => known === value);
        if (action) onChange({ action });
      }}
    >
      {recordingActions.map((action) => (
        <SegmentedControl.Item key={action} value={action}>
          {actionWord(action)}
        </SegmentedControl.Item>
      ))}
    </SegmentedControl.Root>
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
      {seconds("mergeGapSeconds", t("Joins within"), t("So soon after a clip's end another moment still joins."))}
      {seconds("longestSeconds", t("Longest"), t("No clip is longer; what comes next begins another."))}
      {seconds("cooldownSeconds", t("Cooldown"), t("The same id so soon again makes a clip no longer."))}
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
    <div className="seconds-field">
      <label htmlFor={ids.field}>{label}</label>
      <span className="with-unit">
        <TextField.Root
          id={ids.field}
          className="rule-number"
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
      <p id={ids.hint} className="setting-hint">
        {problem === undefined ? hint : <span className="setting-error">{problem}</span>}
      </p>
    </div>
  );
}

export function PriorityField({ value, onChange }: { value: number; onChange: (priority: number) => void }) {
  const ids = { field: useId(), hint: useId() };
  return (
    <div className="priority-field">
      <label htmlFor={ids.field}>{t("When room is needed")}</label>
      <output htmlFor={ids.field}>
        {priorityWord(value)} <span>{formatNumber(value)}</span>
      </output>
      <input
        id={ids.field}
        type="range"
        min={0}
        max={1_000}
        step={10}
        value={value}
        aria-valuetext={priorityWord(value)}
        aria-describedby={ids.hint}
        onChange={({ target }) => onChange(Number(target.value))}
      />
      <p id={ids.hint} className="setting-hint">
        {t("What has less goes first; pinned clips never go.")}
      </p>
    </div>
  );
}
