// Forgets an account, after saying what is dropped with it.
import type { Account } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useId, useState } from "react";
import { locale, Trans, t } from "../../language/language.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { networkWord } from "../../ui/posts/post-words.ts";
import { visibleLine } from "../../ui/visible-text.ts";

type Props = { account: Account; onRemove: () => void };

export function RemoveAccount({ account, onRemove }: Props) {
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
          <WhatGoes account={account} />
          <div className="panel-end">
            <Button variant="soft" color="gray" onClick={() => setAsked(false)}>
              {t("Keep it")}
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

function WhatGoes({ account: { name, network, waiting } }: { account: Account }) {
  const { says } = networkWord(network);
  return (
    <>
      <p>
        <Trans
          i18nKey="Kit forgets <account/> and what opens it. To connect it again you need its key again."
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
          ? t("{{number}} posts that wait for it will not be sent to it.", {
              count: waiting,
              number: waiting.toLocaleString(locale()),
              defaultValue_one: "{{number}} post that waits for it will not be sent to it.",
            })
          : t("Nothing waits for it.")}{" "}
        {t("What was sent stays there, and in your list.")}
      </p>
    </>
  );
}
