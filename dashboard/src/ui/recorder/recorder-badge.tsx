// The recorder's state in the top bar. Its tooltip says what is being captured.
import "./recorder.css";
import { useId } from "react";
import { useRecorder } from "../../api/use-recorder.ts";
import { t, translateMessage } from "../../language/language.ts";
import { recorderAddress } from "../address.ts";
import { visibleText } from "../visible-text.ts";
import { recorderStateLabel } from "./recorder-text.ts";

export function RecorderBadge({ current }: { current: boolean }) {
  const { data, isError } = useRecorder();
  const tip = useId();
  if (data === undefined && !isError) return null;
  const shown = data === undefined || isError ? undefined : data.state;
  const says = shown === undefined ? t("Not responding") : recorderStateLabel(shown).says;
  return (
    <span className="recorder-place">
      <a
        className="recorder-badge"
        href={recorderAddress}
        data-state={shown?.state ?? "unknown"}
        aria-current={current ? "page" : undefined}
        aria-describedby={tip}
      >
        <span className="recorder-dot" aria-hidden="true" />
        <span className="unseen">{t("Recorder:")} </span>
        <span className="recorder-word">{says}</span>
      </a>
      <span className="recorder-tip" role="tooltip" id={tip}>
        {shown === undefined
          ? t("The recorder's state is unknown because Kit is not responding.")
          : visibleText(translateMessage(shown.detail))}
      </span>
    </span>
  );
}
