// Connects an account: first the network, then its fields.
import { type Account, type Network, networks } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type FormEvent, useId, useState } from "react";
import { useAddAccount } from "../../api/use-accounts.ts";
import { t } from "../../language/language.ts";
import { PathIcon } from "../../ui/icon.tsx";
import { networkLabel } from "../../ui/posts/post-text.ts";
import { visibleText } from "../../ui/visible-text.ts";
import { AccountFields, type FieldValues, filledFields } from "./account-fields.tsx";

export type AddedAccount = { readonly account: Account; readonly secret: string | null };

const nothingTyped: FieldValues = {};

export function AddAccount({ onAdded }: { onAdded: (added: AddedAccount) => void }) {
  const [network, setNetwork] = useState<Network>();
  const title = useId();
  return (
    <section className="recorder-part" aria-labelledby={title}>
      <h2 id={title}>{t("Connect an account")}</h2>
      <fieldset className="network-cards">
        <legend className="unseen">{t("Network")}</legend>
        {networks.map((each) => {
          const { says, icon, about } = networkLabel(each);
          return (
            <label key={each} className="network-card">
              <input type="radio" name={title} checked={each === network} onChange={() => setNetwork(each)} />
              <PathIcon path={icon} size={20} />
              <strong>{says}</strong>
              <span>{about}</span>
            </label>
          );
        })}
      </fieldset>
      {network !== undefined && (
        <AddForm
          key={network}
          network={network}
          onAdded={(added) => {
            setNetwork(undefined);
            onAdded(added);
          }}
        />
      )}
    </section>
  );
}

function AddForm({ network, onAdded }: { network: Network; onAdded: (added: AddedAccount) => void }) {
  const [typed, setTyped] = useState(nothingTyped);
  const add = useAddAccount();
  const { says } = networkLabel(network);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate({ network, fields: filledFields(typed) }, { onSuccess: onAdded });
  };
  return (
    <form
      className="recorder-part account-form"
      aria-label={t("Connect {{network}}", { network: says })}
      autoComplete="off"
      onSubmit={submit}
    >
      <AccountFields network={network} typed={typed} onChange={setTyped} />
      {add.error && (
        <p className="details-warning" role="alert">
          {visibleText(add.error.message)}
        </p>
      )}
      <div className="forward-end account-form-end">
        <Button type="submit" disabled={add.isPending}>
          {add.isPending
            ? t("Connecting to {{network}}…", { network: says })
            : t("Connect {{network}}", { network: says })}
        </Button>
        <span className="setting-hint">
          {t("Nothing is posted. Your input is stored as a secret and never shown again.")}
        </span>
      </div>
    </form>
  );
}
