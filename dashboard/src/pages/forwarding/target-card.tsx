// One server: how it fares, a test of it, its address anew, and the end of it.
import type { ForwardTarget, ForwardTest } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useTargetActions } from "../../api/use-forwarding.ts";
import { locale, Trans, t, translateMessage } from "../../language/language.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { gameWord } from "../../ui/game-name.ts";
import { Icon } from "../../ui/icon.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { sizeOf } from "../../ui/measures.ts";
import { Fact } from "../../ui/section.tsx";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { AddressFields, nothingTyped } from "./address-fields.tsx";
import { headersIn, kindWord, notHeaders, stateOf, stateWords } from "./words.ts";

type AddressChangeProps = { target: ForwardTarget; change: ReturnType<typeof useTargetActions>["change"] };

/** Gives a server another address or key; the one before is written over. */
function AddressChange({ target, change }: AddressChangeProps) {
  const [typed, setTyped] = useState(nothingTyped);
  const [refused, setRefused] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const headers = headersIn(typed.headers);
    setRefused(headers === undefined ? notHeaders() : undefined);
    if (headers === undefined) return;
    const body = { address: typed.address, ...(target.kind === "otlp" && { headers }) };
    change.mutate(body, { onSuccess: () => setTyped(nothingTyped) });
  };
  return (
    <details className="tried">
      <summary>{t("Another address or key")}</summary>
      <form className="recorder-part forward-change" aria-label={t("Another address or key")} onSubmit={submit}>
        <AddressFields kind={target.kind} typed={typed} onChange={setTyped} error={refused} />
        <div className="forward-end">
          <Button type="submit" variant="soft" disabled={change.isPending}>
            {t("Keep")}
          </Button>
        </div>
      </form>
    </details>
  );
}

type Props = { target: ForwardTarget; isNew: boolean };

export function TargetCard({ target, isNew }: Props) {
  const title = useId();
  const actions = useTargetActions(target.id);
  const { change, test } = actions;
  const state = stateOf(target);
  useTestOnce(isNew, () => test.mutate());
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
        <span>{visibleText(stateWords(target))}</span>
      </p>
      {(change.error ?? actions.remove.error) && (
        <p className="details-warning" role="alert">
          {(change.error ?? actions.remove.error)?.message}
        </p>
      )}
      <div className="test-result" role="status">
        {test.error && <p className="details-warning">{test.error.message}</p>}
        {test.data && !test.isPending && <Tested result={test.data} />}
      </div>
      <Figures target={target} />
      <AddressChange target={target} change={change} />
    </section>
  );
}

/** A server that was just added is tried by itself. */
function useTestOnce(wanted: boolean, run: () => void): void {
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
      <Fact name={t("Kind")}>{kindWord(target.kind)}</Fact>
      <Fact name={t("Reports of")}>{target.game === null ? t("All games") : gameWord(target.game, 100)}</Fact>
      <Fact name={t("Taken")}>{target.delivered.toLocaleString(locale())}</Fact>
      <Fact name={t("Waiting")}>
        {waiting === 0
          ? t("None")
          : t("{{number}}, {{size}}", { number: waiting.toLocaleString(locale()), size: sizeOf(waitingBytes) })}
      </Fact>
      {dropped > 0 && <Fact name={t("Given up")}>{dropped.toLocaleString(locale())}</Fact>}
      {lastError !== null && lastError !== stopped && (
        <Fact name={t("Last error")}>{visibleText(translateMessage(lastError))}</Fact>
      )}
    </dl>
  );
}

function Tested({ result: { ok, says, answer, report } }: { result: ForwardTest }) {
  return (
    <>
      <p className="test-says" data-ok={ok}>
        <Icon name={ok ? "check" : "warning"} size={16} />
        <span>{visibleText(translateMessage(says))}</span>
      </p>
      {ok && report !== null && (
        <p>
          <Trans i18nKey="There it has the id <id/>." components={{ id: <code>{report.replaceAll("-", "")}</code> }} />
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
              i18nKey="Nothing more is sent to <host/>. Its key will be gone; what it took stays there."
              components={{ host: <bdi>{visibleLine(host, 200)}</bdi> }}
            />
          </p>
          {waiting > 0 && (
            <p>
              {t("{{number}} reports wait for it; they will be gone, too.", {
                count: waiting,
                number: waiting.toLocaleString(locale()),
                defaultValue_one: "{{number}} report waits for it; it will be gone, too.",
              })}
            </p>
          )}
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
              {t("Delete")}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
