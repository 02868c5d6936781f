// The Recorder page: what it does now, a test of it, how it is set, and the way to what events make of the screen.
import "../../ui/recorder/recorder.css";
import { type RecordingAction, recordingActions } from "@kit/contract";
import { Badge } from "@radix-ui/themes";
import { useEffect } from "react";
import { useChanges } from "../../api/use-changes.ts";
import { useRecorder } from "../../api/use-recorder.ts";
import { useRules } from "../../api/use-rules.ts";
import { t } from "../../language/language.ts";
import { rulesAddress } from "../../ui/address.ts";
import { SettingsSection } from "../../ui/recorder/recorder-settings.tsx";
import { StorageBanner } from "../../ui/storage-banner.tsx";
import { visibleText } from "../../ui/visible-text.ts";
import { StateSection } from "./state-section.tsx";

/** What events make of the screen, in counts; what is set for each of them has a page of its own. */
function RuleSection() {
  const { data, error } = useRules();
  const rules = data?.rules ?? [];
  return (
    <section className="recorder-part" aria-labelledby="rules-title">
      <div className="recorder-head">
        <h2 id="rules-title">{t("What each event makes of the screen")}</h2>
      </div>
      {error && (
        <p className="details-warning" role="alert">
          {visibleText(error.message)}
        </p>
      )}
      {data && rules.length === 0 && (
        <p>{t("An event id has a rule once a game has sent it. Until a person changes it, an event makes a clip.")}</p>
      )}
      {rules.length > 0 && (
        <ul className="rule-counts" aria-label={t("Events, by what they make")}>
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
          {t("Change what events make")}
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
    return t("{{count, number}} leave a marker", { count, defaultValue_one: "{{count, number}} leaves a marker" });
  return t("{{count, number}} make nothing", { count, defaultValue_one: "{{count, number}} makes nothing" });
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
            <StateSection report={report} />
            <SettingsSection report={report} />
            <RuleSection />
          </>
        )}
      </div>
    </main>
  );
}
