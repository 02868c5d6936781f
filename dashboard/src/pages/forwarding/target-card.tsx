// A forwarding target: its state, test, address and removal.
import type { ForwardTarget, ForwardTest } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useForwardingTargetActions } from "../../api/use-forwarding.ts";
import { locale, Trans, t, translateMessage } from "../../language/language.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { formatBytes } from "../../ui/format.ts";
import { gameName } from "../../ui/game-name.ts";
import { Icon } from "../../ui/icon.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { Fact } from "../../ui/section.tsx";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { AddressFields, emptyAddress } from "./address-fields.tsx";
import { invalidHeadersText, parseHeaders, targetKindText, targetState, targetStateText } from "./target-text.ts";

type AddressChangeProps = { target: ForwardTarget; change: ReturnType<typeof useForwardingTargetActions>["change"] };

/** Overwrites a target's address and key. */
function AddressChange({ target, change }: AddressChangeProps) {
  const [typed, setTyped] = useState(emptyAddress);
  const [refused, setRefused] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const headers = parseHeaders(typed.headers);
    setRefused(headers === undefined ? invalidHeadersText() : undefined);
    if (headers === undefined) return;
    const body = { address: typed.address, ...(target.kind === "otlp" && { headers }) };
    change.mutate(body, { onSuccess: () => setTyped(emptyAddress) });
  };
  return (
    <details className="tried">
      <summary>{t("Change address or key")}</summary>
      <form className="recorder-part forward-change" aria-label={t("Change address or key")} onSubmit={submit}>
        <AddressFields kind={target.kind} typed={typed} onChange={setTyped} error={refused} />
        <div className="forward-end">
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
    <section className="recorder-state forward-target" data-state={state} aria-labelledby={title}>
      <div className="recorder-head">
        <h2 id={title}>
          <bdi>{visibleLine(target.host, 200)}</bdi>
          {target.project !== null && (
            <span className="forward-project">{t("project {{name}}", { name: visibleLine(target.project, 30) })}</span>
          )}
        </h2>
        <div className="forward-end">
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
          <RemoveButton target={target} onRemove={() => actions.remove.mutate()} />
        </div>
      </div>
      <p className="forward-says" role="status">
        {state === "stopped" && <Icon name="warning" size={14} />}
        <span>{visibleText(targetStateText(target))}</span>
      </p>
      {(change.error ?? actions.remove.error) && (
        <p className="details-warning" role="alert">
          {(change.error ?? actions.remove.error)?.message}
        </p>
      )}
      <div className="test-result" role="status">
        {test.error && <p className="details-warning">{test.error.message}</p>}
        {test.data && !test.isPending && <TestResult result={test.data} />}
      </div>
      <Figures target={target} />
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

function Figures({ target }: { target: ForwardTarget }) {
  const { waiting, waitingBytes, dropped, lastError, stopped } = target;
  return (
    <dl className="facts">
      <Fact name={t("Kind")}>{targetKindText(target.kind)}</Fact>
      <Fact name={t("Reports from")}>{target.game === null ? t("All games") : gameName(target.game, 100)}</Fact>
      <Fact name={t("Delivered")}>{target.delivered.toLocaleString(locale())}</Fact>
      <Fact name={t("Waiting")}>
        {waiting === 0
          ? t("None")
          : t("{{number}}, {{size}}", { number: waiting.toLocaleString(locale()), size: formatBytes(waitingBytes) })}
      </Fact>
      {dropped > 0 && <Fact name={t("Given up")}>{dropped.toLocaleString(locale())}</Fact>}
      {lastError !== null && lastError !== stopped && (
        <Fact name={t("Last error")}>{visibleText(translateMessage(lastError))}</Fact>
      )}
    </dl>
  );
}

function TestResult({ result: { ok, says, answer, report } }: { result: ForwardTest }) {
  return (
    <>
      <p className="test-says" data-ok={ok}>
        <Icon name={ok ? "check" : "warning"} size={16} />
        <span>{visibleText(translateMessage(says))}</span>
      </p>
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

function RemoveButton({ target, onRemove }: { target: ForwardTarget; onRemove: () => void }) {
  const [asked, setAsked] = useState(false);
  const title = useId();
  const { host, waiting } = target;
  return (
    <>
      <Button variant="soft" color="ruby" onClick={() => setAsked(true)}>
        {t("Delete")}
      </Button>
      {asked && (
        <Dialog className="panel" labelledBy={title} onClose={() => setAsked(false)}>
          <h2 id={title}>{t("Delete this server?")}</h2>
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
              {t("Delete")}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
