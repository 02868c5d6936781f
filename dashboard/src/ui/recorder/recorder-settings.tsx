// How the recorder is set. Every change is kept at once and said to be.
import type { RecorderReport, RecorderSettings } from "@kit/contract";
import { type RecorderSettingsState, useRecorderSettings } from "../../api/use-recorder-settings.ts";
import { t } from "../../language/language.ts";
import { Choice, FieldRow, Typed } from "../fields.tsx";
import { numberIn } from "../number-in.ts";
import { ObsSettings } from "./obs-settings.tsx";
import * as words from "./recorder-words.ts";

const gigabyte = 1_000_000_000;
export function SettingsSection({ report }: { report: RecorderReport }) {
  const keeping = useRecorderSettings();
  return (
    <section className="recorder-part" aria-labelledby="settings-title">
      <div className="recorder-head">
        <h2 id="settings-title">{t("Settings")}</h2>
        <p className="kept" role="status">
          {keeping.kept && t("Saved")}
        </p>
      </div>
      <WhenAndWhat settings={report.settings} keeping={keeping} />
      <Picture settings={report.settings} keeping={keeping} />
      <Room settings={report.settings} keeping={keeping} />
      {report.settings.backend !== "ffmpeg" && <ObsSettings report={report} keeping={keeping} />}
    </section>
  );
}

type Props = { settings: RecorderSettings; keeping: RecorderSettingsState };

function WhenAndWhat({ settings, keeping: { keep, errorOf } }: Props) {
  return (
    <>
      <FieldRow label={t("Records")} error={errorOf("when")}>
        {({ field }) => (
          <Choice id={field} choices={words.whenChoices()} value={settings.when} onChange={(when) => keep({ when })} />
        )}
      </FieldRow>
      <FieldRow label={t("Captured by")} error={errorOf("backend")}>
        {({ field }) => (
          <Choice
            id={field}
            choices={words.backendChoices()}
            value={settings.backend}
            onChange={(backend) => keep({ backend })}
          />
        )}
      </FieldRow>
      <FieldRow
        label={t("Window")}
        hint={t("Part of a window's title: only that window is captured. Empty is the whole screen.")}
        error={errorOf("window")}
      >
        {({ field, hint }) => (
          <Typed
            id={field}
            describedBy={hint}
            value={settings.window ?? ""}
            placeholder={t("The whole screen")}
            onKeep={(typed) => keep({ window: typed.trim() === "" ? null : typed })}
          />
        )}
      </FieldRow>
    </>
  );
}

function Picture({ settings, keeping: { keep, errorOf } }: Props) {
  return (
    <>
      <FieldRow label={t("Frames")} error={errorOf("frameRate")}>
        {({ field }) => (
          <Choice
            id={field}
            choices={words.frameRateChoices()}
            value={settings.frameRate}
            onChange={(frameRate) => keep({ frameRate })}
          />
        )}
      </FieldRow>
      <FieldRow label={t("Height")} hint={t("A smaller picture is never enlarged.")} error={errorOf("height")}>
        {({ field, hint }) => (
          <Choice
            id={field}
            describedBy={hint}
            choices={words.heightChoices()}
            value={settings.height}
            onChange={(height) => keep({ height })}
          />
        )}
      </FieldRow>
      <FieldRow label={t("Quality")} error={errorOf("quality")}>
        {({ field }) => (
          <Choice
            id={field}
            choices={words.qualityChoices()}
            value={settings.quality}
            onChange={(quality) => keep({ quality })}
          />
        )}
      </FieldRow>
      <FieldRow label={t("Sound")} error={errorOf("sound")}>
        {({ field }) => (
          <Choice
            id={field}
            choices={words.soundChoices()}
            value={settings.sound}
            onChange={(sound) => keep({ sound })}
          />
        )}
      </FieldRow>
    </>
  );
}

function Room({ settings, keeping: { keep, refuse, errorOf } }: Props) {
  const keepNumber = (name: "bufferSeconds" | "quotaBytes", typed: string, factor: number) => {
    const value = numberIn(typed);
    if (value === undefined) refuse(name, t("Not kept: a number is needed."));
    else keep({ [name]: Math.round(value * factor) });
  };
  return (
    <>
      <FieldRow
        label={t("Kept in memory")}
        hint={t("20 to 300. No clip can reach further back.")}
        error={errorOf("bufferSeconds")}
      >
        {({ field, hint }) => (
          <span className="with-unit">
            <Typed
              id={field}
              describedBy={hint}
              className="number-field"
              numeric
              value={String(settings.bufferSeconds)}
              onKeep={(typed) => keepNumber("bufferSeconds", typed, 1)}
            />
            {t("seconds")}
          </span>
        )}
      </FieldRow>
      <FieldRow
        label={t("Room for clips")}
        hint={t("Beyond it the clips that matter least go. Pinned ones never do.")}
        error={errorOf("quotaBytes")}
      >
        {({ field, hint }) => (
          <span className="with-unit">
            <Typed
              id={field}
              describedBy={hint}
              className="number-field"
              numeric
              value={String(settings.quotaBytes / gigabyte)}
              onKeep={(typed) => keepNumber("quotaBytes", typed, gigabyte)}
            />
            {t("GB")}
          </span>
        )}
      </FieldRow>
    </>
  );
}
