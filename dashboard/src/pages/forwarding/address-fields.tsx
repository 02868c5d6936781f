// Where a server is and the key to it: typed once, never shown again.
import type { ForwardKind } from "@kit/contract";
import { TextArea, TextField } from "@radix-ui/themes";
import { t } from "../../language/language.ts";
import { FieldRow } from "../../ui/fields.tsx";

type Typed = { readonly address: string; readonly headers: string };
export const nothingTyped: Typed = { address: "", headers: "" };

type Props = { kind: ForwardKind; typed: Typed; onChange: (typed: Typed) => void; error?: string | undefined };

export function AddressFields({ kind, typed, onChange, error }: Props) {
  const isSentry = kind === "sentry";
  return (
    <>
      <FieldRow
        label={isSentry ? "DSN" : t("Address")}
        hint={
          isSentry
            ? t(
                "From the project's settings, such as https://KEY@example.com/1. It is kept apart, and never shown again.",
              )
            : t("Such as https://collector.example.com:4318. Without a path, /v1/logs is added.")
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
          hint={t("One a line, such as Authorization: Bearer KEY. They are kept apart, and never shown again.")}
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
