// The Accounts page: the connected accounts, and a form to connect another.
import "./accounts.css";
import { type addAccount, type Network, networks, type ReplyOf } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useChanges } from "../../api/changes.ts";
import { useAccounts, useAddAccount } from "../../api/use-posting.ts";
import { Trans, t } from "../../language/language.ts";
import { clipOfAccountsLink, clipsAddress, postRulesAddress, useFragment } from "../../ui/address.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { Icon, PathIcon } from "../../ui/icon.tsx";
import { Page, PageHead, PostsTabs, useTitle } from "../../ui/page.tsx";
import { networkLabel } from "../../ui/posts/post-text.ts";
import "../../ui/posts/posts.css";
import { PageSection } from "../../ui/section.tsx";
import { Attempts } from "../../ui/test-result.tsx";
import { visibleLine } from "../../ui/visible-text.ts";
import { AccountCard } from "./account-card.tsx";
import { AccountFields, type FieldValues, filledFields } from "./account-fields.tsx";

type AddedAccount = ReplyOf<typeof addAccount>;

const nothingTyped: FieldValues = {};

/** Connects an account: first the network, then its fields. */
function AddAccount({ onAdded }: { onAdded: (added: AddedAccount) => void }) {
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

/** Limits how often the page refetches: an account changes with each post that is sent to it. */
const everyMs = 1_000;

export function AccountsPage() {
  useChanges(everyMs);
  const { data, error } = useAccounts();
  const [added, setAdded] = useState<AddedAccount>();
  const heading = useRef<HTMLHeadingElement>(null);
  const clip = clipOfAccountsLink(useFragment());
  useTitle(t("Accounts · Kit"));
  const accounts = data?.accounts;
  return (
    <Page>
      <PageHead title={t("Accounts")} heading={heading} beside={<PostsTabs page="accounts" />} />
      <div className="column">
        <p className="recorder-detail">
          {t(
            "Kit sends what you post from a clip, what you approve, and what your rules post by themselves. It contacts each network directly, without an intermediary.",
          )}
        </p>
        {clip !== undefined && (
          <p>
            <a href={clipsAddress(clip)}>{t("Back to the clip")}</a>
          </p>
        )}
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
function JustAdded({ added: { account, secret, checked }, onClose }: JustAddedProps) {
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
      {checked.length > 0 && <Attempts attempts={checked} label={t("What was checked")} />}
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
