// The button that adds a game, and its dialog: the user chooses the game's window by its picture, and names the game.
import { gameNameCharsMax, type LibraryGame, type RecorderSource } from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { type FormEvent, useId, useState } from "react";
import { useAddGame } from "../api/use-games.ts";
import { useRecorderSources } from "../api/use-recorder.ts";
import { t, translateMessage } from "../language/language.ts";
import { CommandLine } from "./copy-button.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorText } from "./error-text.tsx";
import { FieldRow } from "./fields.tsx";
import { SourceChoice, SourcePicture } from "./recorder/source-dialog.tsx";
import { visibleLine, visibleText } from "./visible-text.ts";

type Props = { onAdded: (game: LibraryGame) => void };

export function AddGameButton({ onAdded }: Props) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t("Add a game")}</Button>
      {isOpen && (
        <AddGameDialog
          onAdded={(game) => {
            close();
            onAdded(game);
          }}
          onClose={close}
        />
      )}
    </>
  );
}

/** A window whose program Kit cannot see cannot become a game. */
const isWindowOfProgram = (source: RecorderSource): source is RecorderSource & { pid: number } =>
  source.kind === "window" && source.pid !== null;

function AddGameDialog({ onAdded, onClose }: Props & { onClose: () => void }) {
  const title = useId();
  const listed = useRecorderSources();
  const [chosen, setChosen] = useState<{ readonly window: string; readonly pid: number }>();
  const [name, setName] = useState("");
  const adding = useAddGame(onAdded);
  const windows = listed.data?.sources.filter(isWindowOfProgram) ?? [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen !== undefined) adding.mutate({ pid: chosen.pid, name: name.trim() });
  };
  return (
    <Dialog className="panel roomy source-dialog" labelledBy={title} onClose={onClose}>
      <h2 id={title}>{t("Add a game")}</h2>
      <p>{t("Start the game, and choose its window. From then on, Kit records the game whenever it runs.")}</p>
      <form className="stack" aria-labelledby={title} onSubmit={submit}>
        <fieldset className="source-choices" aria-label={t("Open windows")}>
          {windows.map((source) => (
            <SourceChoice
              key={source.name}
              isChosen={source.name === chosen?.window}
              onChoose={() => {
                adding.reset();
                setChosen({ window: source.name, pid: source.pid });
                setName([...visibleLine(source.name, gameNameCharsMax - 1)].slice(0, gameNameCharsMax).join(""));
              }}
            >
              <SourcePicture source={source} />
              <span className="source-words">{visibleLine(source.name)}</span>
            </SourceChoice>
          ))}
        </fieldset>
        <Listed {...listed} count={windows.length} />
        {chosen && (
          <FieldRow label={t("Name")}>
            {({ field, hint }) => (
              <TextField.Root
                id={field}
                aria-describedby={hint}
                maxLength={gameNameCharsMax}
                value={name}
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </FieldRow>
        )}
        <ErrorText error={adding.error} />
        <div className="panel-end">
          <Button type="button" variant="soft" color="gray" onClick={onClose}>
            {t("Cancel")}
          </Button>
          <Button type="button" variant="soft" loading={listed.isFetching} onClick={() => void listed.refetch()}>
            {t("Look again")}
          </Button>
          <Button type="submit" loading={adding.isPending} disabled={chosen === undefined || name.trim() === ""}>
            {t("Add this game")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type ListedProps = Pick<ReturnType<typeof useRecorderSources>, "data" | "error"> & { count: number };

/** What there is instead of a list: what is going on, or why there is none and what to do. */
function Listed({ data, error, count }: ListedProps) {
  return (
    <>
      <p className="quiet small" role="status">
        {!data && !error && t("Kit is looking for open windows…")}
        {data?.why && visibleText(translateMessage(data.why))}
        {data?.why === null && count === 0 && t("Kit sees no window of a game. Start the game, and look again.")}
      </p>
      <ErrorText error={!data && error} />
      {data?.why && (
        <>
          <p>
            {t("A game that has Kit appears by itself with its first event. For any other game, run this command:")}
          </p>
          <CommandLine command="kit run --game my_game -- ./my_game" />
        </>
      )}
    </>
  );
}
