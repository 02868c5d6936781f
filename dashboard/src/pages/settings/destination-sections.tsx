// Settings sections about accounts and forwarding targets, with links to their pages.
import { useAccounts } from "../../api/use-accounts.ts";
import { useForwardingTargets } from "../../api/use-forwarding.ts";
import { t } from "../../language/language.ts";
import { accountsAddress, forwardingAddress } from "../../ui/address.ts";
import { SettingsSection } from "./settings-section.tsx";

/** Shows how many accounts or targets Kit has stopped, so that a person must act. */
function StoppedCount({ all = [] }: { all: readonly { readonly stopped: unknown }[] | undefined }) {
  const count = all.filter(({ stopped }) => stopped !== null).length;
  if (count === 0) return null;
  return (
    <p className="warn">
      {t("{{count}} of them were stopped and need your attention.", {
        count,
        defaultValue_one: "{{count}} of them was stopped and needs your attention.",
      })}
    </p>
  );
}

export function AccountsSection() {
  const accounts = useAccounts().data?.accounts;
  return (
    <SettingsSection name="accounts" end={<a href={accountsAddress}>{t("Open the Accounts page")}</a>}>
      <p className="quiet">{t("Kit sends posts to these accounts, and only when a rule says so.")}</p>
      <p>
        {accounts === undefined
          ? " "
          : accounts.length === 0
            ? t("No account is connected.")
            : t("{{count}} accounts are connected.", {
                count: accounts.length,
                defaultValue_one: "{{count}} account is connected.",
              })}
      </p>
      <StoppedCount all={accounts} />
    </SettingsSection>
  );
}

export function ForwardingSection() {
  const targets = useForwardingTargets().data?.targets;
  return (
    <SettingsSection name="forwarding" end={<a href={forwardingAddress}>{t("Open the Forwarding page")}</a>}>
      <p className="quiet">{t("Kit can forward error reports to your own servers.")}</p>
      <p>
        {targets === undefined
          ? " "
          : targets.length === 0
            ? t("Nothing is forwarded at the moment.")
            : t("Kit forwards error reports to {{count}} servers.", {
                count: targets.length,
                defaultValue_one: "Kit forwards error reports to {{count}} server.",
              })}
      </p>
      <StoppedCount all={targets} />
    </SettingsSection>
  );
}
