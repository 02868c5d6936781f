// Connects an account: first the network, then its fields.
import { type Account, type Network, networks } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type FormEvent, useId, useState } from "react";
import { useAddAccount } from "../../api/use-accounts.ts";
import { t } from "../../language/language.ts";
import { ErrorText } from "../../ui/error-text.tsx";
import { PathIcon } from "../../ui/icon.tsx";
import { networkLabel } from "../../ui/posts/post-text.ts";
import { PageSection } from "../../ui/section.tsx";
import { AccountFields, type FieldValues, filledFields } from "./account-fields.tsx";

export type AddedAccount = { readonly account: Account; readonly secret: string | null };

const nothingTyped: FieldValues = {};

export function AddAccount({ onAdded }: { onAdded: (added: AddedAccount) => void }) {
  const [network, setNetwork] = useState<Network>();
  const name = useId();
  return (
    <PageSection title={t("Connect an account")}>
      <fieldset className="network-cards">
        <legend className="unseen">{t("Network")}</legend>
        {networks.map((each) => {
          const { says, icon, about } = networkLabel(each);
          return (
            <label key={each} className="choice network-card">
              <input type="radio" name={name} checked={each === network} onChange={() => setNetwork(each)} />
              <PathIcon path={icon} size={20} />
              <strong>{says}</strong>
              <span className="small quiet">{about}</span>
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
    </PageSection>
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
      className="stack"
      aria-label={t("Connect {{network}}", { network: says })}
      autoComplete="off"
      onSubmit={submit}
    >
      <AccountFields network={network} typed={typed} onChange={setTyped} />
      <ErrorText error={add.error} />
      <div className="cluster">
        <Button type="submit" disabled={add.isPending}>
          {add.isPending
            ? t("Connecting to {{network}}…", { network: says })
            : t("Connect {{network}}", { network: says })}
        </Button>
        <span className="setting-hint small quiet">
          {t("Nothing is posted. Your input is stored as a secret and never shown again.")}
        </span>
      </div>
    </form>
  );
}
