// What the recorder does now, in words and figures; and a test of it.
import type { RecorderReport, RecorderState } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { sizeOf, spokenLengthOf } from "../clips/measures.ts";
import { testWords } from "../clips/words.ts";
import { Icon } from "../frame/icon.tsx";
import { Fact } from "../live/section.tsx";
import { visibleText } from "../live/visible-text.ts";
import { TestResult } from "./test-recording.tsx";
import { useTestRecording } from "./use-recorder.ts";
import { backendWords, ffmpegFromWords, recorderWord } from "./words.ts";

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
        {visibleText(state.detail)}
      </p>
      {state.degraded !== null && (
        <p className="recorder-degraded">
          <Icon name="warning" size={14} />
          <span>Stepped down, because this machine could not keep up: {visibleText(state.degraded)}</span>
        </p>
      )}
      <TestResult test={test} />
      <Figures report={report} />
    </section>
  );
}

const lossOf = ({ restarts, lostSeconds }: RecorderState): string =>
  restarts === 0
    ? "None since Kit started"
    : `${restarts} ${restarts === 1 ? "restart" : "restarts"}, ${spokenLengthOf(lostSeconds)} without footage`;

function Figures({ report: { state, ffmpeg } }: { report: RecorderReport }) {
  const runs = state.backend !== null && (state.state === "recording" || state.state === "starting");
  return (
    <dl className="facts">
      {runs && state.source !== null && <Fact name="Captures">{visibleText(state.source)}</Fact>}
      {runs && state.backend !== null && (
        <Fact name="By">
          {backendWords[state.backend]}
          {state.encoder !== null && `, ${visibleText(state.encoder)}`}
        </Fact>
      )}
      {runs && state.width > 0 && (
        <Fact name="Picture">
          {state.width} × {state.height}, {Math.round(state.frameRate * 10) / 10} frames a second
        </Fact>
      )}
      {runs && (
        <Fact name="In memory">
          {spokenLengthOf(state.heldSeconds)}, {sizeOf(state.heldBytes)}
        </Fact>
      )}
      <Fact name="Interruptions">{lossOf(state)}</Fact>
      <Fact name="ffmpeg">
        {ffmpeg === null
          ? "None was found. npx kit doctor says what to do."
          : `${visibleText(ffmpeg.version)}, ${ffmpegFromWords[ffmpeg.from]}: ${visibleText(ffmpeg.path)}`}
      </Fact>
    </dl>
  );
}
