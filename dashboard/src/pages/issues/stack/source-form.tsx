// The source folder and editor of a game, with a form to change them.
import {
  type Editor,
  editors,
  forgetSourceFolder,
  listSourceFolders,
  type SourceFolder,
  setSourceFolder,
} from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { useClient } from "../../../api/session-context.ts";
import { Trans, t, translateMessage } from "../../../language/language.ts";
import { ErrorText } from "../../../ui/error-text.tsx";
import { Select } from "../../../ui/fields.tsx";
import { visibleLine } from "../../../ui/visible-text.ts";

const queryKey = ["games", "sources"];

/** Fetches the source folder of a game. */
function useSource(game: string) {
  const client = useClient();
  const sources = useQuery({ queryKey, queryFn: () => client.call(listSourceFolders) });
  return { isLoaded: sources.isSuccess, source: sources.data?.sources.find((source) => source.game === game) };
}

/** The new source folder and editor; null removes the source folder. */
type SourceChange = { root: string; editor: Editor } | null;

function useSourceChange(game: string, onDone: () => void) {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (change: SourceChange) => {
      if (change === null) await client.call(forgetSourceFolder, { query: { game } });
      else await client.call(setSourceFolder, { body: { game, ...change } });
    },
    onSuccess: onDone,
    // Nothing to do for the links in the stack frames: the feed reports the change, and they are fetched again.
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}

const names: Readonly<Record<Editor, string>> = {
  vscode: "VS Code",
  vscodium: "VSCodium",
  cursor: "Cursor",
  rider: "Rider",
  godot: "Godot",
  gamemaker: "GameMaker",
  other: t("Another editor"),
};
const hints: Partial<Record<Editor, string>> = {
  rider: t("JetBrains Toolbox opens Rider; the project must be added there."),
  godot: t("Godot cannot be opened from a link. Each stack frame has a button that copies its path."),
  gamemaker: t("GameMaker cannot be opened from a link. Each stack frame has a button that copies its path."),
  other: t("Each stack frame has a button that copies its path."),
};
const choices = editors.map((value) => ({ value, says: names[value] }));
const pathCharsMax = 1_000;

export function SourceForm({ game }: { game: string }) {
  const { isLoaded, source } = useSource(game);
  const [editing, setEditing] = useState(false);
  if (!isLoaded) return null;
  if (editing) return <Editing game={game} source={source} onDone={() => setEditing(false)} />;
  return (
    <div className="cluster">
      <p className="small">
        {source ? (
          <Trans
            i18nKey="Source: <folder/>, opened with {{editor}}"
            values={{ editor: names[source.editor] }}
            components={{ folder: <bdi>{visibleLine(source.root, pathCharsMax)}</bdi> }}
          />
        ) : (
          t("Choose the game's project folder to open stack frames in your editor.")
        )}
      </p>
      <Button size="1" variant="soft" color="gray" onClick={() => setEditing(true)}>
        {source ? t("Change the source folder") : t("Set the source folder")}
      </Button>
      <ErrorText error={source?.problem && translateMessage(source.problem)} />
    </div>
  );
}

type EditingProps = { game: string; source: SourceFolder | undefined; onDone: () => void };

function Editing({ game, source, onDone }: EditingProps) {
  const [root, setRoot] = useState(source?.root ?? "");
  const [editor, setEditor] = useState<Editor>(source?.editor ?? "vscode");
  const ids = { root: useId(), editor: useId(), hint: useId() };
  const change = useSourceChange(game, onDone);
  const onSubmit = (submitted: FormEvent) => {
    submitted.preventDefault();
    if (root.trim() !== "") change.mutate({ root: root.trim(), editor });
  };
  return (
    <form className="setting-value" aria-label={t("Source folder of the game")} onSubmit={onSubmit}>
      <label htmlFor={ids.root}>{t("Project folder")}</label>
      <TextField.Root
        id={ids.root}
        autoFocus
        autoComplete="off"
        spellCheck={false}
        placeholder={t("An absolute path")}
        maxLength={pathCharsMax}
        value={root}
        onChange={(event) => setRoot(event.target.value)}
      />
      <label htmlFor={ids.editor}>{t("Editor")}</label>
      <Select id={ids.editor} describedBy={ids.hint} choices={choices} value={editor} onChange={setEditor} />
      <p id={ids.hint} className="setting-hint small quiet">
        {hints[editor]}
      </p>
      <ErrorText error={change.error} />
      <div className="cluster tight">
        <Button type="submit" size="1" disabled={root.trim() === "" || change.isPending}>
          {t("Save")}
        </Button>
        <Button type="button" size="1" variant="soft" color="gray" onClick={onDone}>
          {t("Cancel")}
        </Button>
        {source && (
          <Button type="button" size="1" variant="ghost" color="gray" onClick={() => change.mutate(null)}>
            {t("Remove")}
          </Button>
        )}
      </div>
    </form>
  );
}
