// What a test of an account found: the result, and everything that was looked at.
import type { AccountTest } from "@kit/contract";
import { Icon } from "../frame/icon.tsx";
import { t, told } from "../language/language.ts";
import { visibleText } from "../live/visible-text.ts";
import type { useAccountActions } from "./use-accounts.ts";

type Props = { test: ReturnType<typeof useAccountActions>["test"]; webhook: boolean };

export function AccountTested({ test, webhook }: Props) {
  return (
    <div className="test-result" role="status">
      {test.error && <p className="details-warning">{visibleText(test.error.message)}</p>}
      {test.data && !test.isPending && <Found result={test.data} webhook={webhook} />}
    </div>
  );
}

function Found({ result: { ok, says, checked }, webhook }: { result: AccountTest; webhook: boolean }) {
  return (
    <>
      <p className="test-says" data-ok={ok}>
        <Icon name={ok ? "check" : "warning"} size={16} />
        <span>{visibleText(told(says))}</span>
      </p>
      {checked.length > 0 && (
        <div className="tried">
          <ol aria-label={t("What was checked")}>
            {checked.map(({ what, ok: worked, says: seen }) => (
              <li key={`${what} ${seen}`} data-ok={worked}>
                <Icon name={worked ? "check" : "close"} size={14} />
                <span className="unseen">{worked ? t("Yes: ") : t("No: ")}</span>
                <strong>{visibleText(told(what))}</strong>
                <span>{visibleText(told(seen))}</span>
              </li>
            ))}
          </ol>
        </div>
      )}
      <p className="setting-hint">
        {webhook ? t("It got a message that says it is a test.") : t("Nothing was posted.")}
      </p>
    </>
  );
}
