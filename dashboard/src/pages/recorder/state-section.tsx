// What the recorder does now, in words and figures; and a test of it.
import type { RecorderReport, RecorderState } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useTestRecording } from "../../api/use-recorder.ts";
import { t, translateMessage } from "../../language/language.ts";
import { testWords } from "../../ui/clips/clip-words.ts";
import { Icon } from "../../ui/icon.tsx";
import { sizeOf, spokenLengthOf } from "../../ui/measures.ts";
import { backendWords, ffmpegFromWord, formatNumber, recorderWord } from "../../ui/recorder/recorder-words.ts";
import { TestResult } from "../../ui/recorder/test-recording.tsx";
import { Fact } from "../../ui/section.tsx";
import { visibleText } from "../../ui/visible-text.ts";

export function StateSection({ report }: { report: RecorderReport }) {
  const { state } = report;
  const test = useTestRecording();
  return (
    <section className="recorder-state" data-state={state.state} aria-labelledby="recorder-says">
      <div className="recorder-head">
        <h2 id="recorder-says">
          <span className="recorder-dot" aria-hidden="true" />
          {recorderWord(state).title}
        </h2>
        <Button variant="soft" disabled={test.isPending} onClick={() => test.mutate()}>
          <Icon name="record" size={14} />
          {test.isPending ? testWords.busy : testWords.ask}
        </Button>
      </div>
      <p className="recorder-detail" role="status">
        {visibleText(translateMessage(state.detail))}
      </p>
      {state.degraded !== null && (
        <p className="recorder-degraded">
          <Icon name="warning" size={14} />
          <span>
            {t("Stepped down, because this machine could not keep up: {{what}}", {
              what: visibleText(translateMessage(state.degraded)),
            })}
          </span>
        </p>
      )}
      <TestResult test={test} />
      <Figures report={report} />
    </section>
  );
}

const lossOf = ({ restarts, lostSeconds }: RecorderState): string =>
  restarts === 0
    ? t("None since Kit started")
    : t("{{count, number}} restarts, {{length}} without footage", {
        count: restarts,
        length: spokenLengthOf(lostSeconds),
        defaultValue_one: "{{count, number}} restart, {{length}} without footage",
      });

function Figures({ report: { state, ffmpeg } }: { report: RecorderReport }) {
  const runs = state.backend !== null && (state.state === "recording" || state.state === "starting");
  return (
    <dl className="facts">
      {runs && state.source !== null && <Fact name={t("Captures")}>{visibleText(state.source)}</Fact>}
      {runs && state.backend !== null && (
        <Fact name={t("By")}>
          {backendWords[state.backend]}
          {state.encoder !== null && `, ${visibleText(state.encoder)}`}
        </Fact>
      )}
      {runs && state.width > 0 && (
        <Fact name={t("Picture")}>
          {t("{{width}} × {{height}}, {{frames}} frames a second", {
            width: state.width,
            height: state.height,
            frames: formatNumber(Math.round(state.frameRate * 10) / 10),
          })}
        </Fact>
      )}
      {runs && (
        <Fact name={t("In memory")}>
          {spokenLengthOf(state.heldSeconds)}, {sizeOf(state.heldBytes)}
        </Fact>
      )}
      <Fact name={t("Interruptions")}>{lossOf(state)}</Fact>
      <Fact name="ffmpeg">
        {ffmpeg === null
          ? t("None was found. npx kit doctor says what to do.")
          : `${visibleText(ffmpeg.version)}, ${ffmpegFromWord(ffmpeg.from)}: ${visibleText(ffmpeg.path)}`}
      </Fact>
    </dl>
  );
}
