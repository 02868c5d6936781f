// The recorder's settings. Each change is saved at once.
import type { RecorderReport, RecorderSettings } from "@kit/contract";
import { type RecorderSettingsForm, useRecorderSettingsForm } from "../../api/use-recorder-settings.ts";
import { t } from "../../language/language.ts";
import { AutosaveField, FieldRow, Select } from "../fields.tsx";
import { parseNumber } from "../parse-number.ts";
import { ObsSettings } from "./obs-settings.tsx";
import * as words from "./recorder-text.ts";

const gigabyte = 1_000_000_000;
export function RecorderSettingsSection({ report }: { report: RecorderReport }) {
  const settingsForm = useRecorderSettingsForm();
  return (
    <section className="recorder-part" aria-labelledby="settings-title">
      <div className="recorder-head">
        <h2 id="settings-title">{t("Settings")}</h2>
        <p className="kept" role="status">
          {settingsForm.isSaved && t("Saved")}
        </p>
      </div>
      <WhenAndWhat settings={report.settings} settingsForm={settingsForm} />
      <Picture settings={report.settings} settingsForm={settingsForm} />
      <Room settings={report.settings} settingsForm={settingsForm} />
      {report.settings.backend !== "ffmpeg" && <ObsSettings report={report} settingsForm={settingsForm} />}
    </section>
  );
}

type Props = { settings: RecorderSettings; settingsForm: RecorderSettingsForm };

function WhenAndWhat({ settings, settingsForm: { save, errorFor } }: Props) {
  return (
    <>
      <FieldRow label={t("When to record")} error={errorFor("when")}>
        {({ field }) => (
          <Select
            id={field}
            choices={words.recordingTimeOptions()}
            value={settings.when}
            onChange={(when) => save({ when })}
          />
        )}
      </FieldRow>
      <FieldRow label={t("Capture backend")} error={errorFor("backend")}>
        {({ field }) => (
          <Select
            id={field}
            choices={words.backendOptions()}
            value={settings.backend}
            onChange={(backend) => save({ backend })}
          />
        )}
      </FieldRow>
      <FieldRow
        label={t("Window")}
        hint={t(
          "Kit captures only the window whose title contains this text. Leave it empty to capture the whole screen.",
        )}
        error={errorFor("window")}
      >
        {({ field, hint }) => (
          <AutosaveField
            id={field}
            describedBy={hint}
            value={settings.window ?? ""}
            placeholder={t("The whole screen")}
            onSave={(typed) => save({ window: typed.trim() === "" ? null : typed })}
          />
        )}
      </FieldRow>
    </>
  );
}

function Picture({ settings, settingsForm: { save, errorFor } }: Props) {
  return (
    <>
      <FieldRow label={t("Frame rate")} error={errorFor("frameRate")}>
        {({ field }) => (
          <Select
            id={field}
            choices={words.frameRateOptions()}
            value={settings.frameRate}
            onChange={(frameRate) => save({ frameRate })}
          />
        )}
      </FieldRow>
      <FieldRow label={t("Height")} hint={t("A smaller picture is never upscaled.")} error={errorFor("height")}>
        {({ field, hint }) => (
          <Select
            id={field}
            describedBy={hint}
            choices={words.heightOptions()}
            value={settings.height}
            onChange={(height) => save({ height })}
          />
        )}
      </FieldRow>
      <FieldRow label={t("Quality")} error={errorFor("quality")}>
        {({ field }) => (
          <Select
            id={field}
            choices={words.qualityOptions()}
            value={settings.quality}
            onChange={(quality) => save({ quality })}
          />
        )}
      </FieldRow>
      <FieldRow label={t("Sound")} error={errorFor("sound")}>
        {({ field }) => (
          <Select
            id={field}
            choices={words.soundOptions()}
            value={settings.sound}
            onChange={(sound) => save({ sound })}
          />
        )}
      </FieldRow>
    </>
  );
}

function Room({ settings, settingsForm: { save, reject, errorFor } }: Props) {
  const saveNumber = (name: "bufferSeconds" | "quotaBytes", typed: string, factor: number) => {
    const value = parseNumber(typed);
    if (value === undefined) reject(name, t("Not saved: enter a number."));
    else save({ [name]: Math.round(value * factor) });
  };
  return (
    <>
      <FieldRow
        label={t("Replay buffer")}
        hint={t("20 to 300 seconds. A clip cannot start earlier than this.")}
        error={errorFor("bufferSeconds")}
      >
        {({ field, hint }) => (
          <span className="with-unit">
            <AutosaveField
              id={field}
              describedBy={hint}
              className="number-field"
              numeric
              value={String(settings.bufferSeconds)}
              onSave={(typed) => saveNumber("bufferSeconds", typed, 1)}
            />
            {t("seconds")}
          </span>
        )}
      </FieldRow>
      <FieldRow
        label={t("Space for clips")}
        hint={t("Above this limit, Kit deletes the least important clips. Pinned clips are never deleted.")}
        error={errorFor("quotaBytes")}
      >
        {({ field, hint }) => (
          <span className="with-unit">
            <AutosaveField
              id={field}
              describedBy={hint}
              className="number-field"
              numeric
              value={String(settings.quotaBytes / gigabyte)}
              onSave={(typed) => saveNumber("quotaBytes", typed, gigabyte)}
            />
            {t("GB")}
          </span>
        )}
      </FieldRow>
    </>
  );
}
