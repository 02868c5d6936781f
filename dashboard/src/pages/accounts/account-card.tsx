// An account: its state, test, name, keys and removal.
import type { Account, AccountTest, Network } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type FormEvent, useId, useState } from "react";
import { useAccountActions } from "../../api/use-accounts.ts";
import { locale, t, translateMessage } from "../../language/language.ts";
import { FieldRow, AutosaveField as TypedField } from "../../ui/fields.tsx";
import { Icon, PathIcon } from "../../ui/icon.tsx";
import { networkLabel, toWebLink } from "../../ui/posts/post-text.ts";
import { Fact } from "../../ui/section.tsx";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { AccountFields, type FieldValues, filledFields } from "./account-fields.tsx";
import { accountState, accountStateText, limitsText, secretStoreText } from "./account-text.ts";
import { RemoveAccountButton } from "./remove-account.tsx";

type TestResultProps = { test: ReturnType<typeof useAccountActions>["test"]; network: Network };

/** The result of an account's test, with each check. */
function TestResult({ test, network }: TestResultProps) {
  return (
    <div className="test-result" role="status">
      {test.error && <p className="details-warning">{visibleText(test.error.message)}</p>}
      {test.data && !test.isPending && <Findings result={test.data} network={network} />}
    </div>
  );
}

function Findings({ result: { ok, says, checked }, network }: { result: AccountTest; network: Network }) {
  return (
    <>
      <p className="test-says" data-ok={ok}>
        <Icon name={ok ? "check" : "warning"} size={16} />
        <span>{visibleText(translateMessage(says))}</span>
      </p>
      {checked.length > 0 && (
        <div className="tried">
          <ol aria-label={t("What was checked")}>
            {checked.map(({ what, ok: worked, says: seen }) => (
              <li key={`${what} ${seen}`} data-ok={worked}>
                <Icon name={worked ? "check" : "close"} size={14} />
                <span className="unseen">{worked ? t("Yes: ") : t("No: ")}</span>
                <strong>{visibleText(translateMessage(what))}</strong>
                <span>{visibleText(translateMessage(seen))}</span>
              </li>
            ))}
          </ol>
        </div>
      )}
      <p className="setting-hint">{networkLabel(network).tested}</p>
    </>
  );
}

type AccountChangeProps = { account: Account; change: ReturnType<typeof useAccountActions>["change"] };

const nothingTyped: FieldValues = {};

/** Changes an account's name, or overwrites its key. */
function AccountChange({ account, change }: AccountChangeProps) {
  const [typed, setTyped] = useState(nothingTyped);
  const fields = filledFields(typed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ fields }, { onSuccess: () => setTyped(nothingTyped) });
  };
  return (
    <details className="tried">
      <summary>{t("Change name or key")}</summary>
      <div className="recorder-part account-form">
        <FieldRow
          label={t("Name")}
          hint={t("The account's name in Kit; its name on the network stays the same. Saved when you leave the field.")}
        >
          {({ field, hint }) => (
            <TypedField
              id={field}
              describedBy={hint}
              value={account.name}
              onSave={(name) => name.trim() !== "" && change.mutate({ name: name.trim() })}
            />
          )}
        </FieldRow>
        <form className="recorder-part" aria-label={t("Change key")} autoComplete="off" onSubmit={submit}>
          <AccountFields network={account.network} typed={typed} onChange={setTyped} optional />
          <div className="forward-end">
            <Button type="submit" variant="soft" disabled={change.isPending || Object.keys(fields).length === 0}>
              {t("Save the new key")}
            </Button>
          </div>
        </form>
      </div>
    </details>
  );
}

type Props = { account: Account; onRemoved: () => void };

export function AccountCard({ account, onRemoved }: Props) {
  const title = useId();
  const actions = useAccountActions(account.id);
  const { change, test, remove } = actions;
  const state = accountState(account);
  const trouble = change.error ?? remove.error;
  return (
    <section className="recorder-state account" data-state={state} aria-labelledby={title}>
      <CardHead account={account} title={title} actions={actions} onRemoved={onRemoved} />
      {state === "stopped" ? (
        <Stopped account={account} isPending={change.isPending} onStart={() => change.mutate({ enabled: true })} />
      ) : (
        <p className="forward-says" role="status">
          {state === "waits" && <Icon name="clock" size={14} />}
          <span>{visibleText(accountStateText(account))}</span>
        </p>
      )}
      {trouble && (
        <p className="details-warning" role="alert">
          {visibleText(trouble.message)}
        </p>
      )}
      <TestResult test={test} network={account.network} />
      <Figures account={account} />
      <AccountChange account={account} change={change} />
    </section>
  );
}

type HeadProps = Props & { title: string; actions: ReturnType<typeof useAccountActions> };

function CardHead({ account, title, actions: { change, test, remove }, onRemoved }: HeadProps) {
  const state = accountState(account);
  const { says, icon } = networkLabel(account.network);
  return (
    <div className="recorder-head">
      <h2 id={title}>
        <PathIcon path={icon} size={18} />
        <span>
          {says} <bdi>{visibleLine(account.name, 100)}</bdi>
        </span>
      </h2>
      <div className="forward-end">
        <Button variant="soft" disabled={test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? t("Testing") : t("Test")}
        </Button>
        {state !== "stopped" && (
          <Button
            variant="soft"
            color="gray"
            disabled={change.isPending}
            onClick={() => change.mutate({ enabled: state === "off" })}
          >
            {state === "off" ? t("Switch on") : t("Switch off")}
          </Button>
        )}
        <RemoveAccountButton account={account} onRemove={() => remove.mutate(undefined, { onSuccess: onRemoved })} />
      </div>
    </div>
  );
}

type StoppedProps = { account: Account; isPending: boolean; onStart: () => void };

/** Explains why an account is stopped, and resumes it. */
function Stopped({ account, isPending, onStart }: StoppedProps) {
  return (
    <div className="account-stopped" role="alert">
      <Icon name="warning" size={18} />
      <div>
        <strong>{t("Kit sends nothing to this account at the moment.")}</strong>
        <p>{visibleText(accountStateText(account))}</p>
        <p>
          {t(
            "If the key is no longer valid, enter a new one below. Sending resumes when you choose Start again or when a test succeeds.",
          )}
        </p>
      </div>
      <Button disabled={isPending} onClick={onStart}>
        {t("Start again")}
      </Button>
    </div>
  );
}

function Figures({ account }: { account: Account }) {
  const { host, link, sent, waiting, lastError, stopped, kept } = account;
  const page = link === null ? undefined : toWebLink(link);
  return (
    <dl className="facts">
      <Fact name={t("Server")}>
        {visibleLine(host, 200)}
        {page !== undefined && (
          <>
            {" · "}
            <a className="post-link" href={page.href} target="_blank" rel="noopener noreferrer">
              {t("Account page on {{host}}", { host: visibleLine(page.host, 60) })}
            </a>
          </>
        )}
      </Fact>
      <Fact name={t("Sent")}>{sent.toLocaleString(locale())}</Fact>
      {waiting > 0 && <Fact name={t("Waiting")}>{waiting.toLocaleString(locale())}</Fact>}
      {lastError !== null && lastError !== stopped && (
        <Fact name={t("Last error")}>{visibleText(translateMessage(lastError))}</Fact>
      )}
      <Fact name={t("Accepts")}>{limitsText(account)}</Fact>
      <Fact name={t("Key storage")}>{secretStoreText(kept)}</Fact>
    </dl>
  );
}
