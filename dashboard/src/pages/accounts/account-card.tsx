// The card of an account: its state, and how to test, rename or remove it or change its key.
import { type Account, textOf } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type FormEvent, useId, useState } from "react";
import { useAccountActions } from "../../api/use-posting.ts";
import { locale, Trans, t, translateMessage } from "../../language/language.ts";
import { RemoveButton } from "../../ui/dialog.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { FieldRow, AutosaveField as TypedField } from "../../ui/fields.tsx";
import { Icon, PathIcon } from "../../ui/icon.tsx";
import { networkLabel, toWebLink } from "../../ui/posts/post-text.ts";
import { Fact } from "../../ui/section.tsx";
import { TestResult } from "../../ui/test-result.tsx";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { AccountFields, type FieldValues, filledFields } from "./account-fields.tsx";
import { accountState, accountStateText, networkLimitsText, secretStoreText } from "./account-text.ts";

type AccountChangeProps = { account: Account; change: ReturnType<typeof useAccountActions>["change"] };

const nothingTyped: FieldValues = {};

/** The form that changes an account's name or replaces its key. */
function AccountChange({ account, change }: AccountChangeProps) {
  const [typed, setTyped] = useState(nothingTyped);
  const fields = filledFields(typed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ fields }, { onSuccess: () => setTyped(nothingTyped) });
  };
  return (
    <details className="small">
      <summary>{t("Change name or key")}</summary>
      <div className="stack">
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
        <form className="stack" aria-label={t("Change key")} autoComplete="off" onSubmit={submit}>
          <AccountFields network={account.network} typed={typed} onChange={setTyped} optional />
          <div className="cluster tight">
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
    <section className="card account" data-state={state} aria-labelledby={title}>
      <CardHead account={account} title={title} actions={actions} onRemoved={onRemoved} />
      {state === "stopped" ? (
        <Stopped account={account} isPending={change.isPending} onStart={() => change.mutate({ enabled: true })} />
      ) : (
        <p className="with-icon" role="status">
          {state === "waits" && <Icon name="clock" size={14} />}
          <span>{visibleText(accountStateText(account))}</span>
        </p>
      )}
      <ErrorText error={trouble} />
      <TestResult test={test} label={t("What was checked")}>
        <p className="setting-hint small quiet">{networkLabel(account.network).tested}</p>
      </TestResult>
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
    <div className="cluster spread">
      <h2 id={title} className="with-icon">
        <PathIcon path={icon} size={18} />
        <span>
          {says} <bdi className="quiet">{visibleLine(account.name, 100)}</bdi>
        </span>
      </h2>
      <div className="cluster tight">
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
        <RemoveButton
          title={t("Remove this account?")}
          label={t("Remove")}
          onRemove={() => remove.mutate(undefined, { onSuccess: onRemoved })}
        >
          <Consequences account={account} />
        </RemoveButton>
      </div>
    </div>
  );
}

type StoppedProps = { account: Account; isPending: boolean; onStart: () => void };

/** Explains why Kit stopped sending to an account, with a button that resumes. */
function Stopped({ account, isPending, onStart }: StoppedProps) {
  return (
    <div className="note" role="alert">
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
            <a href={page.href} target="_blank" rel="noopener noreferrer">
              {t("Account page on {{host}}", { host: visibleLine(page.host, 60) })}
            </a>
          </>
        )}
      </Fact>
      <Fact name={t("Sent")}>{sent.toLocaleString(locale())}</Fact>
      {waiting > 0 && <Fact name={t("Waiting")}>{waiting.toLocaleString(locale())}</Fact>}
      {lastError !== null && textOf(lastError) !== textOf(stopped ?? "") && (
        <Fact name={t("Last error")}>{visibleText(translateMessage(lastError))}</Fact>
      )}
      <Fact name={t("Accepts")}>{networkLimitsText(account)}</Fact>
      <Fact name={t("Key storage")}>{secretStoreText(kept)}</Fact>
    </dl>
  );
}

/** Explains what happens when an account is removed. */
function Consequences({ account: { name, network, waiting } }: { account: Account }) {
  const { says } = networkLabel(network);
  return (
    <>
      <p>
        <Trans
          i18nKey="Kit deletes <account/> and its key. To connect the account again, you need the key again."
          components={{
            account: (
              <span>
                {says} <bdi>{visibleLine(name, 100)}</bdi>
              </span>
            ),
          }}
        />
      </p>
      <p>
        {waiting > 0
          ? t("{{number}} waiting posts will not be sent to this account.", {
              count: waiting,
              number: waiting.toLocaleString(locale()),
              defaultValue_one: "{{number}} waiting post will not be sent to this account.",
            })
          : t("No posts are waiting for this account.")}{" "}
        {t("Posts already sent stay on the network and in your list.")}
      </p>
    </>
  );
}
