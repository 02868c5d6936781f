// The Accounts page: where posts go and how each account fares, and one more.
import { Button } from "@radix-ui/themes";
import { useEffect, useId, useRef, useState } from "react";
import { useAccounts } from "../../api/use-accounts.ts";
import { useChanges } from "../../api/use-changes.ts";
import { postRulesAddress } from "../../ui/address.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { networkWord } from "../../ui/posts/post-words.ts";
import { PostsTabs } from "../../ui/posts/posts-tabs.tsx";
import { StorageBanner } from "../../ui/storage-banner.tsx";
import { visibleLine } from "../../ui/visible-text.ts";
import { AccountCard } from "./account-card.tsx";
import { AddAccount, type Added } from "./add-account.tsx";
import "../../ui/list-page.css";
import "../../ui/recorder/recorder.css";
import "../../ui/forwarding.css";
import "../../ui/posts/posts.css";
import "./accounts.css";
import { Trans, t } from "../../language/language.ts";

/** An account that is sent to changes with each post. */
const everyMs = 1_000;

export function AccountsPage() {
  useChanges(everyMs);
  const { data, error } = useAccounts();
  const [added, setAdded] = useState<Added>();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = t("Accounts · Kit");
  }, []);
  const accounts = data?.accounts;
  return (
    <main className="recorder">
      <StorageBanner />
      <div className="live-sticky">
        <div className="live-head posts-head">
          <h1 ref={heading} tabIndex={-1}>
            {t("Accounts")}
          </h1>
          <PostsTabs page="accounts" />
        </div>
      </div>
      <div className="recorder-page">
        <p className="recorder-detail">
          {t(
            "Posts go to these accounts, and only when a rule says so. Kit speaks to each network directly; nothing goes through anybody else.",
          )}
        </p>
        {error && !data && (
          <p className="details-warning" role="alert">
            {error.message}
          </p>
        )}
        {added && <JustAdded key={added.account.id} added={added} onClose={() => setAdded(undefined)} />}
        {accounts?.length === 0 && <p>{t("No account is connected yet.")}</p>}
        {accounts?.map((account) => (
          <AccountCard key={account.id} account={account} onRemoved={() => heading.current?.focus()} />
        ))}
        {data && <AddAccount onAdded={setAdded} />}
      </div>
    </main>
  );
}

type JustAddedProps = { added: Added; onClose: () => void };

/** That it worked, and what comes next; of a webhook the secret that is shown this once. */
function JustAdded({ added: { account, secret }, onClose }: JustAddedProps) {
  const title = useId();
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.focus(), []);
  const name = visibleLine(account.name, 100);
  return (
    <section ref={section} className="just-added" aria-labelledby={title} tabIndex={-1}>
      <h2 id={title}>
        <Icon name="check" size={18} />
        <span>
          <Trans
            i18nKey="<account/> is connected"
            components={{
              account: (
                <span>
                  {networkWord(account.network).says} <bdi>{name}</bdi>
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
              i18nKey="Its requests are signed with this secret. Copy it to your server now: it is <strong>shown this once</strong>."
              components={{ strong: <strong /> }}
            />
          </p>
          <div className="command-line">
            <code>{secret}</code>
            <CopyButton text={secret} label={t("Copy the signing secret")} shows={t("Copy")} />
          </div>
        </>
      )}
      <div className="forward-end">
        <Button asChild variant="soft">
          <a href={postRulesAddress()}>{t("Say what is posted to it")}</a>
        </Button>
        <Button variant="soft" color="gray" onClick={onClose}>
          {secret === null ? t("Close") : t("I have copied it")}
        </Button>
      </div>
    </section>
  );
}
