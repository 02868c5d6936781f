// The Forwarding page: the forwarding targets, and the forms that add another or open a studio's invitation.

import { decodeInvitation, encodeInvitation, type ForwardKind } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type FormEvent, useId, useState } from "react";
import { useAddForwardingTarget, useForwardingTargets } from "../../api/use-forwarding.ts";
import { t } from "../../language/language.ts";
import { joinAddress } from "../../ui/address.ts";
import { ErrorText } from "../../ui/error-text.tsx";
import { FieldRow, Select } from "../../ui/fields.tsx";
import { FileButton } from "../../ui/file-button.tsx";
import { Page, useTitle } from "../../ui/page.tsx";
import { InvitationSection } from "./invitation-form.tsx";
import { AddressFields, emptyAddressInput, GameRow, TargetCard } from "./target-card.tsx";
import { invalidHeadersText, parseHeaders, targetKindChoices } from "./target-text.ts";
import { LinesField, transportOf } from "./transport-fields.tsx";

function AddForm({ onAdded }: { onAdded: (id: string) => void }) {
  const [kind, setKind] = useState<ForwardKind>("sentry");
  const [typed, setTyped] = useState(emptyAddressInput);
  const [game, setGame] = useState<string>();
  const [refused, setRefused] = useState<string>();
  const add = useAddForwardingTarget();
  const title = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const headers = parseHeaders(typed.headers);
    setRefused(headers === undefined ? invalidHeadersText() : undefined);
    if (headers === undefined) return;
    const body = {
      kind,
      address: typed.address,
      game: game ?? null,
      ...transportOf(typed),
      ...(kind === "otlp" && { headers }),
    };
    add.mutate(body, {
      onSuccess: ({ id }) => {
        setTyped(emptyAddressInput);
        onAdded(id);
      },
    });
  };
  return (
    <form className="stack" aria-labelledby={title} onSubmit={submit}>
      <h2 id={title}>{t("Add a server")}</h2>
      <FieldRow label={t("Kind")}>
        {({ field }) => <Select id={field} choices={targetKindChoices()} value={kind} onChange={setKind} />}
      </FieldRow>
      <AddressFields kind={kind} typed={typed} onChange={setTyped} error={refused ?? add.error?.message} />
      <GameRow chosen={game} onChange={setGame} />
      <div className="cluster tight">
        <Button type="submit" disabled={add.isPending}>
          {t("Add and send a test")}
        </Button>
      </div>
    </form>
  );
}

export function ForwardingPage() {
  const { data, error } = useForwardingTargets();
  const [added, setAdded] = useState<string>();
  useTitle(t("Forwarding · Kit"));
  return (
    <Page column="medium">
      <div className="stack">
        <h1>{t("Forwarding")}</h1>
        <p className="recorder-detail">
          {t(
            "Kit can forward error reports to a server of yours: a new issue at once, and once a minute how much an issue grew. Home folders, the names of the account and the computer, email and network addresses, and keys are removed first. The server sees the network address that this computer sends from.",
          )}
        </p>
        {data?.targets.length === 0 && <p>{t("Nothing is forwarded at the moment.")}</p>}
      </div>
      <ErrorText error={!data && error} />
      {data?.targets.map((target) => (
        <TargetCard key={target.id} target={target} isNew={target.id === added} />
      ))}
      {data && <AddForm onAdded={setAdded} />}
      {data && <OpenInvitation />}
      {data && <InvitationSection />}
    </Page>
  );
}

/** Opens a studio's invitation from its link or file, whatever the port of this launcher. */
function OpenInvitation() {
  const [typed, setTyped] = useState("");
  const [isRefused, setIsRefused] = useState(false);
  const open = (given: string) => {
    const invitation = decodeInvitation(given);
    setIsRefused(invitation === undefined);
    if (invitation !== undefined) location.hash = joinAddress(encodeInvitation(invitation));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    open(typed);
  };
  return (
    <details>
      <summary>{t("Open an invitation")}</summary>
      <form className="stack" aria-label={t("Open an invitation")} onSubmit={submit}>
        <LinesField
          label={t("Link or file")}
          hint={t("Paste the link that a studio sent you, or choose its file below. Nothing is sent until you agree.")}
          value={typed}
          onChange={setTyped}
        />
        <ErrorText
          error={isRefused && t("This is not an invitation. Paste the whole link, or the whole text of the file.")}
        />
        <div className="cluster tight">
          <Button type="submit">{t("Show the invitation")}</Button>
          <FileButton
            label={t("Choose the file")}
            onFile={(file) => void file.text().then(open, () => setIsRefused(true))}
          >
            {t("Choose the file")}
          </FileButton>
        </div>
      </form>
    </details>
  );
}
