// The Accounts page: the connected accounts, and a form to connect another.
import { Button } from "@radix-ui/themes";
import { useEffect, useId, useRef, useState } from "react";
import { useAccounts } from "../../api/use-accounts.ts";
import { useChanges } from "../../api/use-changes.ts";
import { postRulesAddress } from "../../ui/address.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { networkLabel } from "../../ui/posts/post-text.ts";
import { PostsTabs } from "../../ui/posts/posts-tabs.tsx";
import { visibleLine } from "../../ui/visible-text.ts";
import { AccountCard } from "./account-card.tsx";
import { AddAccount, type AddedAccount } from "./add-account.tsx";
import "./accounts.css";
import { Trans, t } from "../../language/language.ts";
import { ErrorText } from "../../ui/error-text.tsx";
import { Page, PageHead, useTitle } from "../../ui/page.tsx";

/** Limits how often the page refetches: an account changes with each post that is sent to it. */
const everyMs = 1_000;

export function AccountsPage() {
  useChanges(everyMs);
  const { data, error } = useAccounts();
  const [added, setAdded] = useState<AddedAccount>();
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(t("Accounts · Kit"));
  const accounts = data?.accounts;
  return (
    <Page>
      <PageHead title={t("Accounts")} heading={heading} beside={<PostsTabs page="accounts" />} />
      <div className="column">
        <p className="recorder-detail">
          {t(
            "Kit posts to these accounts only if a rule says so. Kit contacts each network directly, without an intermediary.",
          )}
        </p>
        <ErrorText error={!data && error} />
        {added && <JustAdded key={added.account.id} added={added} onClose={() => setAdded(undefined)} />}
        {accounts?.length === 0 && <p>{t("No account is connected yet.")}</p>}
        {accounts?.map((account) => (
          <AccountCard key={account.id} account={account} onRemoved={() => heading.current?.focus()} />
        ))}
        {data && <AddAccount onAdded={setAdded} />}
      </div>
    </Page>
  );
}

type JustAddedProps = { added: AddedAccount; onClose: () => void };

/** Confirms a new account. This is the only time that the secret with which a webhook signs requests is shown. */
function JustAdded({ added: { account, secret }, onClose }: JustAddedProps) {
  const title = useId();
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.focus(), []);
  const name = visibleLine(account.name, 100);
  return (
    <section ref={section} className="card" data-tone="good" aria-labelledby={title} tabIndex={-1}>
      <h2 id={title} className="with-icon">
        <Icon name="check" size={18} />
        <span>
          <Trans
            i18nKey="<account/> is connected"
            components={{
              account: (
                <span>
                  {networkLabel(account.network).says} <bdi>{name}</bdi>
                </span>
              ),
            }}
          />
        </span>
      </h2>
      {secret !== null && (
        <>
          <p>
            <Trans
              i18nKey="Kit signs its requests with this secret. Copy the secret to your server now: it is <strong>shown only once</strong>."
              components={{ strong: <strong /> }}
            />
          </p>
          <div className="command-line">
            <code>{secret}</code>
            <CopyButton text={secret} label={t("Copy the signing secret")} shows={t("Copy")} />
          </div>
        </>
      )}
      <div className="cluster tight">
        <Button asChild variant="soft">
          <a href={postRulesAddress()}>{t("Write a rule for its posts")}</a>
        </Button>
        <Button variant="soft" color="gray" onClick={onClose}>
          {secret === null ? t("Close") : t("I copied the secret")}
        </Button>
      </div>
    </section>
  );
}
