// The Recorder page: state, test recording, settings, and a summary of the recording rules.
import { type RecordingAction, recordingActions } from "@kit/contract";
import { Badge } from "@radix-ui/themes";
import { useChanges } from "../../api/use-changes.ts";
import { useRecorder } from "../../api/use-recorder.ts";
import { useRecordingRules } from "../../api/use-rules.ts";
import { t } from "../../language/language.ts";
import { rulesAddress } from "../../ui/address.ts";
import { ErrorText } from "../../ui/error-text.tsx";
import { Page, useTitle } from "../../ui/page.tsx";
import { RecorderSettingsSection } from "../../ui/recorder/recorder-settings.tsx";
import { PageSection } from "../../ui/section.tsx";
import { RecorderStateSection } from "./state-section.tsx";

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
          <RecorderSettingsSection report={report} />
          <RuleSection />
        </>
      )}
    </Page>
  );
}
