// The list of issues: what went wrong, how often, and what a person does about it.
import type { Issue } from "@kit/contract";
import { Button, IconButton } from "@radix-ui/themes";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useGames } from "../../api/use-games.ts";
import { t } from "../../language/language.ts";
import { forwardingAddress, issuesAddress, replaceAddress, useFragment } from "../../ui/address.ts";
import { HelpDialog } from "../../ui/help-dialog.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { issuesWord, reportsWord } from "../../ui/issues/issue-measures.ts";
import { type IssueTab, type IssueView, issueQueryOf, issueViewIn, openIssues } from "../../ui/issues/issue-view.ts";
import { useShortcutSwitch, useShortcuts } from "../../ui/shortcuts.ts";
import { StorageBanner } from "../../ui/storage-banner.tsx";
import { useNow } from "../../ui/use-now.ts";
import { IssueFilterBar, type ViewChange } from "./issue-filter-bar.tsx";
import { listKeys } from "./issue-keys.ts";
import { IssueList } from "./issue-list.tsx";
import { NoIssues } from "./issues-empty.tsx";
import { focusedIssue, moveFocus } from "./selection-moves.ts";
import type { IssueCommands } from "./use-issue-commands.ts";
import { useForgetLists, useIssueList } from "./use-issues.ts";

/** The list's view as the address holds it: changing one changes the other. */
function useIssueView(): [IssueView, (change: ViewChange) => void] {
  const fragment = useFragment();
  const view = useMemo(() => issueViewIn(fragment), [fragment]);
  const forgetLists = useForgetLists();
  const change = useCallback(
    (members: ViewChange) => {
      forgetLists();
      const next = { ...issueViewIn(location.hash), ...members } as IssueView;
      replaceAddress(issuesAddress(undefined, issueQueryOf(next)));
    },
    [forgetLists],
  );
  return [view, change];
}

type SelectionBarProps = { selected: readonly Issue[]; tab: IssueTab; doing: IssueCommands; onClear: () => void };

const oneGame = (issues: readonly Issue[]) => new Set(issues.map(({ game }) => game)).size === 1;

/** What can be done with all selected issues at once. */
function SelectionBar({ selected, tab, doing, onClear }: SelectionBarProps) {
  const ids = selected.map(({ id }) => id);
  const button = (icon: IconName, says: string, onClick: () => void) => (
    <Button variant="soft" color="gray" onClick={onClick}>
      <Icon name={icon} size={14} />
      {says}
    </Button>
  );
  return (
    <section className="selection-bar" aria-label={t("What to do with the selected")}>
      <p role="status">{t("{{issues}} selected", { issues: issuesWord(selected.length) })}</p>
      {tab === "bin" ? (
        <>
          {button("undo", t("Take back"), () => doing.restore(ids))}
          {button("bin", t("Remove for good"), () => doing.ask("remove", selected))}
        </>
      ) : (
        <>
          {tab !== "resolved" && button("check", t("Resolve"), () => doing.resolve(ids))}
          {tab !== "open" && button("undo", t("Open again"), () => doing.reopen(ids))}
          {tab !== "muted" && button("mute", t("Mute"), () => doing.ask("mute", selected))}
          {selected.length > 1 && oneGame(selected) && button("merge", t("Merge"), () => doing.ask("merge", selected))}
          {button("bin", t("Delete"), () => doing.discard(ids))}
        </>
      )}
      <Button variant="ghost" color="gray" onClick={onClear}>
        {t("Clear")}
      </Button>
    </section>
  );
}

type Props = {
  doing: IssueCommands;
  error: Error | undefined;
  /** The issue a person comes back from. */
  from: string | undefined;
  /** Rises with each step that was done. */
  steps: number;
};

const nothing = { ...openIssues, game: undefined, search: undefined };

export function IssueListPage({ doing, error, from, steps }: Props) {
  const [view, change] = useIssueView();
  const list = useIssueList(view);
  const { pages, rows } = list;
  const nowMs = useNow();
  const query = issueQueryOf(view);
  const selection = useSelection(rows, `${query} ${steps}`);
  const textField = useRef<HTMLInputElement>(null);
  const help = useListKeys({ rows, selection, doing, textField, inBin: view.tab === "bin" });
  const games = useGameNames(rows);
  const trouble = error ?? list.error;
  useEffect(() => {
    document.title = t("Issues · Kit");
  }, []);
  return (
    <main className="issues">
      <StorageBanner />
      <div className="live-sticky">
        <Head arrived={list.arrived} onShow={() => void pages.refetch()} onHelp={help.open} />
        <IssueFilterBar view={view} games={games} onChange={change} textField={textField} />
        {selection.issues.length > 0 && (
          <SelectionBar selected={selection.issues} tab={view.tab} doing={doing} onClear={selection.clear} />
        )}
      </div>
      {trouble && (
        <p className="clips-trouble" role="alert">
          {trouble.message}
        </p>
      )}
      {pages.isPending && !list.error && <p className="issues-wait">{t("Looking for issues…")}</p>}
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
      {pages.isSuccess && rows.length === 0 && <NoIssues view={view} onClear={() => change(nothing)} />}
      <End list={list} />
      {help.dialog}
    </main>
  );
}

