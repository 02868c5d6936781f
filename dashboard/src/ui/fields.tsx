// Fields of forms and filters. Fields of settings save their value as soon as it changes, and show an error beside
// them.
import "./fields.css";
import { Button, SegmentedControl, Switch, TextField } from "@radix-ui/themes";
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { unsorted } from "../api/address-filters.ts";
import { t } from "../language/language.ts";
import { formatNumber } from "./format.ts";
import { Icon } from "./icon.tsx";
import { gameName } from "./names.ts";
import { readNumber, writeNumber } from "./numbers.ts";

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
        <p id={ids.hint} className="setting-hint small quiet">
          {error ? (
            <span className="error" role="alert">
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
  className?: string;
  choices: readonly { readonly value: Value; readonly says: string }[];
  value: Value;
  onChange: (value: Value) => void;
};

/** A choice from a list that opens. A value that only a newer launcher knows is shown as it is. */
export function Select<Value extends string | number>(props: ChoiceProps<Value>) {
  const { choices, value, onChange, className, id, label, describedBy } = props;
  const known = choices.some((choice) => choice.value === value);
  return (
    <span className={className === undefined ? "select" : `select ${className}`}>
      <select
        id={id}
        aria-label={label}
        aria-describedby={describedBy}
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

/** A choice from a few values that are all visible. */
export function SegmentedChoice<Value extends string>(props: ChoiceProps<Value> & { size?: "1" | "2" }) {
  const { choices, value, onChange, className, label, size = "2" } = props;
  return (
    <SegmentedControl.Root
      className={className}
      size={size}
      aria-label={label}
      value={value}
      onValueChange={(chosen) => {
        const choice = choices.find((each) => each.value === chosen);
        if (choice) onChange(choice.value);
      }}
    >
      {choices.map((choice) => (
        <SegmentedControl.Item key={choice.value} value={choice.value}>
          {choice.says}
        </SegmentedControl.Item>
      ))}
    </SegmentedControl.Root>
  );
}

type SwitchProps = { says: string; on: boolean; onChange: (on: boolean) => void };

export function SwitchField({ says, on, onChange }: SwitchProps) {
  const id = useId();
  return (
    <label className="switch-label quiet" htmlFor={id}>
      <Switch id={id} size="1" checked={on} onCheckedChange={onChange} />
      {says}
    </label>
  );
}

type SearchProps = {
  label: string;
  placeholder: string;
  text: string;
  onChange: (text: string) => void;
  field?: RefObject<HTMLInputElement | null>;
  charsMax?: number;
};

export function SearchField({ label, placeholder, text, onChange, field, charsMax }: SearchProps) {
  return (
    <TextField.Root
      ref={field}
      className="filter-text"
      type="search"
      aria-label={label}
      placeholder={placeholder}
      maxLength={charsMax}
      value={text}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={({ key, currentTarget }) => key === "Escape" && currentTarget.blur()}
    >
      <TextField.Slot>
        <Icon name="search" size={14} />
      </TextField.Slot>
    </TextField.Root>
  );
}

/** A search is sent only after a pause in typing, so that not every letter sends a request. */
const searchAfterMs = 250;

/** A search field for a page that keeps the text elsewhere, for example in its address. */
export function DelayedSearchField({ text, onChange, ...rest }: SearchProps) {
  const [typed, setTyped] = useState(text);
  const asked = useRef(text);
  // The text may also be changed elsewhere: by a link, or by the button that clears the filters.
  useEffect(() => {
    if (text === asked.current) return;
    asked.current = text;
    setTyped(text);
  }, [text]);
  useEffect(() => {
    if (typed === asked.current) return;
    const timer = setTimeout(() => {
      asked.current = typed;
      onChange(typed);
    }, searchAfterMs);
    return () => clearTimeout(timer);
  }, [typed, onChange]);
  return <SearchField {...rest} text={typed} onChange={setTyped} />;
}

type TypedProps = {
  id?: string;
  label?: string;
  describedBy?: string;
  className?: string;
  value: string;
  inputMode?: "decimal";
  disabled?: boolean;
  onSave: (typed: string) => void;
  /** Called when Escape restores the saved value. */
  onRestore?: () => void;
};

/** A text field that saves when it loses the focus or on Enter, not at each letter. Escape restores the saved value. */
export function AutosaveField({ value, onSave, onRestore, label, describedBy, ...rest }: TypedProps) {
  const [draft, setDraft] = useState<string>();
  const savedText = useRef<string>(undefined);
  const typed = draft ?? value;
  // When a save is confirmed, text that was typed in the meantime stays.
  useEffect(() => setDraft((now) => (now === value || now === savedText.current ? undefined : now)), [value]);
  const save = () => {
    // An unchanged value need not be saved, unless another value is still being saved.
    if (typed === value && typed === (savedText.current ?? value)) return;
    savedText.current = typed;
    onSave(typed);
  };
  return (
    <TextField.Root
      {...rest}
      aria-label={label}
      aria-describedby={describedBy}
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
        onRestore?.();
      }}
    />
  );
}

type NumberQuestionProps = {
  typed: string;
  /** Gets a text that means only the chosen number. */
  onChoose: (typed: string, value: number) => void;
};

/** The question under a number field whose text can mean two numbers; nothing for any other text. */
export function NumberQuestion({ typed, onChoose }: NumberQuestionProps) {
  const reading = readNumber(typed);
  if (reading.is !== "unclear") return null;
  return (
    <p className="cluster tight small" role="status">
      {t("{{typed}} can mean two numbers. Which one?", { typed: typed.trim() })}
      {reading.readings.map((value) => (
        <Button key={value} type="button" size="1" variant="soft" onClick={() => onChoose(writeNumber(value), value)}>
          {formatNumber(value)}
        </Button>
      ))}
    </p>
  );
}

type NumberProps = Omit<TypedProps, "value" | "onSave" | "inputMode" | "className" | "onRestore"> & {
  value: number;
  unit: string;
  onSave: (value: number) => void;
  /** Called with the reason why a typed text is not saved. */
  onReject: (says: string) => void;
};

/** A number field that saves like `AutosaveField`. It asks about a text that can mean two numbers, and saves the chosen one. */
export function AutosaveNumber({ value, unit, onSave, onReject, ...rest }: NumberProps) {
  const [asked, setAsked] = useState("");
  const [times, setTimes] = useState(0);
  const save = (typed: string) => {
    const reading = readNumber(typed);
    setAsked(reading.is === "unclear" ? typed : "");
    if (reading.is === "number") onSave(reading.value);
    else if (reading.is === "none") onReject(t("Not saved: enter a number."));
  };
  const choose = (_: string, chosen: number) => {
    setAsked("");
    // The field is made anew, so that it shows the saved number instead of the typed text.
    setTimes(times + 1);
    onSave(chosen);
  };
  return (
    <>
      <span className="with-unit">
        <AutosaveField
          {...rest}
          key={times}
          className="number-field"
          inputMode="decimal"
          value={writeNumber(value)}
          onSave={save}
          onRestore={() => setAsked("")}
        />
        {unit}
      </span>
      <NumberQuestion typed={asked} onChoose={choose} />
    </>
  );
}

type KindChoiceProps<K extends string> = {
  kinds: readonly K[];
  labelOf: (kind: K) => string;
  chosen: K | undefined;
  onChange: (change: { kind: K | undefined }) => void;
};

/** A field to show one kind of the things in a list, or all kinds. */
export function KindChoice<K extends string>({ kinds, labelOf, chosen, onChange }: KindChoiceProps<K>) {
  return (
    <SegmentedChoice
      className="filter-kind"
      label={t("Kind")}
      choices={[
        { value: "all" as const, says: t("All") },
        ...kinds.map((kind) => ({ value: kind, says: labelOf(kind) })),
      ]}
      value={chosen ?? "all"}
      onChange={(kind) => onChange({ kind: kind === "all" ? undefined : kind })}
    />
  );
}

type Props = {
  chosen: string | undefined;
  games: readonly string[];
  onChange: (change: { game: string | undefined }) => void;
};

/** A field to choose one of the known games. */
export function GameChoice({ chosen, games, onChange }: Props) {
  const offered = chosen && chosen !== unsorted && !games.includes(chosen) ? [chosen, ...games] : games;
  const choices = [
    { value: "", says: t("All games") },
    ...offered.map((game) => ({ value: game, says: gameName(game) })),
    { value: unsorted, says: t("Unsorted") },
  ];
  return (
    <Select
      className="game-choice"
      label={t("Game")}
      choices={choices}
      value={chosen ?? ""}
      onChange={(game) => onChange({ game: game || undefined })}
    />
  );
}
