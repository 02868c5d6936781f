// The Recorder page: state, test recording, settings, and a summary of the recording rules.
import "../../ui/recorder/recorder.css";
import { type RecordingAction, recordingActions } from "@kit/contract";
import { Badge } from "@radix-ui/themes";
import { useEffect } from "react";
import { useChanges } from "../../api/use-changes.ts";
import { useRecorder } from "../../api/use-recorder.ts";
import { useRecordingRules } from "../../api/use-rules.ts";
import { t } from "../../language/language.ts";
import { rulesAddress } from "../../ui/address.ts";
import { RecorderSettingsSection } from "../../ui/recorder/recorder-settings.tsx";
import { StorageBanner } from "../../ui/storage-banner.tsx";
import { visibleText } from "../../ui/visible-text.ts";
import { RecorderStateSection } from "./state-section.tsx";

/** Number of event ids for each recording action, with a link to the Rules page. */
function RuleSection() {
  const { data, error } = useRecordingRules();
  const rules = data?.rules ?? [];
  return (
    <section className="recorder-part" aria-labelledby="rules-title">
      <div className="recorder-head">
        <h2 id="rules-title">{t("Recording rules")}</h2>
      </div>
      {error && (
        <p className="details-warning" role="alert">
          {visibleText(error.message)}
        </p>
      )}
      {data && rules.length === 0 && (
        <p>
          {t(
            "Each event id gets a rule when a game first sends it. Unless you change the rule, the event makes a clip.",
          )}
        </p>
      )}
      {rules.length > 0 && (
        <ul className="rule-counts" aria-label={t("Number of events for each recording action")}>
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
        <a className="rules-link" href={rulesAddress()}>
          {t("Change the recording rules")}
        </a>
      </p>
    </section>
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
  useEffect(() => {
    document.title = t("Recorder · Kit");
  }, []);
  return (
    <main className="recorder">
      <StorageBanner />
      <div className="recorder-page">
        <h1>{t("Recorder")}</h1>
        {error && !report && (
          <p className="details-warning" role="alert">
            {error.message}
          </p>
        )}
        {report && (
          <>
            <RecorderStateSection report={report} />
            <RecorderSettingsSection report={report} />
            <RuleSection />
          </>
        )}
      </div>
    </main>
  );
}
