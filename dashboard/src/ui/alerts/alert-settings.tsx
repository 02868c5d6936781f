// Which notices are told of, and whether the desktop shows them too: each choice is kept the moment it is made.
import { type NoticeSettings, type NoticeSettingsReport, noticeKinds } from "@kit/contract";
import { Button, Checkbox, Switch } from "@radix-ui/themes";
import { useId } from "react";
import { useNoticeSettings, useNoticeSettingsChange, useTestNotice } from "../../api/use-alerts.ts";
import { t, translateMessage } from "../../language/language.ts";
import { visibleText } from "../visible-text.ts";
import { gameWord, kindChoices } from "./alert-words.ts";

type Keep = (change: Partial<NoticeSettings>) => void;
type PartProps = { settings: NoticeSettingsReport; onKeep: Keep };

/** `games` are those the listed notices are of. */
export function NoticeSettingsSection({ games }: { games: readonly string[] }) {
  const { data: settings, error } = useNoticeSettings();
  const change = useNoticeSettingsChange();
  const trouble = error ?? change.error;
  return (
    <details className="notice-settings">
      <summary>{t("Settings")}</summary>
      {settings && (
        <>
          <DesktopSwitch settings={settings} onKeep={change.mutate} />
          <Kinds settings={settings} onKeep={change.mutate} />
          <QuietGames settings={settings} onKeep={change.mutate} games={games} />
        </>
      )}
      {trouble && (
        <p className="notice-trouble" role="alert">
          {trouble.message}
        </p>
      )}
    </details>
  );
}

function DesktopSwitch({ settings: { desktop, trouble }, onKeep }: PartProps) {
  const test = useTestNotice();
  const id = useId();
  const says = test.error?.message ?? translateMessage(test.data?.says ?? trouble ?? "");
  return (
    <div className="notice-desktop">
      <label htmlFor={id}>
        <Switch id={id} size="1" checked={desktop} onCheckedChange={(on) => onKeep({ desktop: on })} />
        {t("On the desktop too")}
      </label>
      <Button size="1" variant="soft" color="gray" disabled={test.isPending} onClick={() => test.mutate()}>
        {t("Show one now")}
      </Button>
      <p className="notice-hint" role="status">
        {says && visibleText(says)}
      </p>
    </div>
  );
}

function Kinds({ settings: { kinds }, onKeep }: PartProps) {
  return (
    <fieldset>
      <legend>{t("Tell of")}</legend>
      {noticeKinds.map((kind) => (
        <Choice
          key={kind}
          says={kindChoices[kind]}
          isChosen={kinds.includes(kind)}
          onChange={(isChosen) => onKeep({ kinds: changed(kinds, kind, isChosen) })}
        />
      ))}
    </fieldset>
  );
}

function QuietGames({ settings: { quietGames }, onKeep, games }: PartProps & { games: readonly string[] }) {
  const all = [...new Set([...quietGames, ...games])].sort((a, b) => a.localeCompare(b));
  if (all.length === 0) return null;
  return (
    <fieldset>
      <legend>{t("Not a word of these games")}</legend>
      {all.map((game) => (
        <Choice
          key={game}
          says={gameWord(game)}
          isChosen={quietGames.includes(game)}
          onChange={(isChosen) => onKeep({ quietGames: changed(quietGames, game, isChosen) })}
        />
      ))}
    </fieldset>
  );
}

type ChoiceProps = { says: string; isChosen: boolean; onChange: (isChosen: boolean) => void };

function Choice({ says, isChosen, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <label htmlFor={id}>
      <Checkbox id={id} size="1" checked={isChosen} onCheckedChange={(checked) => onChange(checked === true)} />
      <span>{says}</span>
    </label>
  );
}

function changed<Value>(values: readonly Value[], value: Value, isIn: boolean): Value[] {
  const others = values.filter((each) => each !== value);
  return isIn ? [...others, value] : others;
}
