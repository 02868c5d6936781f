// The fields for a forwarding target's address and key. A saved key is never shown again.
import type { ForwardKind } from "@kit/contract";
import { TextArea, TextField } from "@radix-ui/themes";
import { t } from "../../language/language.ts";
import { FieldRow } from "../../ui/fields.tsx";

type AddressInput = { readonly address: string; readonly headers: string };
export const emptyAddressInput: AddressInput = { address: "", headers: "" };

type Props = {
  kind: ForwardKind;
  typed: AddressInput;
  onChange: (typed: AddressInput) => void;
  error?: string | undefined;
};

export function AddressFields({ kind, typed, onChange, error }: Props) {
  const isSentry = kind === "sentry";
  return (
    <>
      <FieldRow
        label={isSentry ? "DSN" : t("Address")}
        hint={
          isSentry
            ? t(
                "From the project's settings, for example https://KEY@example.com/1. Kit stores it as a secret and never shows it again.",
              )
            : t("For example https://collector.example.com:4318. If the address has no path, Kit adds /v1/logs.")
        }
        error={error}
      >
        {({ field, hint }) => (
          <TextField.Root
            id={field}
            aria-describedby={hint}
            type={isSentry ? "password" : "text"}
            autoComplete="off"
            spellCheck={false}
            required
            value={typed.address}
            onChange={(event) => onChange({ ...typed, address: event.target.value })}
          />
        )}
      </FieldRow>
      {!isSentry && (
        <FieldRow
          label={t("Headers")}
          hint={t(
            "One header per line, for example Authorization: Bearer KEY. Kit stores them as secrets and never shows them again.",
          )}
        >
          {({ field, hint }) => (
            <TextArea
              id={field}
              aria-describedby={hint}
              autoComplete="off"
              spellCheck={false}
              rows={2}
              value={typed.headers}
              onChange={(event) => onChange({ ...typed, headers: event.target.value })}
            />
          )}
        </FieldRow>
      )}
    </>
  );
}
