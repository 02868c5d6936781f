// The fields of the recorder's settings: each is kept the moment it is changed, and says so or why not.
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

/** A native select; what a newer launcher says is shown as it is. */
export function Choice<Value extends string | number>({ choices, value, onChange, ...rest }: ChoiceProps<Value>) {
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
  onKeep: (typed: string) => void;
};

/** Kept when the field is left or Enter is pressed, not at each letter; Escape takes back what was typed. */
export function Typed({ value, numeric = false, onKeep, label, describedBy, ...rest }: TypedProps) {
  const [draft, setDraft] = useState<string>();
  const kept = useRef<string>(undefined);
  const typed = draft ?? value;
  // The answer to what was kept takes nothing back that was typed since.
  useEffect(() => setDraft((now) => (now === value || now === kept.current ? undefined : now)), [value]);
  const keep = () => {
    // What it says now may be on its way to being something else.
    if (typed === value && typed === (kept.current ?? value)) return;
    kept.current = typed;
    onKeep(typed);
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
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === "Enter") keep();
        if (event.key !== "Escape") return;
        kept.current = undefined;
        setDraft(undefined);
      }}
    />
  );
}
