// The Rules page: all event ids, the panel of the open one, and the import of a kit.events.json file.
import "./rules.css";
import { exportEventsFile, type PostRule } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import {
  type DragEvent,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useChanges } from "../../api/changes.ts";
import { useClient } from "../../api/session.ts";
import { usePostRules } from "../../api/use-posting.ts";
import { t } from "../../language/language.ts";
import { connectAddress, replaceAddress, useFragment } from "../../ui/address.ts";
import { exampleClipCommand } from "../../ui/clips/clip-text.ts";
import { CommandLine } from "../../ui/copy-button.tsx";
import { downloadJson } from "../../ui/download-json.ts";
import { EmptyState, NoMatches } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Page, useTitle } from "../../ui/page.tsx";
import { Toast } from "../../ui/toast.tsx";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { useConfirmedIds } from "./confirmed-ids.ts";
import { eventsFileName, serializeEventsFile } from "./events-file.ts";
import { ImportDialog, useFileImport } from "./import-dialog.tsx";
import { EventPanel } from "./panel/event-panel.tsx";
import { hasUnsavedChanges, type RuleDraft } from "./panel/rule-form.ts";
import { RuleList } from "./rule-list.tsx";
import {
  type EventIdRow,
  isRulesViewFiltered,
  matchesRulesView,
  parseRulesView,
  type RulesView,
  suggestedId,
  toRulesFragment,
  useEventRows,
} from "./rule-rows.ts";
import { RulesHead } from "./rules-head.tsx";
import { eventName, useEventCommands } from "./use-event-commands.ts";

type EventPanelDeps = {
  row: EventIdRow | undefined;
  change: (view: RulesView) => void;
  showDone: (says: string, undo?: () => void) => void;
  clearError: () => void;
};

const emptyDraft: RuleDraft = {};

function useEventPanel({ row, change, showDone, clearError }: EventPanelDeps) {
  const [unsaved, setUnsaved] = useState<{ key: string; draft: RuleDraft }>();
  const draft = unsaved !== undefined && unsaved.key === row?.key ? unsaved.draft : emptyDraft;
  const open = useCallback(
    (next: EventIdRow | undefined, initialDraft: RuleDraft = emptyDraft) => {
      if (row && row.key !== next?.key && hasUnsavedChanges(row, draft)) {
        showDone(t("Your changes to {{name}} were not saved.", { name: eventName(row) }), () => {
          setUnsaved({ key: row.key, draft });
          change({ open: row.eventId });
        });
      }
      clearError();
      setUnsaved(next && { key: next.key, draft: initialDraft });
      change({ open: next?.eventId });
    },
    [row, draft, change, showDone, clearError],
  );
  const write = (members: RuleDraft) => row && setUnsaved({ key: row.key, draft: { ...draft, ...members } });
  const clear = () => setUnsaved(undefined);
  return { draft, open, write, clear };
}

/** The filters and the open event id, which are kept in the page's address. */
function useRulesView(): [RulesView, (change: RulesView) => void] {
  const fragment = useFragment();
  const view = useMemo(() => parseRulesView(fragment), [fragment]);
  const change = useCallback((members: RulesView) => {
    replaceAddress(toRulesFragment({ ...parseRulesView(location.hash), ...members }));
  }, []);
  return [view, change];
}

/** Returns a function that downloads the rules of a game as a kit.events.json file. */
function useFileExport(onFailed: (error: Error) => void): (game: string) => void {
  const client = useClient();
  return useCallback(
    (game) =>
      void client
        .call(exportEventsFile, { query: { game } })
        .then((file) => downloadJson(eventsFileName, serializeEventsFile(file)))
        .catch(onFailed),
    [client, onFailed],
  );
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes("Files");

/**
 * Imports a file that is dropped anywhere on the page. Otherwise the browser would leave the page and open the file.
 */
function useFileDrop(onFile: (file: File) => void) {
  const [over, setOver] = useState(false);
  const on = {
    onDragOver: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      const [file] = event.dataTransfer.files;
      if (file) onFile(file);
    },
  };
  return { over, on };
}

