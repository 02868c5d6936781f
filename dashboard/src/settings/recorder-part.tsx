// The recorder in a line, a test of it, and how it is set.
import { Button } from "@radix-ui/themes";
import { testWords } from "../clips/words.ts";
import { recorderAddress } from "../frame/address.ts";
import { Icon } from "../frame/icon.tsx";
import { t, told } from "../language/language.ts";
import { visibleText } from "../live/visible-text.ts";
import { SettingsSection } from "../recorder/settings-section.tsx";
import { TestResult } from "../recorder/test-recording.tsx";
import { useRecorder, useTestRecording } from "../recorder/use-recorder.ts";
import { recorderWord } from "../recorder/words.ts";
import { Part } from "./part.tsx";

export function RecorderPart() {
  const { data: report, error } = useRecorder();
  const test = useTestRecording();
  return (
    <Part name="recorder" end={<a href={recorderAddress}>{t("The Recorder page")}</a>}>
      {error && !report && (
        <p className="details-warning" role="alert">
          {visibleText(error.message)}
        </p>
      )}
      {report && (
        <>
          <p className="settings-state" data-state={report.state.state}>
            <span className="recorder-dot" aria-hidden="true" />
            <span>
              <strong>{recorderWord(report.state).title}</strong> <bdi>{visibleText(told(report.state.detail))}</bdi>
            </span>
          </p>
          <div className="settings-buttons">
            <Button variant="soft" disabled={test.isPending} onClick={() => test.mutate()}>
              <Icon name="record" size={14} />
              {test.isPending ? testWords.busy : testWords.ask}
            </Button>
          </div>
          <TestResult test={test} />
          <details className="settings-more">
            <summary>{t("What is captured, how well, and with which sound")}</summary>
            <SettingsSection report={report} />
          </details>
        </>
      )}
    </Part>
  );
}
