// The recorder's settings. Each change is saved at once.
import type { RecorderReport, RecorderSettings } from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { type FormEvent, useState } from "react";
import { type RecorderSettingsForm, useRecorderSettingsForm } from "../../api/use-recorder.ts";
import { t } from "../../language/language.ts";
import { AutosaveField, AutosaveNumber, FieldRow, Select } from "../fields.tsx";
import { PageSection } from "../section.tsx";
import { useQuotaChange } from "./quota-change.tsx";
import * as words from "./recorder-text.ts";
import { SourceRow } from "./source-dialog.tsx";

type ObsSettingsProps = { report: RecorderReport; settingsForm: RecorderSettingsForm };

/** The address and password of OBS. A saved password is never shown again. */
function ObsSettings({ report, settingsForm: { save, errorFor } }: ObsSettingsProps) {
  const set = report.obsPasswordSet;
  return (
    <>
      <FieldRow
        label={t("OBS address")}
        hint={t("In OBS, choose Tools > WebSocket Server Settings and enable the server.")}
        error={errorFor("obsUrl")}
      >
        {({ field, hint }) => (
          <AutosaveField
            id={field}
            describedBy={hint}
            value={report.settings.obsUrl}
            onSave={(obsUrl) => save({ obsUrl: obsUrl.trim() })}
          />
        )}
      </FieldRow>
      <FieldRow
        label={t("OBS password")}
        hint={
          set ? t("A password is saved. It is never shown.") : t("No password saved. In OBS, choose Show Connect Info.")
        }
        error={errorFor("obsPassword")}
      >
        {({ field, hint }) => (
          <PasswordForm
            key={String(set)}
            id={field}
            describedBy={hint}
            set={set}
            onSave={(obsPassword) => save({ obsPassword })}
          />
        )}
      </FieldRow>
    </>
  );
}

type FormProps = { id: string; describedBy: string; set: boolean; onSave: (password: string | null) => void };

function PasswordForm({ id, describedBy, set, onSave }: FormProps) {
  const [typed, setTyped] = useState("");
  const onSubmit = (submitted: FormEvent) => {
    submitted.preventDefault();
    if (typed === "") return;
    onSave(typed);
    setTyped("");
  };
  return (
    <form className="cluster tight inline-form" onSubmit={onSubmit}>
      <TextField.Root
        id={id}
        aria-describedby={describedBy}
        type="password"
        autoComplete="off"
        maxLength={200}
        placeholder={set ? t("New password") : ""}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" variant="soft" disabled={typed === ""}>
        {t("Save")}
      </Button>
      {set && (
        <Button type="button" variant="soft" color="gray" onClick={() => onSave(null)}>
          {t("Remove")}
        </Button>
      )}
    </form>
  );
}

const gigabyte = 1_000_000_000;

export function RecorderSettingsSection({ report }: { report: RecorderReport }) {
  const settingsForm = useRecorderSettingsForm();
  return (
    <PageSection
      title={t("Settings")}
      end={
        <p className="done small" role="status">
          {settingsForm.isSaved && t("Saved")}
        </p>
      }
    >
      <CaptureRows settings={report.settings} settingsForm={settingsForm} />
      <PictureRows settings={report.settings} settingsForm={settingsForm} />
      <SpaceRows settings={report.settings} settingsForm={settingsForm} />
      {report.settings.backend !== "ffmpeg" && <ObsSettings report={report} settingsForm={settingsForm} />}
    </PageSection>
  );
}

type SelectName = "when" | "backend" | "frameRate" | "height" | "quality" | "sound";
type Props = { settings: RecorderSettings; settingsForm: RecorderSettingsForm };

type SelectRowProps<Name extends SelectName> = Props & {
  name: Name;
  label: string;
  hint?: string;
  choices: readonly { readonly value: RecorderSettings[Name]; readonly says: string }[];
};

function SelectRow<Name extends SelectName>({ name, label, hint = "", choices, ...props }: SelectRowProps<Name>) {
  const { settings, settingsForm } = props;
  return (
    <FieldRow label={label} hint={hint} error={settingsForm.errorFor(name)}>
      {(ids) => (
        <Select
          id={ids.field}
          describedBy={ids.hint}
          choices={choices}
          value={settings[name]}
          onChange={(value) => settingsForm.save({ [name]: value })}
        />
      )}
    </FieldRow>
  );
}

function CaptureRows(props: Props) {
  return (
    <>
      <SelectRow name="when" label={t("When to record")} choices={words.recordingTimeOptions()} {...props} />
      <SelectRow name="backend" label={t("Capture backend")} choices={words.backendOptions()} {...props} />
      <SourceRow {...props} />
    </>
  );
}

function PictureRows(props: Props) {
  return (
    <>
      <SelectRow name="frameRate" label={t("Frame rate")} choices={words.frameRateOptions()} {...props} />
      <SelectRow
        name="height"
        label={t("Height")}
        hint={t("A smaller picture is never upscaled.")}
        choices={words.heightOptions()}
        {...props}
      />
      <SelectRow name="quality" label={t("Quality")} choices={words.qualityOptions()} {...props} />
      <SelectRow
        name="sound"
        label={t("Sound")}
        hint={t(
          "Kit can tell the game's sound from others on Linux. Elsewhere it records the system audio, and says so.",
        )}
        choices={words.soundOptions()}
        {...props}
      />
      <FieldRow
        label={t("Microphone")}
        hint={t(
          "A clip then has a second sound track. Video players play the first; posts leave the microphone out, and exports unless you include it.",
        )}
        error={props.settingsForm.errorFor("microphone")}
      >
        {({ field, hint }) => (
          <Select
            id={field}
            describedBy={hint}
            choices={words.microphoneOptions()}
            value={props.settings.microphone ? "on" : "off"}
            onChange={(chosen) => props.settingsForm.save({ microphone: chosen === "on" })}
          />
        )}
      </FieldRow>
    </>
  );
}

function SpaceRows({ settings, settingsForm }: Props) {
  const { save, reject, errorFor } = settingsForm;
  const quota = useQuotaChange(settingsForm, settings.quotaBytes);
  return (
    <>
      <FieldRow
        label={t("Replay buffer")}
        hint={t("20 to 300 seconds. This is the longest time that a clip can show before its event.")}
        error={errorFor("bufferSeconds")}
      >
        {({ field, hint }) => (
          <AutosaveNumber
            id={field}
            describedBy={hint}
            value={settings.bufferSeconds}
            unit={t("seconds")}
            onSave={(value) => save({ bufferSeconds: Math.round(value) })}
            onReject={(says) => reject("bufferSeconds", says)}
          />
        )}
      </FieldRow>
      <FieldRow
        label={t("Space for clips")}
        hint={t("Above this limit, Kit deletes the least important clips. Pinned clips are never deleted.")}
        error={errorFor("quotaBytes")}
      >
        {({ field, hint }) => (
          <AutosaveNumber
            key={quota.resets}
            id={field}
            describedBy={hint}
            value={settings.quotaBytes / gigabyte}
            unit={t("GB")}
            onSave={(value) => quota.change(Math.round(value * gigabyte))}
            onReject={(says) => reject("quotaBytes", says)}
          />
        )}
      </FieldRow>
      {quota.dialog}
    </>
  );
}
