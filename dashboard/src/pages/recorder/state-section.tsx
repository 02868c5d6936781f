// The current state of the recorder with its numbers, and a test recording.
import type { RecorderReport, RecorderState } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useTestRecording } from "../../api/use-recorder.ts";
import { t, translateMessage } from "../../language/language.ts";
import { testRecordingLabels } from "../../ui/clips/clip-text.ts";
import { formatBytes, formatNumber, spokenDuration } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { backendNames, ffmpegOrigin, recorderStateLabel } from "../../ui/recorder/recorder-text.ts";
import { TestRecordingResult } from "../../ui/recorder/test-recording.tsx";
import { Fact } from "../../ui/section.tsx";
import { visibleText } from "../../ui/visible-text.ts";

export function RecorderStateSection({ report }: { report: RecorderReport }) {
  const { state } = report;
  const test = useTestRecording();
  return (
    <section className="card" data-state={state.state} aria-labelledby="recorder-says">
      <div className="cluster spread">
        <h2 id="recorder-says" className="with-icon">
          <span className="recorder-dot icon" aria-hidden="true" />
          {recorderStateLabel(state).title}
        </h2>
        <Button variant="soft" disabled={test.isPending} onClick={() => test.mutate()}>
          <Icon name="record" size={14} />
          {test.isPending ? testRecordingLabels.busy : testRecordingLabels.ask}
        </Button>
      </div>
      <p className="recorder-detail" role="status">
        {visibleText(translateMessage(state.detail))}
      </p>
      {state.degraded !== null && (
        <p className="with-icon warn">
          <Icon name="warning" size={14} />
          <span>
            {t("Quality reduced because this computer could not keep up: {{what}}", {
              what: visibleText(translateMessage(state.degraded)),
            })}
          </span>
        </p>
      )}
      <TestRecordingResult test={test} />
      <Figures report={report} />
    </section>
  );
}

const interruptionText = ({ restarts, lostSeconds }: RecorderState): string =>
  restarts === 0
    ? t("None since Kit started")
    : t("{{count, number}} restarts, {{length}} without footage", {
        count: restarts,
        length: spokenDuration(lostSeconds),
        defaultValue_one: "{{count, number}} restart, {{length}} without footage",
      });

function Figures({ report: { state, ffmpeg } }: { report: RecorderReport }) {
  const runs = state.backend !== null && (state.state === "recording" || state.state === "starting");
  return (
    <dl className="facts">
      {runs && state.source !== null && <Fact name={t("Source")}>{visibleText(state.source)}</Fact>}
      {runs && state.backend !== null && (
        <Fact name={t("Capture backend")}>
          {backendNames[state.backend]}
          {state.encoder !== null && `, ${visibleText(state.encoder)}`}
        </Fact>
      )}
      {runs && state.width > 0 && (
        <Fact name={t("Picture")}>
          {t("{{width}} × {{height}}, {{frames}} frames per second", {
            width: state.width,
            height: state.height,
            frames: formatNumber(Math.round(state.frameRate * 10) / 10),
          })}
        </Fact>
      )}
      {runs && (
        <Fact name={t("In memory")}>
          {spokenDuration(state.heldSeconds)}, {formatBytes(state.heldBytes)}
        </Fact>
      )}
      <Fact name={t("Interruptions")}>{interruptionText(state)}</Fact>
      <Fact name="ffmpeg">
        {ffmpeg === null
          ? t("Not found. Run npx kit doctor to see what to do.")
          : `${visibleText(ffmpeg.version)}, ${ffmpegOrigin(ffmpeg.from)}: ${visibleText(ffmpeg.path)}`}
      </Fact>
    </dl>
  );
}
