// Settings section: whether Kit starts when the user signs in, and the file that makes it start.
import { type Autostart, getAutostart, setAutostart } from "@kit/contract";
import { Switch } from "@radix-ui/themes";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useClient } from "../../api/session-context.ts";
import { useSettingsChange } from "../../api/use-settings-change.ts";
import { t, translateMessage } from "../../language/language.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { Fact } from "../../ui/section.tsx";
import { visibleText } from "../../ui/visible-text.ts";
import { SettingsSection } from "./settings-section.tsx";

const key = ["autostart"];

/** Fetches whether Kit starts at sign-in. */
function useAutostart() {
  const client = useClient();
  return useQuery({ queryKey: key, queryFn: () => client.call(getAutostart) });
}

const useAutostartChange = () =>
  useSettingsChange(key, (client, on: boolean) => client.call(setAutostart, { body: { on } }));

/** Returns a command as a person could type it, with quotes around words that contain spaces. */
const commandText = (command: readonly string[]) =>
  command.map((word) => (/\s/u.test(word) ? `"${word}"` : word)).join(" ");

export function AutostartSection() {
  const { data, error } = useAutostart();
  const change = useAutostartChange();
  const id = useId();
  const trouble = change.error ?? (data ? null : error);
  return (
    <SettingsSection name="start">
      <label className="switch-label" htmlFor={id}>
        <Switch
          id={id}
          checked={data?.on ?? false}
          disabled={data === undefined || change.isPending || (!data.can && !data.on)}
          onCheckedChange={(on) => change.mutate(on)}
        />
        {t("Kit starts when you sign in")}
      </label>
      <p className="quiet" role="status">
        {data && visibleText(translateMessage(data.detail))}
      </p>
      <ErrorText error={trouble} />
      {data && (data.on || data.can) && <AutostartFile report={data} />}
    </SettingsSection>
  );
}

function AutostartFile({ report: { on, place, command } }: { report: Autostart }) {
  const line = commandText(command);
  return (
    <dl className="facts">
      {place !== null && (
        <Fact name={on ? t("Autostart file") : t("Autostart file (not written yet)")}>
          <span className="code">{visibleText(place)}</span>
          <CopyButton text={place} label={t("Copy the path")} />
        </Fact>
      )}
      <Fact name={t("Command")}>
        <span className="code">{visibleText(line)}</span>
        <CopyButton text={line} label={t("Copy the command")} />
      </Fact>
    </dl>
  );
}
