// The issue list with its filters, selection and keyboard shortcuts.
import type { Issue } from "@kit/contract";
import { Button, IconButton } from "@radix-ui/themes";
import { useCallback, useMemo, useRef, useState } from "react";
import { useGameNames } from "../../../api/use-games.ts";
import { t } from "../../../language/language.ts";
import { forwardingAddress, issuesAddress, replaceAddress, useFragment } from "../../../ui/address.ts";
import { ErrorText } from "../../../ui/error-text.tsx";
import { HelpButton, usePageKeys } from "../../../ui/help-dialog.tsx";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import { Page, PageHead, useTitle } from "../../../ui/page.tsx";
import { useNow } from "../../../ui/use-now.ts";
import { issueCountText, reportCountText } from "../issue-format.ts";
import { defaultIssueView, type IssueTab, type IssueView, parseIssueView, toIssueQuery } from "../issue-view.ts";
import type { IssueCommands } from "../use-issue-commands.ts";
import { useDropInactiveLists, useIssueList } from "../use-issues.ts";
import { IssueFilterBar, type IssueViewChange } from "./issue-filter-bar.tsx";
import { IssueList } from "./issue-list.tsx";
import { EmptyIssueList } from "./issues-empty.tsx";
import { focusedIssueId, moveIssueFocus } from "./row-focus.ts";

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
    const focused = focusedIssueId();
    return rows.filter(({ id }) => id === focused);
  };
  const act = (command: (issues: readonly Issue[]) => void) => {
    const issues = inTrash ? [] : targets();
    if (issues.length > 0) command(issues);
  };
  const handlers = {
    j: () => moveIssueFocus(1),
    k: () => moveIssueFocus(-1),
    x: () => {
      const focused = focusedIssueId();
      if (focused !== undefined) selection.toggle(focused);
    },
    r: () => act((issues) => commands.resolve(issues.map(({ id }) => id))),
    m: () => act((issues) => commands.ask("mute", issues)),
    "/": () => textField.current?.focus(),
    Escape: selection.clear,
  };
  return usePageKeys(handlers, shortcutHelp);
}
