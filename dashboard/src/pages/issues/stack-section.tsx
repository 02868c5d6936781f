// The stack of a report: its frames, links to their source lines, and the form that says where the source files are.
import {
  type Editor,
  editors,
  forgetSourceFolder,
  type IssueFrame,
  type IssueReport,
  listSourceFolders,
  runClient,
  type SourceFolder,
  setSourceFolder,
} from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { useClient } from "../../api/session.ts";
import { Trans, t, translateMessage } from "../../language/language.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { SegmentedChoice, Select } from "../../ui/fields.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { PageSection } from "../../ui/section.tsx";
import { visibleLine } from "../../ui/visible-text.ts";
import { type FrameGroup, groupFrames, ownersOf, sourceLocation } from "./stack-frames.ts";

/** The links that may be opened begin with one of these. Any other link from the launcher is not shown. */
const schemes = ["vscode://file/", "vscodium://file/", "cursor://file/", "jetbrains://rider/navigate/"];

/** The source location of a stack frame: a link that opens it in the editor, or a button that copies its path. */
function SourceLink({ frame: { source, line } }: { frame: IssueFrame }) {
  if (!source) return null;
  const place = line === null ? source.path : `${source.path}:${line}`;
  const { link } = source;
  if (link === null || !schemes.some((scheme) => link.startsWith(scheme)))
    return <CopyButton text={place} label={t("Copy {{location}}", { location: visibleLine(place, 200) })} />;
  return (
    <a className="source-link" href={link} title={visibleLine(place, 500)}>
      {t("Open in editor")}
      <span className="unseen">: {visibleLine(place, 200)}</span>
    </a>
  );
}

const sourcesQueryKey = ["games", "sources"];

/** Fetches the source folder of a game. */
function useSource(game: string) {
  const client = useClient();
  const sources = useQuery({ queryKey: sourcesQueryKey, queryFn: () => client.call(listSourceFolders) });
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
    onSettled: () => queryClient.invalidateQueries({ queryKey: sourcesQueryKey }),
  });
}

const editorNames: Readonly<Record<Editor, string>> = {
  vscode: "VS Code",
  vscodium: "VSCodium",
  cursor: "Cursor",
  rider: "Rider",
  godot: "Godot",
  gamemaker: "GameMaker",
  other: t("Another editor"),
};
const editorHints: Partial<Record<Editor, string>> = {
  rider: t("JetBrains Toolbox opens Rider; the project must be added there."),
  godot: t("Godot cannot be opened from a link. Each stack frame has a button that copies its path."),
  gamemaker: t("GameMaker cannot be opened from a link. Each stack frame has a button that copies its path."),
  other: t("Each stack frame has a button that copies its path."),
};
const editorChoices = editors.map((value) => ({ value, says: editorNames[value] }));
const pathCharsMax = 1_000;

