// Where posts and error reports go, in a line each, with the way to where that is set.
import { useAccounts } from "../../api/use-accounts.ts";
import { useTargets } from "../../api/use-forwarding.ts";
import { t } from "../../language/language.ts";
import { accountsAddress, forwardingAddress } from "../../ui/address.ts";
import { Part } from "./part.tsx";

/** Those that wait for a person to put them right. */
function Stopped({ all = [] }: { all: readonly { readonly stopped: unknown }[] | undefined }) {
  const count = all.filter(({ stopped }) => stopped !== null).length;
  if (count === 0) return null;
  return (
    <p className="settings-trouble">
      {t("{{count}} of them were stopped and need you.", {
        count,
        defaultValue_one: "{{count}} of them was stopped and needs you.",
      })}
    </p>
  );
}

export function AccountsPart() {
  const accounts = useAccounts().data?.accounts;
  return (
    <Part name="accounts" end={<a href={accountsAddress}>{t("The Accounts page")}</a>}>
      <p className="settings-quiet">{t("Posts go to these, and only when a rule says so.")}</p>
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
      <Stopped all={accounts} />
    </Part>
  );
}

export function ForwardingPart() {
  const targets = useTargets().data?.targets;
  return (
    <Part name="forwarding" end={<a href={forwardingAddress}>{t("The Forwarding page")}</a>}>
      <p className="settings-quiet">{t("Error reports can be sent on to a server of yours.")}</p>
      <p>
        {targets === undefined
          ? " "
          : targets.length === 0
            ? t("Nothing is sent anywhere now.")
            : t("They are sent to {{count}} servers.", {
                count: targets.length,
                defaultValue_one: "They are sent to {{count}} server.",
              })}
      </p>
      <Stopped all={targets} />
    </Part>
  );
}
