// The address and password of OBS. A saved password is never shown again.
import type { RecorderReport } from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { type FormEvent, useState } from "react";
import type { RecorderSettingsForm } from "../../api/use-recorder-settings.ts";
import { t } from "../../language/language.ts";
import { AutosaveField, FieldRow } from "../fields.tsx";

type Props = { report: RecorderReport; settingsForm: RecorderSettingsForm };

export function ObsSettings({ report, settingsForm: { save, errorFor } }: Props) {
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