/** `onOpen` opens the suggested id; undefined if that id is not in the list. */
type Props = { suggestion: string; onOpen: (() => void) | undefined; onDismiss: () => void };

/** Asks a person whether an event id is a typing mistake for another id. */
function DidYouMean({ suggestion, onOpen, onDismiss }: Props) {
  return (
    <section className="note" aria-label={t("Typing mistake?")}>
      <Icon name="question" size={18} />
      <div>
        <p>
          <strong>{t("Did you mean {{name}}?", { name: visibleLine(suggestion, 200) })}</strong>
        </p>
        <p>
          {t(
            "Kit received that id first. The two ids differ by only a letter or two. If the newer one is a typo, correct it in the game. Until then, each id has its own rule.",
          )}
        </p>
        <div className="cluster tight">
          {onOpen && (
            <Button size="1" variant="soft" color="gray" onClick={onOpen}>
              {t("Open the other event")}
            </Button>
          )}
          <Button size="1" variant="soft" color="gray" onClick={onDismiss}>
            {t("This is a different event")}
          </Button>
        </div>
      </div>
    </section>
  );
}

/** Limits how often the page refetches: a running game changes the list many times a second. */
const refetchMs = 1_000;
const noPostRules: readonly PostRule[] = [];

function useRulesPage() {
  useChanges(refetchMs);
  const [view, change] = useRulesView();
  const list = useEventRows();
  const postRules = usePostRules().data?.rules ?? noPostRules;
  const actions = useEventCommands();
  const confirmed = useConfirmedIds();
  const confirmedIds = useMemo(() => new Set(confirmed.ids), [confirmed.ids]);
  const row = useMemo(() => list.rows?.find(({ eventId }) => eventId === view.open), [list.rows, view.open]);
  const panel = useEventPanel({ row, change, showDone: actions.showDone, clearError: actions.clearError });
  const imports = useFileImport();
  const heading = useRef<HTMLHeadingElement>(null);
  return { view, change, list, postRules, actions, confirmed, confirmedIds, row, panel, imports, heading };
}

type PageState = ReturnType<typeof useRulesPage>;

/** Moves the focus back to the row whose panel was closed. */
function useFocusReturn(open: EventIdRow | undefined, otherwise: RefObject<HTMLElement | null>) {
  const last = useRef<string>(undefined);
  useEffect(() => {
    const from = last.current;
    last.current = open?.key;
    if (open !== undefined || from === undefined) return;
    const button = document.querySelector<HTMLElement>('.rule-open[tabindex="0"]') ?? otherwise.current;
    button?.focus({ preventScroll: true });
  }, [open, otherwise]);
}

export function RulesPage() {
  const page = useRulesPage();
  const { view, change, list, actions, row, imports, heading } = page;
  const drop = useFileDrop((file) => void imports.start(file));
  const scroller = useRef<HTMLElement>(null);
  useFocusReturn(row, heading);
  useTitle(t("Event rules · Kit"));
  const gameNames = useMemo(() => list.games.map(({ game }) => game).sort((a, b) => a.localeCompare(b)), [list.games]);
  const trouble = list.error ?? (row === undefined && imports.shown === undefined ? actions.error : undefined);
  return (
    <div className="live rules-frame" data-details={row !== undefined} data-over={drop.over} {...drop.on}>
      <Page ref={scroller}>
        <RulesHead
          view={view}
          games={gameNames}
          heading={heading}
          onChange={change}
          onFile={(file) => void imports.start(file)}
        />
        {trouble && (
          <p className="error" role="alert">
            {visibleText(trouble.message)}
            {list.error && (
              <Button size="1" variant="soft" onClick={list.retry}>
                {t("Try again")}
              </Button>
            )}
          </p>
        )}
        <EventList page={page} scroller={scroller} />
      </Page>
      {row && <OpenEventPanel key={row.key} page={page} row={row} />}
      <ImportStep page={page} />
      <Toast done={actions.done} onGone={actions.clearDone} />
    </div>
  );
}

