// What a person gives to open an account: typed once, never shown again.
import { type AccountField, accountFieldCharsMax, accountFields, type Network } from "@kit/contract";
import { IconButton, TextField } from "@radix-ui/themes";
import { useState } from "react";
import { t } from "../../language/language.ts";
import { FieldRow } from "../../ui/fields.tsx";
import { Icon } from "../../ui/icon.tsx";
import { fieldWords } from "./field-words.ts";

export type Typed = Readonly<Record<string, string>>;

/** What was typed, without what was left empty. */
export const givenIn = (typed: Typed): Record<string, string> =>
  Object.fromEntries(Object.entries(typed).filter(([, value]) => value.trim() !== ""));

type Props = {
  network: Network;
  typed: Typed;
  onChange: (typed: Typed) => void;
  /** Every field may be left empty: it stays as it is. */
  optional?: boolean;
};

export function AccountFields({ network, typed, onChange, optional = false }: Props) {
  return accountFields[network].map((field) => (
    <OneField
      key={field.name}
      network={network}
      field={field}
      required={!optional && field.optional !== true}
      value={typed[field.name] ?? ""}
      onChange={(value) => onChange({ ...typed, [field.name]: value })}
    />
  ));
}

type OneProps = {
  network: Network;
  field: AccountField;
  required: boolean;
  value: string;
  onChange: (value: string) => void;
};

function OneField({ network, field: asked, required, value, onChange }: OneProps) {
  const { example, secret, optional } = asked;
  const { label, help } = fieldWords(network, asked);
  const [isShown, setShown] = useState(false);
  return (
    <FieldRow label={optional ? t("{{label}} (optional)", { label }) : label} hint={help}>
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
                title={isShown ? t("Hide what is typed") : t("Show what is typed")}
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
