// The Rules page: every event id, what becomes of it, and what is set for the one that is open.
import "../../ui/clips/clips.css";
import "../../ui/details.css";
import "../../ui/list-page.css";
import "../../ui/recorder/recorder.css";
import "./rules.css";
import "./rule-panel.css";
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
import { useClient } from "../../api/session-context.ts";
import { useChanges } from "../../api/use-changes.ts";
import { useRuleList } from "../../api/use-post-rules.ts";
import { t } from "../../language/language.ts";
import { replaceAddress, useFragment } from "../../ui/address.ts";
import { Icon } from "../../ui/icon.tsx";
import { StorageBanner } from "../../ui/storage-banner.tsx";
import { Toast } from "../../ui/toast.tsx";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { useDistinct } from "./distinct.ts";
import { EventPanel } from "./event-panel.tsx";
import { eventsFileName, fileTextOf } from "./events-file.ts";
import { ImportDialog } from "./import-dialog.tsx";
import { RuleList } from "./rule-list.tsx";
import { type EventRow, isShown, meantBy } from "./rule-rows.ts";
import { NoEvents, NothingMatches } from "./rules-empty.tsx";
import { RulesHead } from "./rules-head.tsx";
import { fragmentOf, isNarrowed, type RulesView, rulesViewIn } from "./rules-view.ts";
import { useEventCommands } from "./use-event-commands.ts";
import { useEventRows } from "./use-event-rows.ts";
import { useImport } from "./use-import.ts";
import { usePanel } from "./use-panel.ts";

/** The page's view as the address holds it: changing one changes the other. */
function useRulesView(): [RulesView, (change: RulesView) => void] {
  const fragment = useFragment();
  const view = useMemo(() => rulesViewIn(fragment), [fragment]);
  const change = useCallback((members: RulesView) => {
    replaceAddress(fragmentOf({ ...rulesViewIn(location.hash), ...members }));
  }, []);
  return [view, change];
}

function download(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = eventsFileName;
  link.click();
  URL.revokeObjectURL(address);
}

/**
 * Takes a game's kit.events.json along: a file made here of what the launcher told. Nothing leaves this machine.
 */
function useFileExport(onFailed: (error: Error) => void): (game: string) => void {
  const client = useClient();
  return useCallback(
    (game) =>
      void client
        .call(exportEventsFile, { query: { game } })
        .then((file) => download(fileTextOf(file)))
        .catch(onFailed),
    [client, onFailed],
  );
}

const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes("Files");

/** A file that is dropped anywhere on the page; without this the browser would leave the page for it. */
function useFileDrop(onFile: (file: File) => void) {
  const [over, setOver] = useState(false);
  const on = {
    onDragOver: (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(false);
      const [file] = event.dataTransfer.files;
      if (file) onFile(file);
    },
  };
  return { over, on };
}

/** `onOpen` is undefined while the other id is not listed. */
type Props = { meant: string; onOpen: (() => void) | undefined; onDismiss: () => void };

/** An id that is probably a slip of the keyboard: which one was meant, and what to do about it. */
function DidYouMean({ meant, onOpen, onDismiss }: Props) {
  return (
    <section className="did-you-mean" aria-label={t("A slip of the keyboard?")}>
      <Icon name="question" size={18} />
      <div>
        <p>
          <strong>{t("Did you mean {{name}}?", { name: visibleLine(meant, 200) })}</strong>
        </p>
        <p>
          {t(
            "That id came before this one and differs by a letter or two. If this is a slip, correct it in the game: until then each of the two has a rule of its own.",
          )}
        </p>
        <div className="did-you-mean-end">
          {onOpen && (
            <Button size="1" variant="soft" color="gray" onClick={onOpen}>
              {t("Open the one that is right")}
            </Button>
          )}
          <Button size="1" variant="soft" color="gray" onClick={onDismiss}>
            {t("It is another event")}
          </Button>
        </div>
      </div>
    </section>
  );
}

/** While a game runs, its events are news many times a second. */
const everyMs = 1_000;
const noPostRules: readonly PostRule[] = [];

/** What the page knows, and what it does. */
function useRulesPage() {
  useChanges(everyMs);
  const [view, change] = useRulesView();
  const known = useEventRows();
  const postRules = useRuleList().data?.rules ?? noPostRules;
  const does = useEventCommands();
  const distinct = useDistinct();
  const distinctIds = useMemo(() => new Set(distinct.ids), [distinct.ids]);
  const row = useMemo(() => known.rows?.find(({ eventId }) => eventId === view.open), [known.rows, view.open]);
  const panel = usePanel({ row, change, say: does.say, forgive: does.forgive });
  const imports = useImport();
  const heading = useRef<HTMLHeadingElement>(null);
  return { view, change, known, postRules, does, distinct, distinctIds, row, panel, imports, heading };
}

