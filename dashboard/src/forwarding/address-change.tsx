// Gives a server another address or key; the one before is written over.
import type { ForwardTarget } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type FormEvent, useState } from "react";
import { t } from "../language/language.ts";
import { AddressFields, nothingTyped } from "./address-fields.tsx";
import type { useTargetActions } from "./use-forwarding.ts";
import { headersIn, notHeaders } from "./words.ts";

type Props = { target: ForwardTarget; change: ReturnType<typeof useTargetActions>["change"] };

export function AddressChange({ target, change }: Props) {
  const [typed, setTyped] = useState(nothingTyped);
  const [refused, setRefused] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const headers = headersIn(typed.headers);
    setRefused(headers === undefined ? notHeaders() : undefined);
    if (headers === undefined) return;
    const body = { address: typed.address, ...(target.kind === "otlp" && { headers }) };
    change.mutate(body, { onSuccess: () => setTyped(nothingTyped) });
  };
  return (
    <details className="tried">
      <summary>{t("Another address or key")}</summary>
      <form className="recorder-part forward-change" aria-label={t("Another address or key")} onSubmit={submit}>
        <AddressFields kind={target.kind} typed={typed} onChange={setTyped} error={refused} />
        <div className="forward-end">
          <Button type="submit" variant="soft" disabled={change.isPending}>
            {t("Keep")}
          </Button>
        </div>
      </form>
    </details>
  );
}
