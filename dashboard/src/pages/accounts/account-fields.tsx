// The fields that connect an account. A saved secret is never shown again.
import { type AccountField, accountFieldCharsMax, type Network, networkDescriptions } from "@kit/contract";
import { IconButton, TextField } from "@radix-ui/themes";
import { useState } from "react";
import { t } from "../../language/language.ts";
import { FieldRow } from "../../ui/fields.tsx";
import { Icon } from "../../ui/icon.tsx";

export type FieldValues = Readonly<Record<string, string>>;

/** Returns the values without the empty ones. */
export const filledFields = (typed: FieldValues): Record<string, string> =>
  Object.fromEntries(Object.entries(typed).filter(([, value]) => value.trim() !== ""));

type Props = {
  network: Network;
  typed: FieldValues;
  onChange: (typed: FieldValues) => void;
  /** Every field may stay empty, which keeps its current value. */
  optional?: boolean;
};

export function AccountFields({ network, typed, onChange, optional = false }: Props) {
  return networkDescriptions[network].fields.map((field) => (
    <AccountInput
      key={field.name}
      field={field}
      required={!optional && field.optional !== true}
      value={typed[field.name] ?? ""}
      onChange={(value) => onChange({ ...typed, [field.name]: value })}
    />
  ));
}

type AccountInputProps = {
  field: AccountField;
  required: boolean;
  value: string;
  onChange: (value: string) => void;
};

function AccountInput({ field: asked, required, value, onChange }: AccountInputProps) {
  const { example, secret, optional } = asked;
  const label = t(asked.label);
  const [isShown, setShown] = useState(false);
  return (
    <FieldRow label={optional ? t("{{label}} (optional)", { label }) : label} hint={t(asked.help)}>
      {({ field, hint }) => (
        <TextField.Root
          id={field}
          aria-describedby={hint}
          type={secret && !isShown ? "password" : "text"}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={accountFieldCharsMax}
          required={required}
          placeholder={example}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        >
          {secret && (
            <TextField.Slot side="right">
              <IconButton
                type="button"
                size="1"
                variant="ghost"
                color="gray"
                aria-label={t("Show: {{label}}", { label })}
                aria-pressed={isShown}
                title={isShown ? t("Hide the input") : t("Show the input")}
                onClick={() => setShown(!isShown)}
              >
                <Icon name="eye" size={14} />
              </IconButton>
            </TextField.Slot>
          )}
        </TextField.Root>
      )}
    </FieldRow>
  );
}
