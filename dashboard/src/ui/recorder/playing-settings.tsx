// Settings of what happens while a person plays: hotkeys, and the notification of a saved clip.
import type { RecorderReport } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type KeyboardEvent, useState } from "react";
import { type RecorderSettingsForm, useRecorderSettingsForm } from "../../api/use-recorder.ts";
import { t, translateMessage } from "../../language/language.ts";
import { FieldRow, Select } from "../fields.tsx";
import { PageSection } from "../section.tsx";
import { visibleText } from "../visible-text.ts";
import { hotkeyName, hotkeyOf } from "./pressed-keys.ts";
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
        report={report}
        settingsForm={settingsForm}
      />
      <HotkeyRow name="markHotkey" label={t("Hotkey to set a marker")} report={report} settingsForm={settingsForm} />
      <NoticeRow report={report} settingsForm={settingsForm} />
      <TrayRow report={report} settingsForm={settingsForm} />
    </PageSection>
  );
}

type HotkeyProps = Props & { name: "saveHotkey" | "markHotkey"; label: string };
/** Whether the next keys are the hotkey, and whether those that came were none. */
type Pressing = "not" | "waits" | "wrong";

function HotkeyRow({ name, label, report, settingsForm: { save, errorFor } }: HotkeyProps) {
  const [pressing, setPressing] = useState<Pressing>("not");
  const trouble = report.trouble[name];
  const hotkey = report.settings[name];
  const press = (event: KeyboardEvent) => {
    // Tab leaves the button as always.
    if (pressing === "not" || event.key === "Tab" || event.repeat) return;
    event.preventDefault();
    if (event.key === "Escape") return setPressing("not");
    const pressed = hotkeyOf(event.nativeEvent);
    if (pressed === "held") return;
    setPressing(pressed === undefined ? "wrong" : "not");
    if (pressed !== undefined) save({ [name]: pressed });
  };
  return (
    <FieldRow
      label={label}
      hint={t("It works in every window. No other program gets this key.")}
      error={errorFor(name) ?? (trouble === null ? undefined : visibleText(translateMessage(trouble)))}
    >
      {({ field, hint }) => (
        <>
          <span className="cluster tight">
            {hotkey === null ? t("None") : <kbd>{hotkeyName(hotkey, navigator.platform)}</kbd>}
            <Button
              id={field}
              variant={pressing === "not" ? "soft" : "solid"}
              aria-describedby={hint}
              onClick={() => setPressing("waits")}
              onKeyDown={press}
              onBlur={() => setPressing("not")}
            >
              {t("Press keys")}
            </Button>
            {hotkey !== null && (
              <Button
                variant="soft"
                color="gray"
                aria-label={t("Remove: {{name}}", { name: label })}
                onClick={() => save({ [name]: null })}
              >
                {t("Remove")}
              </Button>
            )}
          </span>
          <span className="small" role="status">
            {pressing === "waits" && t("Press the keys now. Escape cancels.")}
            {pressing === "wrong" &&
              t(
                "Kit cannot take this key. Press a function key, or a letter or digit with Ctrl, Alt or {{key}}. Escape cancels.",
                { key: hotkeyName("Super", navigator.platform) },
              )}
            {pressing !== "not" && <> {t("If nothing happens, the OS or another program has this combination.")}</>}
          </span>
        </>
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
