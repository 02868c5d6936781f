// The Recorder page: state, test recording, settings, and a summary of the recording rules.
import { type RecorderReport, type RecorderState, type RecordingAction, recordingActions } from "@kit/contract";
import { Badge, Button } from "@radix-ui/themes";
import { useState } from "react";
import { useChanges } from "../../api/changes.ts";
import { useKitCommand } from "../../api/use-launcher.ts";
import {
  useFfmpegInstall,
  useInstallFfmpeg,
  useRecorder,
  useRecordingRules,
  useTestRecording,
} from "../../api/use-recorder.ts";
import { t, translateMessage } from "../../language/language.ts";
import { rulesAddress } from "../../ui/address.ts";
import { testRecordingLabels } from "../../ui/clips/clip-text.ts";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { formatBytes, formatNumber, spokenDuration } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { Page, useTitle } from "../../ui/page.tsx";
import { PlayingSettingsSection } from "../../ui/recorder/playing-settings.tsx";
import { RecorderSettingsSection } from "../../ui/recorder/recorder-settings.tsx";
import { backendNames, ffmpegOrigin, recorderStateLabel } from "../../ui/recorder/recorder-text.ts";
import { SaveLast } from "../../ui/recorder/save-last.tsx";
import { Fact, PageSection } from "../../ui/section.tsx";
import { TestRecordingResult } from "../../ui/test-result.tsx";
import { visibleText } from "../../ui/visible-text.ts";

function RecorderStateSection({ report }: { report: RecorderReport }) {
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
      {report.ffmpeg === null && <FfmpegInstallPart />}
      <TestRecordingResult test={test} />
      <SaveLast />
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
  const doctor = useKitCommand("kit doctor");
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
          ? t("Not found. Run {{command}} to see what to do.", { command: doctor })
          : `${visibleText(ffmpeg.version)}, ${ffmpegOrigin(ffmpeg.from)}: ${visibleText(ffmpeg.path)}`}
      </Fact>
    </dl>
  );
}

/** Shows for each recording action how many event ids have it, with a link to the Rules page. */
function RuleSection() {
  const { data, error } = useRecordingRules();
  const rules = data?.rules ?? [];
  return (
    <PageSection title={t("Recording rules")}>
      <ErrorText error={error} />
      {data && rules.length === 0 && (
        <p>
          {t(
            "Each event id gets a rule when a game first sends it. Unless you change the rule, the event makes a clip.",
          )}
        </p>
      )}
      {rules.length > 0 && (
        <ul className="cluster tight rule-counts" aria-label={t("Number of events for each recording action")}>
          {recordingActions.map((action) => {
            const count = rules.filter((rule) => rule.action === action).length;
            return count === 0 ? null : (
              <li key={action}>
                <Badge color={action === "nothing" ? "gray" : "iris"} variant="soft">
                  {countWord(action, count)}
                </Badge>
              </li>
            );
          })}
        </ul>
      )}
      <p>
        <a href={rulesAddress()}>{t("Change the recording rules")}</a>
      </p>
    </PageSection>
  );
}

function countWord(action: RecordingAction, count: number): string {
  if (action === "clip")
    return t("{{count, number}} make a clip", { count, defaultValue_one: "{{count, number}} makes a clip" });
  if (action === "screenshot")
    return t("{{count, number}} take a screenshot", {
      count,
      defaultValue_one: "{{count, number}} takes a screenshot",
    });
  if (action === "marker")
    return t("{{count, number}} make a marker", { count, defaultValue_one: "{{count, number}} makes a marker" });
  return t("{{count, number}} record nothing", { count, defaultValue_one: "{{count, number}} records nothing" });
}

export function RecorderPage() {
  useChanges();
  const { data: report, error } = useRecorder();
  useTitle(t("Recorder · Kit"));
  return (
    <Page column="medium">
      <h1>{t("Recorder")}</h1>
      <ErrorText error={!report && error} />
      {report && (
        <>
          <RecorderStateSection report={report} />
          <PlayingSettingsSection report={report} />
          <RecorderSettingsSection report={report} />
          <RuleSection />
        </>
      )}
    </Page>
  );
}

function FfmpegInstallPart() {
  const { data, error } = useFfmpegInstall();
  const install = useInstallFfmpeg();
  const [isAsking, setAsking] = useState(false);
  if (data === undefined) return <ErrorText error={error} />;
  const { state, command, offer, says, progress } = data;
  const isRunning = state === "running" || install.isPending;
  return (
    <div className="stack">
      {says !== null && <p role="status">{visibleText(translateMessage(says))}</p>}
      {command === null && <p>{visibleText(translateMessage(offer))}</p>}
      {(isRunning || state === "failed") && progress !== "" && <p className="quiet">{visibleText(progress)}</p>}
      {command !== null && (
        <div>
          <Button variant="soft" disabled={isRunning} onClick={() => setAsking(true)}>
            <Icon name="download" size={14} />
            {isRunning ? t("Installing ffmpeg…") : t("Install ffmpeg…")}
          </Button>
        </div>
      )}
      <ErrorText error={install.error} />
      {isAsking && (
        <ConfirmDialog
          title={t("Install ffmpeg?")}
          confirmLabel={t("Install")}
          color="iris"
          onConfirm={() => install.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{visibleText(translateMessage(offer))}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
