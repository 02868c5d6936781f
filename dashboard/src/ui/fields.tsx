// Form fields of the settings. Each saves its value as soon as it changes, and shows an error beside it.
import { TextField } from "@radix-ui/themes";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";

type RowProps = {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  children: (ids: Ids) => ReactNode;
};
type Ids = { field: string; hint: string };

export function FieldRow({ label, hint, error, children }: RowProps) {
  const ids = { field: useId(), hint: useId() };
  return (
    <div className="setting">
      <label htmlFor={ids.field}>{label}</label>
      <div className="setting-value">
        {children(ids)}
        <p id={ids.hint} className="setting-hint">
          {error ? (
            <span className="setting-error" role="alert">
              {error}
            </span>
          ) : (
            hint
          )}
        </p>
      </div>
    </div>
  );
}

type ChoiceProps<Value> = {
  id?: string;
  label?: string;
  describedBy?: string;
  choices: readonly { readonly value: Value; readonly says: string }[];
  value: Value;
  onChange: (value: Value) => void;
};

/** A native select. An unknown value from a newer launcher is shown as it is. */
export function Select<Value extends string | number>({ choices, value, onChange, ...rest }: ChoiceProps<Value>) {
  const known = choices.some((choice) => choice.value === value);
  return (
    <span className="select">
      <select
        id={rest.id}
        aria-label={rest.label}
        aria-describedby={rest.describedBy}
        value={String(value)}
        onChange={(event) => {
          const chosen = choices.find((choice) => String(choice.value) === event.target.value);
          if (chosen) onChange(chosen.value);
        }}
      >
        {!known && <option value={String(value)}>{String(value)}</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={String(choice.value)}>
            {choice.says}
          </option>
        ))}
      </select>
    </span>
  );
}

type TypedProps = {
  id?: string;
  label?: string;
  describedBy?: string;
  className?: string;
  value: string;
  placeholder?: string;
  numeric?: boolean;
  disabled?: boolean;
  onSave: (typed: string) => void;
};

/** A text field that saves on blur or Enter, not at each letter; Escape restores the saved value. */
export function AutosaveField({ value, numeric = false, onSave, label, describedBy, ...rest }: TypedProps) {
  const [draft, setDraft] = useState<string>();
  const savedText = useRef<string>(undefined);
  const typed = draft ?? value;
  // The reply to a save must not overwrite what was typed since.
  useEffect(() => setDraft((now) => (now === value || now === savedText.current ? undefined : now)), [value]);
  const save = () => {
    // A save of another value may still be running, so an unchanged value counts only if nothing else was saved.
    if (typed === value && typed === (savedText.current ?? value)) return;
    savedText.current = typed;
    onSave(typed);
  };
  return (
    <TextField.Root
      {...rest}
      aria-label={label}
      aria-describedby={describedBy}
      inputMode={numeric ? "decimal" : "text"}
      autoComplete="off"
      spellCheck={false}
      value={typed}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === "Enter") save();
        if (event.key !== "Escape") return;
        savedText.current = undefined;
        setDraft(undefined);
      }}
    />
  );
}
