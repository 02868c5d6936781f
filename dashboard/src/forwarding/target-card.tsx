// One server: how it fares, a test of it, its address anew, and the end of it.
import type { ForwardTarget, ForwardTest } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useEffect, useId, useRef, useState } from "react";
import { sizeOf } from "../clips/measures.ts";
import { Dialog } from "../frame/dialog.tsx";
import { Icon } from "../frame/icon.tsx";
import { LongText } from "../live/long-text.tsx";
import { Fact } from "../live/section.tsx";
import { visibleLine, visibleText } from "../live/visible-text.ts";
import { AddressChange } from "./address-change.tsx";
import { useTargetActions } from "./use-forwarding.ts";
import { kindWord, stateOf, stateWords } from "./words.ts";

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
            <span className="forward-project">project {visibleLine(target.project, 30)}</span>
          )}
        </h2>
        <div className="forward-end">
          <Button variant="soft" disabled={test.isPending} onClick={() => test.mutate()}>
            {test.isPending ? "Testing" : "Send a test"}
          </Button>
          <Button
            variant="soft"
            color="gray"
            disabled={change.isPending}
            onClick={() => change.mutate({ enabled: state === "off" || state === "stopped" })}
          >
            {state === "off" ? "Switch on" : state === "stopped" ? "Start again" : "Switch off"}
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
      <Fact name="Kind">{kindWord(target.kind)}</Fact>
      <Fact name="Reports of">{target.game === null ? "All games" : visibleLine(target.game, 100)}</Fact>
      <Fact name="Taken">{target.delivered.toLocaleString()}</Fact>
      <Fact name="Waiting">{waiting === 0 ? "None" : `${waiting.toLocaleString()}, ${sizeOf(waitingBytes)}`}</Fact>
      {dropped > 0 && <Fact name="Given up">{dropped.toLocaleString()}</Fact>}
      {lastError !== null && lastError !== stopped && <Fact name="Last error">{visibleText(lastError)}</Fact>}
    </dl>
  );
}

function Tested({ result: { ok, says, answer, report } }: { result: ForwardTest }) {
  return (
    <>
      <p className="test-says" data-ok={ok}>
        <Icon name={ok ? "check" : "warning"} size={16} />
        <span>{visibleText(says)}</span>
      </p>
      {ok && report !== null && (
        <p>
          There it has the id <code>{report.replaceAll("-", "")}</code>.
        </p>
      )}
      {answer !== null && answer !== "" && <LongText text={answer} label="What the server answered" />}
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
        Delete
      </Button>
      {asked && (
        <Dialog className="panel" labelledBy={title} onClose={() => setAsked(false)}>
          <h2 id={title}>Delete this server?</h2>
          <p>
            Nothing more is sent to <bdi>{visibleLine(host, 200)}</bdi>. Its key
            {waiting > 0 && ` and ${waiting.toLocaleString()} reports that wait for it`} will be gone; what it took
            stays there.
          </p>
          <div className="panel-end">
            <Button variant="soft" color="gray" onClick={() => setAsked(false)}>
              Keep it
            </Button>
            <Button
              color="ruby"
              onClick={() => {
                setAsked(false);
                onRemove();
              }}
            >
              Delete
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