const noFilters: RulesView = { game: undefined, kind: undefined, text: undefined };

function EventList({ page, scroller }: { page: PageState; scroller: RefObject<HTMLElement | null> }) {
  const { view, change, list, postRules, actions, confirmedIds, row, panel } = page;
  const { rows } = list;
  // Deferred, because filtering ten thousand rows takes longer than typing a letter.
  const wanted = useDeferredValue(view);
  const shown = useMemo(() => rows?.filter((each) => matchesRulesView(each, wanted)), [rows, wanted]);
  const exportFile = useFileExport(actions.showError);
  if (rows === undefined || shown === undefined) return null;
  return (
    <>
      {shown.length > 0 && (
        <RuleList
          rows={shown}
          open={row?.key}
          scroller={scroller}
          confirmedIds={confirmedIds}
          postRules={postRules}
          onOpen={panel.open}
          onSwitch={(each, rule, enabled) => void actions.commands.setEnabled(each, rule, enabled)}
          onExport={exportFile}
        />
      )}
      {rows.length === 0 && <NoEvents />}
      {rows.length > 0 && shown.length === 0 && (
        <NoMatches
          title={t("No event matches these filters")}
          hint={t("New matches appear here automatically.")}
          clearLabel={t("Show all events")}
          onClear={() => change(noFilters)}
        />
      )}
      <p className="unseen" role="status">
        {isRulesViewFiltered(wanted) &&
          t("{{count, number}} events", { count: shown.length, defaultValue_one: "{{count, number}} event" })}
      </p>
    </>
  );
}

/** Shown while no event id is known. */
function NoEvents() {
  return (
    <EmptyState title={t("No events yet")}>
      <p>
        {t(
          "An event id is listed here once a game has sent it or you have imported the game's kit.events.json. Each event makes a clip until you give its id its own rule.",
        )}
      </p>
      <Button asChild>
        <a href={connectAddress()}>{t("Connect a game")}</a>
      </Button>
      <CommandLine command={exampleClipCommand} />
    </EmptyState>
  );
}

function OpenEventPanel({ page, row }: { page: PageState; row: EventIdRow }) {
  const { list, postRules, actions, confirmed, confirmedIds, panel } = page;
  const suggestion = suggestedId(row, confirmedIds);
  const suggestedRow = suggestion === undefined ? undefined : list.rows?.find(({ eventId }) => eventId === suggestion);
  const dismiss = () => {
    confirmed.add(row.eventId);
    actions.showDone(t("This browser will not ask again."), () => confirmed.remove(row.eventId));
  };
  return (
    <EventPanel
      row={row}
      draft={panel.draft}
      postRules={postRules}
      error={actions.error}
      onDraft={panel.write}
      onSave={(recording, labels) =>
        void actions.commands.save(row, recording, labels).then((isSaved) => isSaved && panel.clear())
      }
      onReset={() => void actions.commands.reset(row).then((isDone) => isDone && panel.clear())}
      onClose={() => panel.open(undefined)}
    >
      {suggestion !== undefined && (
        <DidYouMean
          suggestion={suggestion}
          onDismiss={dismiss}
          onOpen={suggestedRow && (() => panel.open(suggestedRow))}
        />
      )}
    </EventPanel>
  );
}

function ImportStep({ page: { actions, imports } }: { page: PageState }) {
  const { shown } = imports;
  if (shown === undefined) return null;
  const close = () => {
    actions.clearError();
    imports.close();
  };
  const apply = async () => {
    const isDone = shown.state === "ready" && (await actions.commands.apply(shown.file));
    if (isDone) imports.close();
    return isDone;
  };
  return <ImportDialog shown={shown} error={actions.error} onApply={apply} onClose={close} />;
}
