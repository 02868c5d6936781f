// The result of a test: whether it worked, and what was tried or checked. A test recording has a clip, too.

import { type MessageOrText, textOf } from "@kit/contract";
import "./fields.css";
import type { ReactNode } from "react";
import { useClip } from "../api/use-clips.ts";
import type { useTestRecording } from "../api/use-recorder.ts";
import { t, translateMessage } from "../language/language.ts";
import { ClipTile } from "./clips/clip-tile.tsx";
import { ErrorText } from "./error-text.tsx";
import { Icon } from "./icon.tsx";
import { visibleText } from "./visible-text.ts";

type Attempt = {
  readonly what: MessageOrText;
  readonly ok: boolean;
  readonly why?: MessageOrText;
  readonly says?: MessageOrText;
};
type Result = { readonly ok: boolean; readonly says: MessageOrText; readonly checked?: readonly Attempt[] };
type Test = { readonly error: Error | null; readonly data: Result | undefined; readonly isPending: boolean };

/** `label`: the name of the list of what was checked. `children`: shown after a result. */
export function TestResult({ test, label, children }: { test: Test; label?: string; children?: ReactNode }) {
  return (
    <div className="stack test-result" role="status">
      <ErrorText error={test.error} />
      {test.data && !test.isPending && (
        <>
          <p className={test.data.ok ? "with-icon done" : "with-icon error"}>
            <Icon name={test.data.ok ? "check" : "warning"} size={16} />
            <span>{visibleText(translateMessage(test.data.says))}</span>
          </p>
          {test.data.checked && test.data.checked.length > 0 && <Attempts attempts={test.data.checked} label={label} />}
          {children}
        </>
      )}
    </div>
  );
}

/**
 * With a label, lists what was checked, each answered with yes or no. Otherwise lists the configurations that were
 * tried.
 */
export function Attempts({ attempts, label }: { attempts: readonly Attempt[]; label?: string | undefined }) {
  const [works, fails] = label === undefined ? [`${t("Works:")} `, `${t("Failed:")} `] : [t("Yes: "), t("No: ")];
  return (
    <ol className="tried small" aria-label={label}>
      {attempts.map(({ what, ok, why, says = why ?? "" }) => (
        <li key={`${textOf(what)} ${textOf(says)}`} data-ok={ok}>
          <Icon name={ok ? "check" : "close"} size={14} />
          <span className="unseen">{ok ? works : fails}</span>
          <strong>{visibleText(translateMessage(what))}</strong>
          <span>{visibleText(translateMessage(says))}</span>
        </li>
      ))}
    </ol>
  );
}

export function TestRecordingResult({ test }: { test: ReturnType<typeof useTestRecording> }) {
  const { ok = true, tried = [], clip = null } = test.data ?? {};
  return (
    <TestResult test={test}>
      {clip !== null && <TestClip id={clip} />}
      {tried.length > 0 && (
        <details open={!ok}>
          <summary>{t("Attempted configurations ({{number}})", { number: tried.length })}</summary>
          <Attempts attempts={tried} />
        </details>
      )}
    </TestResult>
  );
}

function TestClip({ id }: { id: string }) {
  const { data } = useClip(id);
  return data === undefined ? null : <ClipTile clip={data} />;
}