type PageState = ReturnType<typeof useRulesPage>;

/** After the pane the focus goes back to the row it was opened from. */
function useFocusBack(open: EventRow | undefined, otherwise: RefObject<HTMLElement | null>) {
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
  const { view, change, known, does, row, imports, heading } = page;
  const drop = useFileDrop((file) => void imports.start(file));
  const scroller = useRef<HTMLElement>(null);
  useFocusBack(row, heading);
  useEffect(() => {
    document.title = t("Rules · Kit");
  }, []);
  const gameNames = useMemo(
    () => known.games.map(({ game }) => game).sort((a, b) => a.localeCompare(b)),
    [known.games],
  );
  const trouble = known.error ?? (row === undefined && imports.shown === undefined ? does.error : undefined);
  return (
    <div className="live rules-frame" data-details={row !== undefined} data-over={drop.over} {...drop.on}>
      <main ref={scroller} className="live-main rules-main">
        <StorageBanner />
        <RulesHead
          view={view}
          games={gameNames}
          heading={heading}
          onChange={change}
          onFile={(file) => void imports.start(file)}
        />
        {trouble && (
          <p className="clips-trouble" role="alert">
            {visibleText(trouble.message)}
            {known.error && (
              <Button size="1" variant="soft" onClick={known.retry}>
                {t("Try again")}
              </Button>
            )}
          </p>
        )}
        <Listed page={page} scroller={scroller} />
      </main>
      {row && <Opened key={row.key} page={page} row={row} />}
      <Importing page={page} />
      <Toast done={does.done} onGone={does.forget} />
    </div>
  );
}

const everything: RulesView = { game: undefined, kind: undefined, text: undefined };

function Listed({ page, scroller }: { page: PageState; scroller: RefObject<HTMLElement | null> }) {
  const { view, change, known, postRules, does, distinctIds, row, panel } = page;
  const { rows } = known;
  // Looking through ten thousand takes longer than a letter.
  const wanted = useDeferredValue(view);
  const shown = useMemo(() => rows?.filter((each) => isShown(each, wanted)), [rows, wanted]);
  const exportFile = useFileExport(does.fail);
  if (rows === undefined || shown === undefined) return null;
  return (
    <>
      {shown.length > 0 && (
        <RuleList
          rows={shown}
          open={row?.key}
          scroller={scroller}
          distinct={distinctIds}
          postRules={postRules}
          onOpen={panel.open}
          onTurn={(each, rule, enabled) => void does.doing.turn(each, rule, enabled)}
          onExport={exportFile}
        />
      )}
      {rows.length === 0 && <NoEvents />}
      {rows.length > 0 && shown.length === 0 && <NothingMatches onClear={() => change(everything)} />}
      <p className="unseen" role="status">
        {isNarrowed(wanted) &&
          t("{{count, number}} events", { count: shown.length, defaultValue_one: "{{count, number}} event" })}
      </p>
    </>
  );
}

function Opened({ page, row }: { page: PageState; row: EventRow }) {
  const { known, postRules, does, distinct, distinctIds, panel } = page;
  const meant = meantBy(row, distinctIds);
  const right = meant === undefined ? undefined : known.rows?.find(({ eventId }) => eventId === meant);
  const dismiss = () => {
    distinct.add(row.eventId);
    does.say(t("It is not asked again in this browser."), () => distinct.remove(row.eventId));
  };
  return (
    <EventPanel
      row={row}
      draft={panel.draft}
      postRules={postRules}
      error={does.error}
      onDraft={panel.write}
      onKeep={(recording, look) => void does.doing.keep(row, recording, look).then((isKept) => isKept && panel.clear())}
      onReset={() => void does.doing.reset(row).then((isDone) => isDone && panel.clear())}
      onClose={() => panel.open(undefined)}
    >
      {meant !== undefined && (
        <DidYouMean meant={meant} onDismiss={dismiss} onOpen={right && (() => panel.open(right))} />
      )}
    </EventPanel>
  );
}

function Importing({ page: { does, imports } }: { page: PageState }) {
  const { shown } = imports;
  if (shown === undefined) return null;
  const close = () => {
    does.forgive();
    imports.close();
  };
  const apply = async () => {
    const isDone = shown.state === "ready" && (await does.doing.apply(shown.file));
    if (isDone) imports.close();
    return isDone;
  };
  return <ImportDialog shown={shown} error={does.error} onApply={apply} onClose={close} />;
}
