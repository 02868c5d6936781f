// The card of a forwarding target: its state, and how to test, change or remove it.
import { type ForwardKind, type ForwardTarget, type ForwardTestResult, textOf } from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { unsorted } from "../../api/address-filters.ts";
import { useForwardingTargetActions } from "../../api/use-forwarding.ts";
import { useGames } from "../../api/use-games.ts";
import { locale, Trans, t, translateMessage } from "../../language/language.ts";
import { RemoveButton } from "../../ui/dialog.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { FieldRow, GameChoice, SwitchField } from "../../ui/fields.tsx";
import { formatBytes } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { gameName } from "../../ui/names.ts";
import { Fact } from "../../ui/section.tsx";
import { TestResult } from "../../ui/test-result.tsx";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { TargetBucket } from "./target-bucket.tsx";
import { ConsentFacts, Decisions, SentRequests } from "./target-history.tsx";
import { invalidHeadersText, parseHeaders, targetKindText, targetState, targetStateText } from "./target-text.ts";
import { VideoFacts, VideoSwitch } from "./target-videos.tsx";
import { LinesField, TransportFields, type TransportInput, transportOf } from "./transport-fields.tsx";

type AddressInput = TransportInput & { readonly address: string; readonly headers: string };
export const emptyAddressInput: AddressInput = { address: "", headers: "", withoutTls: false, certificate: "" };

type AddressFieldsProps = {
  kind: ForwardKind;
  typed: AddressInput;
  onChange: (typed: AddressInput) => void;
  error?: string | undefined;
  /** Whether the address goes into a link, which everybody who gets it can read. */
  isShared?: boolean;
};

function addressHint(kind: ForwardKind, isShared: boolean): string {
  if (isShared)
    return kind === "sentry"
      ? t(
          "From the project's settings, for example https://KEY@example.com/1. Everybody who gets the link can read it. If it is abused, revoke the key at the server.",
        )
      : t(
          "For example https://collector.example.com:4318. Everybody who gets the link can read it, so the collector must not need a key.",
        );
  return kind === "sentry"
    ? t(
        "From the project's settings, for example https://KEY@example.com/1. Kit stores it as a secret and never shows it again.",
      )
    : t("For example https://collector.example.com:4318. If the address has no path, Kit adds /v1/logs.");
}

/** The fields for a forwarding target's address and key. A saved key is never shown again. */
export function AddressFields({ kind, typed, onChange, error, isShared = false }: AddressFieldsProps) {
  const isSentry = kind === "sentry";
  return (
    <>
      <FieldRow label={isSentry ? "DSN" : t("Address")} hint={addressHint(kind, isShared)} error={error}>
        {({ field, hint }) => (
          <TextField.Root
            id={field}
            aria-describedby={hint}
            type={isSentry && !isShared ? "password" : "text"}
            autoComplete="off"
            spellCheck={false}
            required
            value={typed.address}
            onChange={(event) => onChange({ ...typed, address: event.target.value })}
          />
        )}
      </FieldRow>
      {!isSentry && !isShared && (
        <LinesField
          label={t("Headers")}
          hint={t(
            "One header per line, for example Authorization: Bearer KEY. Kit stores them as secrets and never shows them again.",
          )}
          value={typed.headers}
          onChange={(headers) => onChange({ ...typed, headers })}
        />
      )}
      <TransportFields typed={typed} onChange={(transport) => onChange({ ...typed, ...transport })} />
    </>
  );
}

/** The field for the game whose reports are forwarded. */
export function GameRow({ chosen, onChange }: { chosen: string | undefined; onChange: (game?: string) => void }) {
  const games = useGames().data?.games.map((each) => each.game) ?? [];
  return (
    <div className="setting">
      <span className="form-label">{t("Reports from")}</span>
      <div className="setting-value">
        <GameChoice
          chosen={chosen}
          games={games.filter((name) => name !== unsorted)}
          onChange={(next) => onChange(next.game)}
        />
      </div>
    </div>
  );
}

type AddressChangeProps = { target: ForwardTarget; change: ReturnType<typeof useForwardingTargetActions>["change"] };

/** The form that replaces a target's address and key. */
function AddressChange({ target, change }: AddressChangeProps) {
  const [typed, setTyped] = useState(emptyAddressInput);
  const [refused, setRefused] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const headers = parseHeaders(typed.headers);
    setRefused(headers === undefined ? invalidHeadersText() : undefined);
    if (headers === undefined) return;
    const body = { address: typed.address, ...transportOf(typed), ...(target.kind === "otlp" && { headers }) };
    change.mutate(body, { onSuccess: () => setTyped(emptyAddressInput) });
  };
  return (
    <details>
      <summary>{t("Change address or key")}</summary>
      <form className="stack" aria-label={t("Change address or key")} onSubmit={submit}>
        <AddressFields kind={target.kind} typed={typed} onChange={setTyped} error={refused} />
        <div className="cluster tight">
          <Button type="submit" variant="soft" disabled={change.isPending}>
            {t("Save")}
          </Button>
        </div>
      </form>
    </details>
  );
}

type Props = { target: ForwardTarget; isNew: boolean };