/** The source folder and editor of a game, with a form to change them. */
function SourceForm({ game }: { game: string }) {
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
            values={{ editor: editorNames[source.editor] }}
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
      <Select id={ids.editor} describedBy={ids.hint} choices={editorChoices} value={editor} onChange={setEditor} />
      <p id={ids.hint} className="setting-hint small quiet">
        {editorHints[editor]}
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

const stackViews = () => [
  { value: "read", says: t("Parsed") },
  { value: "sent", says: t("As sent") },
];

/** The stack of a report, either parsed into frames or as the game sent it. */
export function StackSection({ report, game }: { report: IssueReport; game: string | null }) {
  const [asSent, setAsSent] = useState(false);
  const isParsed = report.frames.length > 0;
  const { message, stackTrace } = report;
  if (isOutput(report)) return <OutputSection output={stackTrace} />;
  return (
    <PageSection
      title={t("Stack")}
      end={
        <span className="cluster">
          {isParsed && (
            <SegmentedChoice
              size="1"
              label={t("Stack view")}
              choices={stackViews()}
              value={asSent ? "sent" : "read"}
              onChange={(view) => setAsSent(view === "sent")}
            />
          )}
          {stackTrace && <CopyButton text={stackTrace} label={t("Copy the stack as it was sent")} />}
        </span>
      }
    >
      {isParsed && !asSent ? (
        <Frames report={report} />
      ) : stackTrace ? (
        <LongText text={stackTrace} label={t("The stack as it was sent")} />
      ) : isParsed ? (
        <LongText text={message} label={t("Message that contains the stack")} />
      ) : (
        <p className="quiet">{t("The report had no stack, so it says what went wrong, but not where.")}</p>
      )}
      {isParsed && game !== null && <SourceForm game={game} />}
    </PageSection>
  );
}

/** Whether the stack of a report is what a crashed program printed last, in which Kit found no stack. */
export const isOutput = ({ client, frames }: IssueReport): boolean => client === runClient && frames.length === 0;

function OutputSection({ output }: { output: string }) {
  return (
    <PageSection
      title={t("Last output")}
      end={output !== "" && <CopyButton text={output} label={t("Copy the last output")} />}
    >
      {output === "" ? (
        <p className="quiet">{t("The program printed nothing before it crashed.")}</p>
      ) : (
        <LongText text={output} label={t("What the program printed")} />
      )}
    </PageSection>
  );
}

function Frames({ report: { frames, framesTotal } }: { report: IssueReport }) {
  const hiddenCount = framesTotal - frames.length;
  return (
    <div className="box lines frames">
      {groupFrames(frames).map((group, index) => (
        // Groups have no id and never move, so their index is a stable key.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Group key={index} group={group} />
      ))}
      {hiddenCount > 0 && (
        <p className="frame-line small quiet">{t("and {{count, number}} more calls below", { count: hiddenCount })}</p>
      )}
    </div>
  );
}

const ownersCharsMax = 120;
/** Owners that are words, not names. */
const ownerWords: ReadonlyMap<string, string> = new Map([
  ["native code", t("native code")],
  ["the browser", t("the browser")],
  ["a browser extension", t("a browser extension")],
  ["libraries", t("libraries")],
]);
const ownerText = (owner: string) => visibleLine(ownerWords.get(owner) ?? owner, ownersCharsMax);

/** Says whose calls are folded. */
function foldedText(frames: readonly IssueFrame[]): string {
  const count = frames.length;
  const owners = ownersOf(frames);
  if (owners.length === 0)
    return t("{{count, number}} calls outside the game's code", {
      count,
      defaultValue_one: "1 call outside the game's code",
    });
  return t("{{count, number}} calls of {{owners}}", {
    count,
    owners: visibleLine(owners.map(ownerText).join(", "), ownersCharsMax),
    defaultValue_one: "1 call of {{owners}}",
  });
}

function Group({ group: { inApp, frames } }: { group: FrameGroup }) {
  const [open, setOpen] = useState(inApp);
  if (!open) {
    return (
      <Button className="frames-folded" size="1" variant="ghost" color="gray" onClick={() => setOpen(true)}>
        {foldedText(frames)}
      </Button>
    );
  }
  return (
    <ol className="lines frames-run" data-own={inApp}>
      {frames.map((frame, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls have no identity but their place, and never move
        <Frame key={index} frame={frame} />
      ))}
    </ol>
  );
}

const nameCharsMax = 300;
const locationCharsMax = 500;

function Frame({ frame }: { frame: IssueFrame }) {
  const location = sourceLocation(frame);
  const { function: name, text, owner } = frame;
  return (
    <li className="frame-line" title={visibleLine(text, locationCharsMax)}>
      <bdi className="frame-name code">{name === null ? t("anonymous function") : visibleLine(name, nameCharsMax)}</bdi>
      {owner !== null && <bdi className="frame-owner small quiet">{ownerText(owner)}</bdi>}
      <bdi className="code quiet">{visibleLine(location ?? (name === null ? text : ""), locationCharsMax)}</bdi>
      <SourceLink frame={frame} />
    </li>
  );
}
