// Settings of alerts: kinds, silenced games and desktop notifications. Each change is saved at once.
import { type NoticeSettings, type NoticeSettingsReport, noticeKinds } from "@kit/contract";
import { Button, Checkbox, Switch } from "@radix-ui/themes";
import { useId } from "react";
import { t, translateMessage } from "../../language/language.ts";
import { ErrorText } from "../error-text.tsx";
import { gameName } from "../names.ts";
import { visibleText } from "../visible-text.ts";
import { alertKindLabels, useAlertSettings, useAlertSettingsChange, useTestAlert } from "./alerts.ts";

type SaveSettings = (change: Partial<NoticeSettings>) => void;
type SettingsProps = { settings: NoticeSettingsReport; onSave: SaveSettings };

/** `games`: the games that a person can silence. */
export function AlertSettings({ games }: { games: readonly string[] }) {
  const { data: settings, error } = useAlertSettings();
  const change = useAlertSettingsChange();
  const trouble = error ?? change.error;
  return (
    <details className="notice-settings">
      <summary>{t("Settings")}</summary>
      {settings && (
        <>
          <DesktopSwitch settings={settings} onSave={change.mutate} />
          <AlertKinds settings={settings} onSave={change.mutate} />
          <QuietGames settings={settings} onSave={change.mutate} games={games} />
        </>
      )}
      <ErrorText error={trouble} />
    </details>
  );
}

function DesktopSwitch({ settings: { desktop, trouble }, onSave }: SettingsProps) {
  const test = useTestAlert();
  const id = useId();
  const says = test.error?.message ?? translateMessage(test.data?.says ?? trouble ?? "");
  return (
    <div className="cluster spread">
      <label className="switch-label" htmlFor={id}>
        <Switch id={id} size="1" checked={desktop} onCheckedChange={(on) => onSave({ desktop: on })} />
        {t("Also as desktop notifications")}
      </label>
      <Button size="1" variant="soft" color="gray" disabled={test.isPending} onClick={() => test.mutate()}>
        {t("Show a test notification")}
      </Button>
      <p className="small quiet" role="status">
        {says && visibleText(says)}
      </p>
    </div>
  );
}

function AlertKinds({ settings: { kinds }, onSave }: SettingsProps) {
  return (
    <fieldset className="stack tight">
      <legend className="small quiet">{t("Alert me about")}</legend>
      {noticeKinds.map((kind) => (
        <Choice
          key={kind}
          says={alertKindLabels[kind]}
          isChosen={kinds.includes(kind)}
          onChange={(isChosen) => onSave({ kinds: withValue(kinds, kind, isChosen) })}
        />
      ))}
    </fieldset>
  );
}

function QuietGames({ settings: { quietGames }, onSave, games }: SettingsProps & { games: readonly string[] }) {
  const all = [...new Set([...quietGames, ...games])].sort((a, b) => a.localeCompare(b));
  if (all.length === 0) return null;
  return (
    <fieldset className="stack tight">
      <legend className="small quiet">{t("No alerts for these games")}</legend>
      {all.map((game) => (
        <Choice
          key={game}
          says={gameName(game)}
          isChosen={quietGames.includes(game)}
          onChange={(isChosen) => onSave({ quietGames: withValue(quietGames, game, isChosen) })}
        />
      ))}
    </fieldset>
  );
}

type ChoiceProps = { says: string; isChosen: boolean; onChange: (isChosen: boolean) => void };

function Choice({ says, isChosen, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <label className="switch-label" htmlFor={id}>
      <Checkbox id={id} size="1" checked={isChosen} onCheckedChange={(checked) => onChange(checked === true)} />
      <span>{says}</span>
    </label>
  );
}

function withValue<Value>(values: readonly Value[], value: Value, isIn: boolean): Value[] {
  const others = values.filter((each) => each !== value);
  return isIn ? [...others, value] : others;
}