export function TargetCard({ target, isNew }: Props) {
  const title = useId();
  const actions = useForwardingTargetActions(target.id);
  const { change, test } = actions;
  const state = targetState(target);
  useRunOnce(isNew, () => test.mutate());
  return (
    <section className="card" data-state={state} aria-labelledby={title}>
      <div className="cluster spread">
        <h2 id={title}>
          <bdi>{visibleLine(target.host, 200)}</bdi>
          {target.project !== null && (
            <span className="quiet">{t("project {{name}}", { name: visibleLine(target.project, 30) })}</span>
          )}
        </h2>
        <div className="cluster tight">
          <Button variant="soft" disabled={test.isPending} onClick={() => test.mutate()}>
            {test.isPending ? t("Testing") : t("Send a test")}
          </Button>
          <Button
            variant="soft"
            color="gray"
            disabled={change.isPending}
            onClick={() => change.mutate({ enabled: state === "off" || state === "stopped" })}
          >
            {state === "off" ? t("Switch on") : state === "stopped" ? t("Start again") : t("Switch off")}
          </Button>
          <RemoveButton title={t("Delete this server?")} label={t("Delete")} onRemove={() => actions.remove.mutate()}>
            <Consequences target={target} />
          </RemoveButton>
        </div>
      </div>
      <p className="with-icon" role="status">
        {state === "stopped" && <Icon name="warning" size={14} />}
        <span>{visibleText(targetStateText(target))}</span>
      </p>
      <ErrorText error={change.error ?? actions.remove.error} />
      <TestResult test={test}>{test.data && <Answer result={test.data} />}</TestResult>
      <Figures target={target} />
      <Decisions decisions={target.decisions} />
      <ExtrasForm target={target} change={change} />
      <TargetBucket target={target} change={change} />
      <SentRequests target={target.id} />
      <AddressChange target={target} change={change} />
    </section>
  );
}

/** Runs `run` once, as soon as `wanted` is true. */
function useRunOnce(wanted: boolean, run: () => void): void {
  const done = useRef(false);
  useEffect(() => {
    if (!wanted || done.current) return;
    done.current = true;
    run();
  });
}

/** What Kit sends to the target besides the report itself. */
function ExtrasForm({ target, change }: AddressChangeProps) {
  const { environment, installation, earlierEvents, kind } = target;
  const [typed, setTyped] = useState(environment ?? "");
  const save = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ environment: typed.trim() === "" ? null : typed.trim() });
  };
  return (
    <details>
      <summary>{t("What else is sent")}</summary>
      <div className="stack">
        <form className="stack" aria-label={t("Environment")} onSubmit={save}>
          <FieldRow
            label={t("Environment")}
            hint={t("For example playtest. Leave empty for none. No spaces or slashes, and not the word None.")}
          >
            {({ field, hint }) => (
              <TextField.Root
                id={field}
                aria-describedby={hint}
                autoComplete="off"
                maxLength={64}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            )}
          </FieldRow>
          <div className="cluster tight">
            <Button type="submit" variant="soft" disabled={change.isPending}>
              {t("Save")}
            </Button>
          </div>
        </form>
        {kind === "sentry" && (
          <SwitchField
            says={t("Events before an error")}
            on={earlierEvents}
            onChange={(on) => change.mutate({ earlierEvents: on })}
          />
        )}
        <p>
          {installation === null
            ? t("No random id is sent, so the server cannot tell how many computers an error affects.")
            : t("A random id of this computer, made for this server only, is sent: {{id}}", { id: installation })}
        </p>
        <div className="cluster tight">
          <Button
            variant="soft"
            color="gray"
            disabled={change.isPending}
            onClick={() => change.mutate({ installation: "new" })}
          >
            {installation === null ? t("Send a random id") : t("Create a new id")}
          </Button>
          {installation !== null && (
            <Button
              variant="soft"
              color="gray"
              disabled={change.isPending}
              onClick={() => change.mutate({ installation: "none" })}
            >
              {t("Stop sending the id")}
            </Button>
          )}
        </div>
        <VideoSwitch target={target} change={change} />
      </div>
    </details>
  );
}

function Figures({ target }: { target: ForwardTarget }) {
  const { consent, waiting, waitingBytes, dropped, lastError, stopped } = target;
  return (
    <dl className="facts">
      <Fact name={t("Kind")}>{targetKindText(target.kind)}</Fact>
      <Fact name={t("Reports from")}>{target.game === null ? t("All games") : gameName(target.game, 100)}</Fact>
      <ConsentFacts consent={consent} />
      <Fact name={t("Delivered")}>{target.delivered.toLocaleString(locale())}</Fact>
      <Fact name={t("Waiting")}>
        {waiting === 0
          ? t("None")
          : t("{{number}}, {{size}}", { number: waiting.toLocaleString(locale()), size: formatBytes(waitingBytes) })}
      </Fact>
      {dropped > 0 && <Fact name={t("Given up")}>{dropped.toLocaleString(locale())}</Fact>}
      {lastError !== null && textOf(lastError) !== textOf(stopped ?? "") && (
        <Fact name={t("Last error")}>{visibleText(translateMessage(lastError))}</Fact>
      )}
      <VideoFacts target={target} />
    </dl>
  );
}

function Answer({ result: { ok, answer, report } }: { result: ForwardTestResult }) {
  return (
    <>
      {ok && report !== null && (
        <p>
          <Trans
            i18nKey="Its id on the server is <id/>."
            components={{ id: <code>{report.replaceAll("-", "")}</code> }}
          />
        </p>
      )}
      {answer !== null && answer !== "" && <LongText text={answer} label={t("What the server answered")} />}
    </>
  );
}

/** Explains what happens when a target is removed. */
function Consequences({ target: { host, waiting } }: { target: ForwardTarget }) {
  return (
    <>
      <p>
        <Trans
          i18nKey="Kit stops sending to <host/> and deletes its key. Delivered reports stay on the server."
          components={{ host: <bdi>{visibleLine(host, 200)}</bdi> }}
        />
      </p>
      {waiting > 0 && (
        <p>
          {t("{{number}} waiting reports will be deleted too.", {
            count: waiting,
            number: waiting.toLocaleString(locale()),
            defaultValue_one: "{{number}} waiting report will be deleted too.",
          })}
        </p>
      )}
    </>
  );
}
