// The row that says what is recorded, and the dialog that chooses it: the game's window, a monitor or another window, by picture.
import "./source-dialog.css";
import type { RecorderSettings, RecorderSource } from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { type ReactNode, useId, useState } from "react";
import { type RecorderSettingsForm, useRecorderSources } from "../../api/use-recorder.ts";
import { t, translateMessage } from "../../language/language.ts";
import { Dialog } from "../dialog.tsx";
import { ErrorText } from "../error-text.tsx";
import { FieldRow } from "../fields.tsx";
import { Icon } from "../icon.tsx";
import { visibleLine, visibleText } from "../visible-text.ts";
import { sourceText } from "./recorder-text.ts";

type Chosen = Pick<RecorderSettings, "picture" | "window" | "monitor">;
type RowProps = { settings: RecorderSettings; settingsForm: RecorderSettingsForm };

export function SourceRow({ settings, settingsForm: { save, errorFor } }: RowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { picture, window, monitor } = settings;
  return (
    <FieldRow
      label={t("What to record")}
      hint={t("Other windows are not in the picture, even if they cover the window that Kit records.")}
      error={errorFor("picture") ?? errorFor("window") ?? errorFor("monitor")}
    >
      {({ field, hint }) => (
        <span className="cluster tight">
          <span>{visibleLine(sourceText(settings))}</span>
          <Button id={field} aria-describedby={hint} variant="soft" onClick={() => setIsOpen(true)}>
            {t("Choose…")}
          </Button>
          {isOpen && (
            <SourceDialog
              chosen={{ picture, window, monitor }}
              onChoose={(change) => {
                save(change);
                setIsOpen(false);
              }}
              onClose={() => setIsOpen(false)}
            />
          )}
        </span>
      )}
    </FieldRow>
  );
}

type DialogProps = { chosen: Chosen; onChoose: (change: Chosen) => void; onClose: () => void };

const settingOf = ({ kind, name }: RecorderSource): Chosen =>
  kind === "monitor"
    ? { picture: "screen", monitor: name, window: null }
    : { picture: "window", window: name, monitor: null };

function isSame(a: Chosen, b: Chosen): boolean {
  if (a.picture !== b.picture || a.picture === "game") return a.picture === b.picture;
  return a.picture === "window" ? a.window === b.window : a.monitor === b.monitor;
}

function SourceDialog({ chosen, onChoose, onClose }: DialogProps) {
  const title = useId();
  const { data, error } = useRecorderSources();
  const [wanted, setWanted] = useState(chosen);
  const sources = data?.sources ?? [];
  const choice = (setting: Chosen, content: ReactNode) => (
    <SourceChoice isChosen={isSame(wanted, setting)} onChoose={() => setWanted(setting)}>
      {content}
    </SourceChoice>
  );
  const named = (kind: RecorderSource["kind"]) => sources.filter((source) => source.kind === kind);
  const needsTitle = wanted.picture === "window" && (wanted.window ?? "").trim() === "";
  return (
    <Dialog className="panel roomy source-dialog" labelledBy={title} onClose={onClose}>
      <h2 id={title}>{t("What to record")}</h2>
      <fieldset className="source-choices" aria-labelledby={title}>
        {choice(
          { picture: "game", window: null, monitor: null },
          <SourceWords
            name={t("The game's window")}
            more={t("Records the running game's window, or the whole screen if Kit finds no window.")}
          />,
        )}
        {choice(
          { picture: "screen", window: null, monitor: null },
          <SourceWords name={t("The whole screen")} more={t("The primary monitor")} />,
        )}
        {[...named("monitor"), ...named("window")].map((source) => (
          <SourceChoice
            key={`${source.kind} ${source.name}`}
            isChosen={isSame(wanted, settingOf(source))}
            onChoose={() => setWanted(settingOf(source))}
          >
            <SourcePicture source={source} />
            <SourceWords
              name={visibleLine(source.kind === "monitor" ? t("Monitor {{name}}", { name: source.name }) : source.name)}
              more={t("{{width}} × {{height}}", { width: source.width, height: source.height })}
            />
          </SourceChoice>
        ))}
      </fieldset>
      <p className="quiet small" role="status">
        {!data && !error && t("Kit is looking at the monitors and windows…")}
        {data?.why && visibleText(translateMessage(data.why))}
      </p>
      <ErrorText error={!data && error} />
      <FieldRow
        label={t("Or enter part of a window title")}
        hint={t("Kit then records only a window whose title contains this text, whichever game runs.")}
      >
        {({ field, hint }) => (
          <TextField.Root
            id={field}
            aria-describedby={hint}
            maxLength={200}
            value={wanted.picture === "window" ? (wanted.window ?? "") : ""}
            onChange={({ target }) => setWanted({ picture: "window", window: target.value, monitor: null })}
          />
        )}
      </FieldRow>
      <div className="panel-end">
        <Button variant="soft" color="gray" onClick={onClose}>
          {t("Cancel")}
        </Button>
        <Button disabled={needsTitle} onClick={() => onChoose(wanted)}>
          {t("Record this")}
        </Button>
      </div>
    </Dialog>
  );
}

type ChoiceProps = { isChosen: boolean; onChoose: () => void; children: ReactNode };

export function SourceChoice({ isChosen, onChoose, children }: ChoiceProps) {
  return (
    <label className="choice source-choice">
      <input type="radio" name="source" checked={isChosen} onChange={onChoose} />
      {children}
    </label>
  );
}

export function SourcePicture({ source: { kind, picture } }: { source: RecorderSource }) {
  if (picture !== null) return <img className="source-picture" src={picture} alt="" />;
  return (
    <span className="source-picture">
      <Icon name={kind === "monitor" ? "record" : "film"} size={28} />
    </span>
  );
}

function SourceWords({ name, more }: { name: string; more: string }) {
  return (
    <span className="source-words">
      <span>{name}</span>
      <span className="quiet small">{more}</span>
    </span>
  );
}
