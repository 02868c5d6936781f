// The settings of one game: name, command, cover and switches.
import { formatCommand, type GameCommand, KitError, type LibraryGame } from "@kit/contract";
import { Button, IconButton, Switch, TextArea, TextField } from "@radix-ui/themes";
import { type FormEvent, type ReactNode, useId, useRef, useState } from "react";
import { Trans, t } from "../../language/language.ts";
import { rulesAddress, storageAddress } from "../../ui/address.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Fact } from "../../ui/section.tsx";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { parseCommand, programFolder, toCommandFields } from "./command-form.ts";
import { CoverSection } from "./cover.tsx";
import { libraryGameName, switchLabel } from "./game-text.ts";
import type { LibraryCommands } from "./use-library-commands.ts";

/** Shows exactly what Play starts: the command with its arguments in quotes, and the working folder. */
export function CommandView({ command }: { command: GameCommand }) {
  return (
    <dl className="facts small command-shown">
      <Fact name={t("Command")}>
        <code>{visibleText(formatCommand(command))}</code>
      </Fact>
      <Fact name={t("Folder")}>
        <code>{visibleText(command.folder)}</code>
      </Fact>
    </dl>
  );
}

type Props = {
  game: LibraryGame;
  commands: LibraryCommands;
  onClose: () => void;
  /** The toast that confirms the commands given in this dialog. */
  children: ReactNode;
};

const kinds = ["recording", "monitor", "social"] as const;

export function GameDialog({ game, commands, onClose, children }: Props) {
  const title = useId();
  const [trouble, setTrouble] = useState<Error>();
  const showError = (done: Promise<void>) => {
    setTrouble(undefined);
    return done.catch((error: Error) => setTrouble(error));
  };
  return (
    <Dialog className="panel roomy" labelledBy={title} onClose={onClose}>
      <header className="spread">
        <h2 id={title}>
          <bdi>{libraryGameName(game)}</bdi>
        </h2>
        <IconButton variant="ghost" color="gray" aria-label={t("Close")} title={t("Close (Esc)")} onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </header>
      <ErrorText error={trouble} />
      <CoverSection game={game} onCover={(cover) => showError(commands.cover(game, cover))} onTrouble={setTrouble} />
      <CommandForm game={game} commands={commands} onSaved={onClose} />
      <section className="stack tight" aria-label={t("What Kit does with its events")}>
        {kinds.map((kind) => (
          <SwitchLine
            key={kind}
            says={switchLabel(kind)}
            on={game.switches[kind]}
            onTurn={(on) => void showError(commands.turn(game, { [kind]: on }))}
          />
        ))}
      </section>
      <p className="cluster small quiet">
        <a href={rulesAddress(game.game)}>{t("Rules for its events")}</a>
        <a href={storageAddress}>{t("View or wipe its stored data")}</a>
        <span>
          <Trans
            i18nKey="Its event ids begin with <prefix/>"
            components={{ prefix: <code>{visibleLine(game.game, 100)}</code> }}
          />
        </span>
      </p>
      {children}
    </Dialog>
  );
}

function SwitchLine({ says, on, onTurn }: { says: string; on: boolean; onTurn: (on: boolean) => void }) {
  const id = useId();
  return (
    <div className="spread">
      <label htmlFor={id}>{says}</label>
      <Switch id={id} size="1" checked={on} onCheckedChange={onTurn} />
    </div>
  );
}

const fieldError = (error: Error | undefined, path: string): string | undefined =>
  error instanceof KitError ? error.errors?.find((each) => each.path === path)?.message : undefined;

function CommandForm({
  game,
  commands,
  onSaved,
}: {
  game: LibraryGame;
  commands: LibraryCommands;
  onSaved: () => void;
}) {
  const [name, setName] = useState(game.named ? game.name : "");
  const [fields, setFields] = useState(() => toCommandFields(game.commandFrom === "person" ? game.command : null));
  const [error, setError] = useState<Error>();
  const [isSaving, setSaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const command = parseCommand(fields);
  const save = (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    setSaving(true);
    commands
      .change(game, { name: name.trim() === "" ? null : name.trim(), command })
      .then(onSaved, (refused: Error) => {
        setError(refused);
        form.current?.querySelector<HTMLElement>("input, textarea")?.focus();
      })
      .finally(() => setSaving(false));
  };
  const at = (path: string) => fieldError(error, path);
  const isNamed = ["/name", "/command/program", "/command/folder"].some((path) => at(path) !== undefined);
  return (
    <form ref={form} className="stack" onSubmit={save}>
      <ErrorText error={!isNamed && error} />
      <Field label={t("Name")} error={at("/name")}>
        {(given) => (
          <TextField.Root
            {...given}
            value={name}
            maxLength={80}
            placeholder={game.named ? "" : libraryGameName(game)}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field
        label={t("Program")}
        says={t("Full path of the program that starts the game. Kit runs it directly, without a shell.")}
        error={at("/command/program")}
      >
        {(given) => (
          <TextField.Root
            {...given}
            className="code"
            value={fields.program}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setFields({ ...fields, program: event.target.value })}
          />
        )}
      </Field>
      <Field label={t("Arguments, one per line")}>
        {(given) => (
          <TextArea
            {...given}
            className="code"
            rows={2}
            value={fields.argumentLines}
            spellCheck={false}
            onChange={(event) => setFields({ ...fields, argumentLines: event.target.value })}
          />
        )}
      </Field>
      <Field label={t("Working folder")} error={at("/command/folder")}>
        {(given) => (
          <TextField.Root
            {...given}
            className="code"
            value={fields.folder}
            spellCheck={false}
            autoComplete="off"
            placeholder={programFolder(fields.program)}
            onChange={(event) => setFields({ ...fields, folder: event.target.value })}
          />
        )}
      </Field>
      {command && <CommandView command={command} />}
      {game.commandFrom !== "person" && command === null && game.command && (
        <SuggestedCommand
          command={game.command}
          from={game.commandFrom}
          onUse={() => setFields(toCommandFields(game.command))}
        />
      )}
      <div className="panel-end">
        <Button type="submit" loading={isSaving}>
          {t("Save")}
        </Button>
      </div>
    </form>
  );
}

type SuggestedCommandProps = { command: GameCommand; from: LibraryGame["commandFrom"]; onUse: () => void };

function SuggestedCommand({ command, from, onUse }: SuggestedCommandProps) {
  return (
    <div className="stack tight">
      <p className="small quiet">
        {from === "backup"
          ? t("A restored backup from another Kit starts the game like this:")
          : t("Kit saw the game run as this program:")}
      </p>
      <CommandView command={command} />
      <Button type="button" size="1" variant="soft" onClick={onUse}>
        {t("Use this command")}
      </Button>
    </div>
  );
}

type FieldAttributes = { id: string; "aria-invalid": boolean; "aria-describedby": string };
type FieldProps = {
  label: string;
  says?: string;
  error?: string | undefined;
  children: (given: FieldAttributes) => ReactNode;
};

function Field({ label, says, error, children }: FieldProps) {
  const id = useId();
  const about = useId();
  return (
    <div className="stack tight">
      <label className="form-label" htmlFor={id}>
        {label}
      </label>
      {children({ id, "aria-invalid": error !== undefined, "aria-describedby": about })}
      <p
        id={about}
        className={error === undefined ? "setting-hint small quiet" : "error"}
        role={error === undefined ? undefined : "alert"}
      >
        {error === undefined ? says : visibleText(error)}
      </p>
    </div>
  );
}
