// Gives an account another name, or another key; the one before is written over.
import type { Account } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type FormEvent, useState } from "react";
import { t } from "../language/language.ts";
import { FieldRow, Typed as TypedField } from "../recorder/fields.tsx";
import { AccountFields, givenIn, type Typed } from "./account-fields.tsx";
import type { useAccountActions } from "./use-accounts.ts";

type Props = { account: Account; change: ReturnType<typeof useAccountActions>["change"] };

const nothingTyped: Typed = {};

export function AccountChange({ account, change }: Props) {
  const [typed, setTyped] = useState(nothingTyped);
  const fields = givenIn(typed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ fields }, { onSuccess: () => setTyped(nothingTyped) });
  };
  return (
    <details className="tried">
      <summary>{t("Another name or key")}</summary>
      <div className="recorder-part account-form">
        <FieldRow
          label={t("Name")}
          hint={t("As it is called here; its name there stays. Kept when you leave the field.")}
        >
          {({ field, hint }) => (
            <TypedField
              id={field}
              describedBy={hint}
              value={account.name}
              onKeep={(name) => name.trim() !== "" && change.mutate({ name: name.trim() })}
            />
          )}
        </FieldRow>
        <form className="recorder-part" aria-label={t("Another key")} autoComplete="off" onSubmit={submit}>
          <AccountFields network={account.network} typed={typed} onChange={setTyped} optional />
          <div className="forward-end">
            <Button type="submit" variant="soft" disabled={change.isPending || Object.keys(fields).length === 0}>
              {t("Keep the new key")}
            </Button>
          </div>
        </form>
      </div>
    </details>
  );
}
