// All that a person sets of one game: its name, how it is started, its cover, and what Kit does with its events.
import { type GameCommand, KitError, type LibraryGame } from "@kit/contract";
import { Button, IconButton, Switch, TextArea, TextField } from "@radix-ui/themes";
import { type FormEvent, type ReactNode, useId, useRef, useState } from "react";
import { Trans, t } from "../../language/language.ts";
import { rulesAddress, storageAddress } from "../../ui/address.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { nameOf, switchWord } from "../../ui/games/game-words.ts";
import type { LibraryCommands } from "../../ui/games/use-library.ts";
import { Icon } from "../../ui/icon.tsx";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { commandIn, fieldsOf, folderOf } from "./command-form.ts";
import { CommandShown } from "./command-shown.tsx";
import { CoverSection } from "./cover-section.tsx";

type Props = {
  game: LibraryGame;
  doing: LibraryCommands;
  onClose: () => void;
  /** Says what was done while it is open. */
  children: ReactNode;
};

const kinds = ["recording", "monitor", "social"] as const;

export function GameDialog({ game, doing, onClose, children }: Props) {
  const title = useId();
  const [trouble, setTrouble] = useState<Error>();
  const take = (done: Promise<void>) => {
    setTrouble(undefined);
    return done.catch((error: Error) => setTrouble(error));
  };
  return (
    <Dialog className="panel game-dialog" labelledBy={title} onClose={onClose}>
      <header>
        <h2 id={title}>
          <bdi>{nameOf(game)}</bdi>
        </h2>
        <IconButton variant="ghost" color="gray" aria-label={t("Close")} title={t("Close (Esc)")} onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </header>
      {trouble && (
        <p className="game-trouble" role="alert">
          {visibleText(trouble.message)}
        </p>
      )}
      <CoverSection game={game} onCover={(cover) => take(doing.cover(game, cover))} onTrouble={setTrouble} />
      <CommandForm game={game} doing={doing} onKept={onClose} />
      <section aria-label={t("What Kit does")}>
        {kinds.map((kind) => (
          <SwitchLine
            key={kind}
            says={switchWord(kind)}
            on={game.switches[kind]}
            onTurn={(on) => void take(doing.turn(game, { [kind]: on }))}
          />
        ))}
      </section>
      <p className="game-links">
        <a href={rulesAddress(game.game)}>{t("Rules of its events")}</a>
        <a href={storageAddress}>{t("What is kept of it, and wiping it")}</a>
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
    <div className="game-switch">
      <label htmlFor={id}>{says}</label>
      <Switch id={id} size="1" checked={on} onCheckedChange={onTurn} />
    </div>
  );
}

const faultAt = (error: Error | undefined, path: string): string | undefined =>
  error instanceof KitError ? error.errors?.find((each) => each.path === path)?.message : undefined;

function CommandForm({ game, doing, onKept }: { game: LibraryGame; doing: LibraryCommands; onKept: () => void }) {
  const [name, setName] = useState(game.named ? game.name : "");
  const [fields, setFields] = useState(() => fieldsOf(game.commandFrom === "person" ? game.command : null));
  const [error, setError] = useState<Error>();
  const [keeping, setKeeping] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const command = commandIn(fields);
  const keep = (event: FormEvent) => {
    event.preventDefault();
    setError(undefined);
    setKeeping(true);
    doing
      .change(game, { name: name.trim() === "" ? null : name.trim(), command })
      .then(onKept, (refused: Error) => {
        setError(refused);
        form.current?.querySelector<HTMLElement>("input, textarea")?.focus();
      })
      .finally(() => setKeeping(false));
  };
  const at = (path: string) => faultAt(error, path);
  const isNamed = ["/name", "/command/program", "/command/folder"].some((path) => at(path) !== undefined);
  return (
    <form ref={form} className="game-form" onSubmit={keep}>
      {error && !isNamed && (
        <p className="game-trouble" role="alert">
          {visibleText(error.message)}
        </p>
      )}
      <Field label={t("Name")} fault={at("/name")}>
        {(given) => (
          <TextField.Root
            {...given}
            value={name}
            maxLength={80}
            placeholder={game.named ? "" : nameOf(game)}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field
        label={t("Program")}
        says={t("The whole path of what starts the game. It is run as it is, by no shell.")}
        fault={at("/command/program")}
      >
        {(given) => (
          <TextField.Root
            {...given}
            className="game-path"
            value={fields.program}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setFields({ ...fields, program: event.target.value })}
          />
        )}
      </Field>
      <Field label={t("Arguments, one a line")}>
        {(given) => (
          <TextArea
            {...given}
            className="game-path"
            rows={2}
            value={fields.words}
            spellCheck={false}
            onChange={(event) => setFields({ ...fields, words: event.target.value })}
          />
        )}
      </Field>
      <Field label={t("Folder it runs in")} fault={at("/command/folder")}>
        {(given) => (
          <TextField.Root
            {...given}
            className="game-path"
            value={fields.folder}
            spellCheck={false}
            autoComplete="off"
            placeholder={folderOf(fields.program)}
            onChange={(event) => setFields({ ...fields, folder: event.target.value })}
          />
        )}
      </Field>
      {command && <CommandShown command={command} />}
      {game.commandFrom !== "person" && command === null && game.command && (
        <Proposed command={game.command} from={game.commandFrom} onTake={() => setFields(fieldsOf(game.command))} />
      )}
      <div className="panel-end">
        <Button type="submit" loading={keeping}>
          {t("Keep")}
        </Button>
      </div>
    </form>
  );
}

type ProposedProps = { command: GameCommand; from: LibraryGame["commandFrom"]; onTake: () => void };

function Proposed({ command, from, onTake }: ProposedProps) {
  return (
    <div className="game-proposed">
      <p className="game-hint">
        {from === "backup"
          ? t("A restored backup, which another Kit made, starts it so:")
          : t("Kit saw this program send the game's events:")}
      </p>
      <CommandShown command={command} />
      <Button type="button" size="1" variant="soft" onClick={onTake}>
        {t("Start it this way")}
      </Button>
    </div>
  );
}

type Given = { id: string; "aria-invalid": boolean; "aria-describedby": string };
type FieldProps = { label: string; says?: string; fault?: string | undefined; children: (given: Given) => ReactNode };

function Field({ label, says, fault, children }: FieldProps) {
  const id = useId();
  const about = useId();
  return (
    <div className="game-field">
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-invalid": fault !== undefined, "aria-describedby": about })}
      <p
        id={about}
        className={fault === undefined ? "game-hint" : "game-trouble"}
        role={fault === undefined ? undefined : "alert"}
      >
        {fault === undefined ? says : visibleText(fault)}
      </p>
    </div>
  );
}
