// The issue list with its filters, selection and keyboard shortcuts, and what it shows when it is empty.
import { type Issue, issueSorts } from "@kit/contract";
import { Button, IconButton } from "@radix-ui/themes";
import { type RefObject, useCallback, useMemo, useRef, useState } from "react";
import { useGameNames } from "../../api/use-games.ts";
import { t } from "../../language/language.ts";
import { connectAddress, forwardingAddress, issuesAddress, replaceAddress, useFragment } from "../../ui/address.ts";
import { CommandLine } from "../../ui/copy-button.tsx";
import { EmptyState, NoMatches } from "../../ui/empty.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { DelayedSearchField, GameChoice, SegmentedChoice, Select } from "../../ui/fields.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Page, PageHead, useTitle } from "../../ui/page.tsx";
import { HelpButton, usePageKeys } from "../../ui/shortcuts.tsx";
import { useNow } from "../../ui/use-now.ts";
import { IssueList, issueFocus } from "./issue-list.tsx";
import { exampleErrorCommand, issueCountText, issueSortLabels, issueTabLabels, reportCountText } from "./issue-text.ts";
import {
  defaultIssueView,
  type IssueTab,
  type IssueView,
  isIssueViewFiltered,
  issueSearchCharsMax,
  issueTabs,
  parseIssueView,
  toIssueQuery,
} from "./issue-view.ts";
import type { IssueCommands } from "./use-issue-commands.ts";
import { useDropInactiveLists, useHasIssues, useIssueList } from "./use-issues.ts";

type IssueViewChange = { readonly [K in keyof IssueView]?: IssueView[K] | undefined };

type IssueFilterBarProps = {
  view: IssueView;
  games: readonly string[];
  onChange: (change: IssueViewChange) => void;
  textField: RefObject<HTMLInputElement | null>;
};

const tabChoices = issueTabs.map((value) => ({ value, says: issueTabLabels[value] }));
const sortChoices = issueSorts.map((value) => ({ value, says: issueSortLabels[value] }));

/** Filters of the issue list: tab, search, game and sort order. */
function IssueFilterBar({ view, games, onChange, textField }: IssueFilterBarProps) {
  const search = useCallback((text: string) => onChange({ search: text || undefined }), [onChange]);
  return (
    <search className="filters" aria-label={t("Filter the issues")}>
      <SegmentedChoice
        className="filter-kind"
        label={t("State")}
        choices={tabChoices}
        value={view.tab}
        onChange={(tab) => onChange({ tab })}
      />
      <DelayedSearchField
        field={textField}
        label={t("Search titles, code locations and notes")}
        placeholder={t("Search")}
        charsMax={issueSearchCharsMax}
        text={view.search ?? ""}
        onChange={search}
      />
      <GameChoice chosen={view.game} games={games} onChange={onChange} />
      <Select label={t("Sort by")} choices={sortChoices} value={view.sort} onChange={(sort) => onChange({ sort })} />
    </search>
  );
}

type EmptyText = { readonly title: string; readonly says: string };

const emptyTabTexts: Record<Exclude<IssueTab, "open">, EmptyText> = {
  resolved: {
    title: t("No resolved issues yet"),
    says: t("Resolved issues are listed here. If the error occurs again, its issue reopens as regressed."),
  },
  muted: {
    title: t("No muted issues"),
    says: t("Kit keeps counting muted issues, but sends no alerts until the mute ends."),
  },
  bin: { title: t("The trash is empty"), says: t("Deleted issues stay here for 30 days and are still counted.") },
};

const emptyOpenText: EmptyText = { title: t("No open issues"), says: t("Every issue is resolved or muted.") };
const noMatchText: EmptyText = {
  title: t("No issue matches these filters"),
  says: t("New matches appear here automatically."),
};

function EmptyIssueList({ view, onClear }: { view: IssueView; onClear: () => void }) {
  const plain = view.tab === "open" && !isIssueViewFiltered(view);
  const any = useHasIssues(plain);
  if (plain && any.data === undefined) return null;
  if (plain && any.data === false) return <NoReports />;
  const { title, says } = isIssueViewFiltered(view)
    ? noMatchText
    : view.tab === "open"
      ? emptyOpenText
      : emptyTabTexts[view.tab];
  return plain ? (
    <EmptyState title={title}>
      <p>{says}</p>
    </EmptyState>
  ) : (
    <NoMatches title={title} hint={says} clearLabel={t("Show open issues")} onClear={onClear} />
  );
}

