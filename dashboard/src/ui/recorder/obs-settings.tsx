// Where OBS listens, and its password, which is written and never read back.
import type { RecorderReport } from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { type FormEvent, useState } from "react";
import type { RecorderSettingsState } from "../../api/use-recorder-settings.ts";
import { t } from "../../language/language.ts";
import { FieldRow, Typed } from "../fields.tsx";

type Props = { report: RecorderReport; keeping: RecorderSettingsState };

export function ObsSettings({ report, keeping: { keep, errorOf } }: Props) {
  const set = report.obsPasswordSet;
  return (
    <>
      <FieldRow
        label={t("OBS listens on")}
        hint={t("In OBS: Tools, WebSocket Server Settings, Enable WebSocket server.")}
        error={errorOf("obsUrl")}
      >
        {({ field, hint }) => (
          <Typed
            id={field}
            describedBy={hint}
            value={report.settings.obsUrl}
            onKeep={(obsUrl) => keep({ obsUrl: obsUrl.trim() })}
          />
        )}
      </FieldRow>
      <FieldRow
        label={t("OBS password")}
        hint={
          set
            ? t("A password is kept. It is shown to nobody.")
            : t("None is kept yet. OBS shows it under Show Connect Info.")
        }
        error={errorOf("obsPassword")}
      >
        {({ field, hint }) => (
          <PasswordForm
            key={String(set)}
            id={field}
            describedBy={hint}
            set={set}
            onKeep={(obsPassword) => keep({ obsPassword })}
          />
        )}
      </FieldRow>
    </>
  );
}

type FormProps = { id: string; describedBy: string; set: boolean; onKeep: (password: string | null) => void };

function PasswordForm({ id, describedBy, set, onKeep }: FormProps) {
  const [typed, setTyped] = useState("");
  const onSubmit = (submitted: FormEvent) => {
    submitted.preventDefault();
    if (typed === "") return;
    onKeep(typed);
    setTyped("");
  };
  return (
    <form className="password-form" onSubmit={onSubmit}>
      <TextField.Root
        id={id}
        aria-describedby={describedBy}
        type="password"
        autoComplete="off"
        maxLength={200}
        placeholder={set ? t("Another password") : ""}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" variant="soft" disabled={typed === ""}>
        {t("Keep")}
      </Button>
      {set && (
        <Button type="button" variant="soft" color="gray" onClick={() => onKeep(null)}>
          {t("Forget it")}
        </Button>
      )}
    </form>
  );
}
