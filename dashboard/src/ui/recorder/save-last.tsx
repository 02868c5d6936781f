// The button that saves the last seconds of the running game, and what came of it.
import "./recorder.css";
import { type Clip, savedSeconds } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useId, useState } from "react";
import { useRecorder, useSaveLast } from "../../api/use-recorder.ts";
import { t, translateMessage } from "../../language/language.ts";
import { clipsAddress } from "../address.ts";
import { clipTitle } from "../clips/clip-text.ts";
import { ErrorText } from "../error-text.tsx";
import { Icon } from "../icon.tsx";
import { visibleLine, visibleText } from "../visible-text.ts";
import { recorderStateLabel } from "./recorder-text.ts";

export function SaveLast() {
  const save = useSaveLast();
  const report = useRecorder().data;
  const hint = useId();
  const state = report?.state.state;
  const [stateBefore, setStateBefore] = useState(state);
  const [isOutdated, setOutdated] = useState(false);
  // Why a save failed is about the recorder as it was then.
  if (state !== stateBefore) {
    setStateBefore(state);
    setOutdated(true);
  }
  if (report === undefined) return null;
  const seconds = Math.min(savedSeconds.default, report.settings.bufferSeconds);
  const hasFootage = state === "recording" || report.state.heldSeconds > 0;
  const hasSaved = save.data?.state === "saved" && !save.isPending;
  const start = () => {
    setOutdated(false);
    save.mutate(seconds);
  };
  return (
    <div className="cluster tight save-last">
      <div id={hint} role="status" className="small">
        {/* A saved clip stays, whatever the recorder does afterwards. */}
        {hasSaved || (hasFootage && !isOutdated) ? (
          <>
            <ErrorText error={save.error} />
            {save.data && !save.isPending && <Outcome clip={save.data} />}
          </>
        ) : (
          !hasFootage && t("Nothing to save: {{why}}", { why: recorderStateLabel(report.state).title })
        )}
      </div>
      <Button variant="soft" disabled={save.isPending || !hasFootage} aria-describedby={hint} onClick={start}>
        <Icon name="film" size={14} />
        {save.isPending ? t("Saving…") : t("Save the last {{count, number}} seconds", { count: seconds })}
      </Button>
    </div>
  );
}

function Outcome({ clip }: { clip: Clip }) {
  const { id, state, reason } = clip;
  if (state === "saved")
    return <a href={clipsAddress(id)}>{t("Saved: {{title}}", { title: visibleLine(clipTitle(clip), 60) })}</a>;
  const why = reason === undefined ? t("The clip is not finished yet.") : visibleText(translateMessage(reason));
  return <span className="warn">{t("No clip: {{why}}", { why })}</span>;
}