function NoReports() {
  return (
    <EmptyState title={t("No errors yet")} isNew>
      <p>
        {t(
          "When a game reports an error, it appears here within a second: grouped and counted, with its stack and the events before it.",
        )}
      </p>
      <Button asChild size="3">
        <a href={connectAddress()}>{t("Connect a game")}</a>
      </Button>
      <p>{t("Or report one yourself, from a terminal:")}</p>
      <CommandLine command={exampleErrorCommand} />
    </EmptyState>
  );
}

/** The list's view, stored in the page's address. */
function useIssueView(): [IssueView, (change: IssueViewChange) => void] {
  const fragment = useFragment();
  const view = useMemo(() => parseIssueView(fragment), [fragment]);
  const forgetLists = useDropInactiveLists();
  const change = useCallback(
    (members: IssueViewChange) => {
      forgetLists();
      const next = { ...parseIssueView(location.hash), ...members } as IssueView;
      replaceAddress(issuesAddress(undefined, toIssueQuery(next)));
    },
    [forgetLists],
  );
  return [view, change];
}

type SelectionBarProps = { selected: readonly Issue[]; tab: IssueTab; commands: IssueCommands; onClear: () => void };

const haveSameGame = (issues: readonly Issue[]) => new Set(issues.map(({ game }) => game)).size === 1;

/** Actions for all selected issues. */
function SelectionBar({ selected, tab, commands, onClear }: SelectionBarProps) {
  const ids = selected.map(({ id }) => id);
  return (
    <section className="cluster tight selection-bar" aria-label={t("Actions for the selection")}>
      <p role="status">{t("{{issues}} selected", { issues: issueCountText(selected.length) })}</p>
      {tab === "bin" ? (
        <>
          <SelectionButton icon="undo" label={t("Restore")} onClick={() => commands.restore(ids)} />
          <SelectionButton
            icon="bin"
            label={t("Delete permanently")}
            onClick={() => commands.ask("remove", selected)}
          />
        </>
      ) : (
        <>
          {tab !== "resolved" && (
            <SelectionButton icon="check" label={t("Resolve")} onClick={() => commands.resolve(ids)} />
          )}
          {tab !== "open" && <SelectionButton icon="undo" label={t("Reopen")} onClick={() => commands.reopen(ids)} />}
          {tab !== "muted" && (
            <SelectionButton icon="mute" label={t("Mute")} onClick={() => commands.ask("mute", selected)} />
          )}
          {selected.length > 1 && haveSameGame(selected) && (
            <SelectionButton icon="merge" label={t("Merge")} onClick={() => commands.ask("merge", selected)} />
          )}
          <SelectionButton icon="bin" label={t("Delete")} onClick={() => commands.discard(ids)} />
        </>
      )}
      <Button className="end" variant="ghost" color="gray" onClick={onClear}>
        {t("Clear")}
      </Button>
    </section>
  );
}

type SelectionButtonProps = { icon: IconName; label: string; onClick: () => void };

const SelectionButton = ({ icon, label, onClick }: SelectionButtonProps) => (
  <Button variant="soft" color="gray" onClick={onClick}>
    <Icon name={icon} size={14} />
    {label}
  </Button>
);

type Props = {
  commands: IssueCommands;
  error: Error | undefined;
  /** The issue that was open before the list was shown. Its row gets the focus. */
  from: string | undefined;
  /** How many commands have completed. A new value clears the selection. */
  doneCount: number;
};

const noFilters = { ...defaultIssueView, game: undefined, search: undefined };

export function IssueListPage({ commands, error, from, doneCount }: Props) {
  const [view, change] = useIssueView();
  const list = useIssueList(view);
  const { pages, rows } = list;
  const nowMs = useNow();
  const query = toIssueQuery(view);
  const selection = useSelection(rows, `${query} ${doneCount}`);
  const textField = useRef<HTMLInputElement>(null);
  const help = useListKeys({ rows, selection, commands, textField, inTrash: view.tab === "bin" });
  const games = useGameNames(rows);
  const trouble = error ?? list.error;
  useTitle(t("Issues · Kit"));
  return (
    <Page>
      <PageHead
        title={t("Issues")}
        beside={<NewIssuesButton count={list.arrived} onShow={() => void pages.refetch()} />}
        end={
          <>
            <IconButton asChild variant="soft" color="gray">
              <a
                href={forwardingAddress}
                aria-label={t("Forwarding")}
                title={t("Forward error reports to your server")}
              >
                <Icon name="globe" />
              </a>
            </IconButton>
            <HelpButton onHelp={help.open} />
          </>
        }
      >
        <IssueFilterBar view={view} games={games} onChange={change} textField={textField} />
        {selection.issues.length > 0 && (
          <SelectionBar selected={selection.issues} tab={view.tab} commands={commands} onClear={selection.clear} />
        )}
      </PageHead>
      <ErrorText error={trouble} />
      {pages.isPending && !list.error && <p className="list-end">{t("Loading issues…")}</p>}
      {rows.length > 0 && (
        <IssueList
          rows={rows}
          query={query}
          nowMs={nowMs}
          selected={selection.ids}
          onSelect={selection.toggle}
          from={from}
        />
      )}
      {pages.isSuccess && rows.length === 0 && <EmptyIssueList view={view} onClear={() => change(noFilters)} />}
      <ListEnd list={list} />
      {help.dialog}
    </Page>
  );
}

