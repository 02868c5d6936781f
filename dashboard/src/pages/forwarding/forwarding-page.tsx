// The Forwarding page: the forwarding targets, and a form to add another.
import type { ForwardKind } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type FormEvent, useId, useState } from "react";
import { unsorted } from "../../api/address-filters.ts";
import { useAddForwardingTarget, useForwardingTargets } from "../../api/use-forwarding.ts";
import { useGames } from "../../api/use-games.ts";
import { t } from "../../language/language.ts";
import { ErrorText } from "../../ui/error-text.tsx";
import { FieldRow, Select } from "../../ui/fields.tsx";
import { GameChoice } from "../../ui/filter-choices.tsx";
import { Page, useTitle } from "../../ui/page.tsx";
import { AddressFields, emptyAddressInput, TargetCard, transportOf } from "./target-card.tsx";
import { invalidHeadersText, parseHeaders, targetKindChoices } from "./target-text.ts";

function AddForm({ onAdded }: { onAdded: (id: string) => void }) {
  const [kind, setKind] = useState<ForwardKind>("sentry");
  const [typed, setTyped] = useState(emptyAddressInput);
  const [game, setGame] = useState<string>();
  const [refused, setRefused] = useState<string>();
  const games = useGames().data?.games.map((each) => each.game) ?? [];
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
      <div className="setting">
        <span className="form-label">{t("Reports from")}</span>
        <div className="setting-value">
          <GameChoice
            chosen={game}
            games={games.filter((name) => name !== unsorted)}
            onChange={(next) => setGame(next.game)}
          />
        </div>
      </div>
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
    </Page>
  );
}
