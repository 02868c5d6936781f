// Settings of what happens while a person plays: hotkeys, and the notification of a saved clip.
import type { RecorderReport } from "@kit/contract";
import { type RecorderSettingsForm, useRecorderSettingsForm } from "../../api/use-recorder.ts";
import { t, translateMessage } from "../../language/language.ts";
import { AutosaveField, FieldRow, Select } from "../fields.tsx";
import { PageSection } from "../section.tsx";
import { visibleText } from "../visible-text.ts";
import { clipNoticeOptions, trayIconOptions } from "./recorder-text.ts";

type Props = { report: RecorderReport; settingsForm: RecorderSettingsForm };

export function PlayingSettingsSection({ report }: { report: RecorderReport }) {
  const settingsForm = useRecorderSettingsForm();
  return (
    <PageSection
      title={t("While you play")}
      end={
        <p className="done small" role="status">
          {settingsForm.isSaved && t("Saved")}
        </p>
      }
    >
      <HotkeyRow
        name="saveHotkey"
        label={t("Hotkey to save the last 30 seconds")}
        example="Ctrl+Alt+S"
        report={report}
        settingsForm={settingsForm}
      />
      <HotkeyRow
        name="markHotkey"
        label={t("Hotkey to set a marker")}
        example="Ctrl+Alt+M"
        report={report}
        settingsForm={settingsForm}
      />
      <NoticeRow report={report} settingsForm={settingsForm} />
      <TrayRow report={report} settingsForm={settingsForm} />
    </PageSection>
  );
}

type HotkeyProps = Props & { name: "saveHotkey" | "markHotkey"; label: string; example: string };

function HotkeyRow({ name, label, example, report, settingsForm: { save, errorFor } }: HotkeyProps) {
  const trouble = report.trouble[name];
  return (
    <FieldRow
      label={label}
      hint={t("It works in every window. No other program gets this key. Leave it empty for none.")}
      error={errorFor(name) ?? (trouble === null ? undefined : visibleText(translateMessage(trouble)))}
    >
      {({ field, hint }) => (
        <AutosaveField
          id={field}
          describedBy={hint}
          value={report.settings[name] ?? ""}
          placeholder={t("None, e.g. {{example}}", { example })}
          onSave={(typed) => save({ [name]: typed.trim() === "" ? null : typed.trim() })}
        />
      )}
    </FieldRow>
  );
}

function TrayRow({ report, settingsForm: { save, errorFor } }: Props) {
  const trouble = report.trouble.trayIcon;
  return (
    <FieldRow
      label={t("Icon in the tray of the desktop")}
      hint={trouble === null ? t("A click on it opens this dashboard.") : visibleText(translateMessage(trouble))}
      error={errorFor("trayIcon")}
    >
      {({ field, hint }) => (
        <Select
          id={field}
          describedBy={hint}
          choices={trayIconOptions()}
          value={report.settings.trayIcon ? "on" : "off"}
          onChange={(chosen) => save({ trayIcon: chosen === "on" })}
        />
      )}
    </FieldRow>
  );
}

function NoticeRow({ report, settingsForm: { save, errorFor } }: Props) {
  const trouble = report.trouble.clipNotice;
  return (
    <FieldRow
      label={t("Tell me that a clip was saved")}
      hint={
        trouble === null
          ? t("The desktop shows a silent notification, at most one every ten seconds.")
          : visibleText(translateMessage(trouble))
      }
      error={errorFor("clipNotice")}
    >
      {({ field, hint }) => (
        <Select
          id={field}
          describedBy={hint}
          choices={clipNoticeOptions()}
          value={report.settings.clipNotice}
          onChange={(clipNotice) => save({ clipNotice })}
        />
      )}
    </FieldRow>
  );
}
