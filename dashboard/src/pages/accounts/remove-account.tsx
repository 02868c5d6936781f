// The button that removes an account, with a confirmation.
import type { Account } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useId, useState } from "react";
import { locale, Trans, t } from "../../language/language.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { networkLabel } from "../../ui/posts/post-text.ts";
import { visibleLine } from "../../ui/visible-text.ts";

type Props = { account: Account; onRemove: () => void };

export function RemoveAccountButton({ account, onRemove }: Props) {
  const [asked, setAsked] = useState(false);
  const title = useId();
  return (
    <>
      <Button variant="soft" color="ruby" onClick={() => setAsked(true)}>
        {t("Remove")}
      </Button>
      {asked && (
        <Dialog className="panel" labelledBy={title} onClose={() => setAsked(false)}>
          <h2 id={title}>{t("Remove this account?")}</h2>
          <Consequences account={account} />
          <div className="panel-end">
            <Button variant="soft" color="gray" onClick={() => setAsked(false)}>
              {t("Cancel")}
            </Button>
            <Button
              color="ruby"
              onClick={() => {
                setAsked(false);
                onRemove();
              }}
            >
              {t("Remove")}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

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