/** The button that loads more issues, and how many issues Kit deleted to free space. */
function ListEnd({ list: { pages, forgotten } }: { list: ReturnType<typeof useIssueList> }) {
  return (
    <>
      {pages.hasNextPage && (
        <div className="list-end">
          <Button variant="soft" color="gray" disabled={pages.isFetching} onClick={() => void pages.fetchNextPage()}>
            {t("Show more")}
          </Button>
        </div>
      )}
      {forgotten !== undefined && forgotten.issues > 0 && (
        <p className="list-end small">
          {t("To free space, Kit permanently deleted the least important issues: {{issues}} with {{reports}}.", {
            issues: issueCountText(forgotten.issues),
            reports: reportCountText(forgotten.reports),
          })}
        </p>
      )}
    </>
  );
}

/** Shows new issues only after a click, so that no row moves under the pointer. */
function NewIssuesButton({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <p role="status">
      {count > 0 && (
        <Button size="1" variant="soft" onClick={onShow}>
          {t("Show new ({{issues}})", { issues: issueCountText(count) })}
        </Button>
      )}
    </p>
  );
}

type Selection = {
  readonly ids: ReadonlySet<string>;
  readonly issues: readonly Issue[];
  readonly toggle: (id: string) => void;
  readonly clear: () => void;
};

const emptySelection: ReadonlySet<string> = new Set();

/** The selected rows. A new `scope`, i.e. another view or a completed command, clears the selection. */
function useSelection(rows: readonly Issue[], scope: string): Selection {
  const [chosen, setChosen] = useState({ scope, ids: emptySelection });
  const ids = chosen.scope === scope ? chosen.ids : emptySelection;
  const issues = useMemo(() => rows.filter(({ id }) => ids.has(id)), [rows, ids]);
  const toggle = useCallback(
    (id: string) =>
      setChosen((before) => {
        const next = new Set(before.scope === scope ? before.ids : emptySelection);
        if (!next.delete(id)) next.add(id);
        return { scope, ids: next };
      }),
    [scope],
  );
  const clear = useCallback(() => setChosen({ scope, ids: emptySelection }), [scope]);
  return { ids, issues, toggle, clear };
}

const shortcutHelp = [
  { keys: ["j", "k"], says: t("Move through the issues") },
  { keys: ["Enter"], says: t("Open the issue") },
  { keys: ["x"], says: t("Select the issue") },
  { keys: ["r"], says: t("Resolve the selected issues, or the current one") },
  { keys: ["m"], says: t("Mute the selected issues, or the current one") },
  { keys: ["/"], says: t("Jump to the search field") },
  { keys: ["Esc"], says: t("Clear the selection") },
  { keys: ["?"], says: t("Show this help") },
] as const;

type ListKeysDeps = {
  rows: readonly Issue[];
  selection: Selection;
  commands: IssueCommands;
  textField: { readonly current: HTMLInputElement | null };
  inTrash: boolean;
};

/** Registers the list's keyboard shortcuts and returns the dialog that lists them. */
function useListKeys({ rows, selection, commands, textField, inTrash }: ListKeysDeps) {
  const targets = () => {
    if (selection.issues.length > 0) return selection.issues;
    const focused = issueFocus.focusedId();
    return rows.filter(({ id }) => id === focused);
  };
  const act = (command: (issues: readonly Issue[]) => void) => {
    const issues = inTrash ? [] : targets();
    if (issues.length > 0) command(issues);
  };
  const handlers = {
    j: () => issueFocus.move(1),
    k: () => issueFocus.move(-1),
    x: () => {
      const focused = issueFocus.focusedId();
      if (focused !== undefined) selection.toggle(focused);
    },
    r: () => act((issues) => commands.resolve(issues.map(({ id }) => id))),
    m: () => act((issues) => commands.ask("mute", issues)),
    "/": () => textField.current?.focus(),
    Escape: selection.clear,
  };
  return usePageKeys(handlers, shortcutHelp);
}
