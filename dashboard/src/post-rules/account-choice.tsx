// The accounts a rule's posts go to.
import type { Account } from "@kit/contract";
import { useState } from "react";
import { accountsAddress } from "../frame/address.ts";
import { t } from "../language/language.ts";
import { AccountName } from "../posts/deliveries.tsx";

type Props = { accounts: readonly Account[]; chosen: readonly string[]; onChange: (chosen: string[]) => void };

export function AccountChoice({ accounts, chosen, onChange }: Props) {
  const toggle = (id: string) => onChange(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  // Kept in sight once it was unchecked: it can be checked again, and the focus has somewhere to be.
  const [atFirst] = useState(chosen);
  const gone = atFirst.filter((id) => !accounts.some((account) => account.id === id));
  return (
    <fieldset className="setting account-choice">
      <legend>{t("Goes to")}</legend>
      <div className="setting-value">
        {accounts.length === 0 && (
          <p>
            {t("No account is connected yet.")} <a href={accountsAddress}>{t("Connect one")}</a>
          </p>
        )}
        {accounts.map((account) => (
          <label key={account.id}>
            <input type="checkbox" checked={chosen.includes(account.id)} onChange={() => toggle(account.id)} />
            <AccountName of={account} />
            {!account.enabled && <span className="setting-hint">{t("switched off")}</span>}
            {account.enabled && account.stopped !== null && <span className="setting-hint">{t("stopped")}</span>}
          </label>
        ))}
        {gone.map((id) => (
          <label key={id}>
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            {t("An account that is gone")}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