type HeadProps = { arrived: number; onShow: () => void; onHelp: () => void };

function Head({ arrived, onShow, onHelp }: HeadProps) {
  return (
    <div className="live-head">
      <h1>{t("Issues")}</h1>
      <Arrived count={arrived} onShow={onShow} />
      <div className="live-head-end">
        <IconButton asChild variant="soft" color="gray">
          <a href={forwardingAddress} aria-label={t("Forwarding")} title={t("Forwarding to a server of yours")}>
            <Icon name="globe" />
          </a>
        </IconButton>
        <IconButton
          variant="soft"
          color="gray"
          aria-label={t("Keys and help")}
          title={t("Keys and help")}
          onClick={onHelp}
        >
          <Icon name="help" />
        </IconButton>
      </div>
    </div>
  );
}

/** Below the last row: the way on, and what is no longer there. */
function End({ list: { pages, forgotten } }: { list: ReturnType<typeof useIssueList> }) {
  return (
    <>
      {pages.hasNextPage && (
        <div className="notice-line">
          <Button variant="soft" color="gray" disabled={pages.isFetching} onClick={() => void pages.fetchNextPage()}>
            {t("Show more")}
          </Button>
        </div>
      )}
      {forgotten !== undefined && forgotten.issues > 0 && (
        <p className="issues-forgotten">
          {t("To make room, {{issues}} with {{reports}} went for good: those that mattered least.", {
            issues: issuesWord(forgotten.issues),
            reports: reportsWord(forgotten.reports),
          })}
        </p>
      )}
    </>
  );
}

/** What came since the list was loaded waits: nobody's row moves from under the pointer. */
function Arrived({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <p className="issues-arrived" role="status">
      {count > 0 && (
        <Button size="1" variant="soft" onClick={onShow}>
          {t("Show {{issues}} more", { issues: issuesWord(count) })}
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

const none: ReadonlySet<string> = new Set();

/** Of what is shown; ends with the view it was made in, and with what was done. */
function useSelection(rows: readonly Issue[], of: string): Selection {
  const [chosen, setChosen] = useState({ of, ids: none });
  const ids = chosen.of === of ? chosen.ids : none;
  const issues = useMemo(() => rows.filter(({ id }) => ids.has(id)), [rows, ids]);
  const toggle = useCallback(
    (id: string) =>
      setChosen((before) => {
        const next = new Set(before.of === of ? before.ids : none);
        if (!next.delete(id)) next.add(id);
        return { of, ids: next };
      }),
    [of],
  );
  const clear = useCallback(() => setChosen({ of, ids: none }), [of]);
  return { ids, issues, toggle, clear };
}

type KeyNeeds = {
  rows: readonly Issue[];
  selection: Selection;
  doing: IssueCommands;
  textField: { readonly current: HTMLInputElement | null };
  inBin: boolean;
};

/** The keys, and the dialog that explains them. */
function useListKeys({ rows, selection, doing, textField, inBin }: KeyNeeds) {
  const [isOpen, setOpen] = useState(false);
  const [shortcuts, setShortcuts] = useShortcutSwitch();
  const meant = () => {
    if (selection.issues.length > 0) return selection.issues;
    const focused = focusedIssue();
    return rows.filter(({ id }) => id === focused);
  };
  const act = (does: (issues: readonly Issue[]) => void) => {
    const issues = inBin ? [] : meant();
    if (issues.length > 0) does(issues);
  };
  useShortcuts(shortcuts, {
    j: () => moveFocus(1),
    k: () => moveFocus(-1),
    x: () => {
      const focused = focusedIssue();
      if (focused !== undefined) selection.toggle(focused);
    },
    r: () => act((issues) => doing.resolve(issues.map(({ id }) => id))),
    m: () => act((issues) => doing.ask("mute", issues)),
    "/": () => textField.current?.focus(),
    "?": () => setOpen(true),
    Escape: selection.clear,
  });
  const dialog = (
    <HelpDialog
      open={isOpen}
      onClose={() => setOpen(false)}
      shortcuts={shortcuts}
      onShortcuts={setShortcuts}
      help={listKeys}
    />
  );
  return { open: () => setOpen(true), dialog };
}

function useGameNames(rows: readonly Issue[]): string[] {
  const known = useGames().data?.games;
  return useMemo(() => {
    const seen = rows.flatMap(({ game }) => (game === null ? [] : [game]));
    const names = new Set([...(known ?? []).map(({ game }) => game), ...seen]);
    return [...names].sort((a, b) => a.localeCompare(b));
  }, [known, rows]);
}
