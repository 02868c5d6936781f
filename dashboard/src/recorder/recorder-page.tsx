// The Recorder page: what it does now, a test of it, how it is set, and the way to what events make of the screen.
import { useEffect } from "react";
import { t } from "../language/language.ts";
import { useChanges } from "../live/use-changes.ts";
import { StorageBanner } from "../storage/storage-banner.tsx";
import { RuleSection } from "./rules-section.tsx";
import { SettingsSection } from "./settings-section.tsx";
import { StateSection } from "./state-section.tsx";
import { useRecorder } from "./use-recorder.ts";
import "./recorder.css";

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
