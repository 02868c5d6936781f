// The button that saves the last seconds of the running game, and what came of it.
import "./recorder.css";
import { type Clip, savedSeconds } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useRecorder, useSaveLast } from "../../api/use-recorder.ts";
import { t, translateMessage } from "../../language/language.ts";
import { clipsAddress } from "../address.ts";
import { clipTitle } from "../clips/clip-text.ts";
import { ErrorText } from "../error-text.tsx";
import { Icon } from "../icon.tsx";
import { visibleLine, visibleText } from "../visible-text.ts";

export function SaveLast() {
  const save = useSaveLast();
  const settings = useRecorder().data?.settings;
  if (settings === undefined) return null;
  const seconds = Math.min(savedSeconds.default, settings.bufferSeconds);
  return (
    <div className="cluster tight save-last">
      <div role="status" className="small">
        <ErrorText error={save.error} />
        {save.data && !save.isPending && <Outcome clip={save.data} />}
      </div>
      <Button variant="soft" disabled={save.isPending} onClick={() => save.mutate(seconds)}>
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
