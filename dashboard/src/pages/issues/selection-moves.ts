// Moving the focus through the rows of the list.
import type { KeyboardEvent } from "react";

const rowsShown = () => [...document.querySelectorAll<HTMLElement>("[data-issue]")];
const linkOf = (row: Element | null | undefined) => row?.querySelector<HTMLElement>("a.issue-link");

/** The id of the row that has the focus. */
export const focusedIssue = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>("[data-issue]")?.dataset.issue;

export const focusIssue = (id: string): void =>
  linkOf(document.querySelector(`[data-issue="${CSS.escape(id)}"]`))?.focus();

function focusAt(at: number): void {
  const rows = rowsShown();
  const row = rows[Math.max(0, Math.min(at, rows.length - 1))];
  linkOf(row)?.focus();
  row?.scrollIntoView({ block: "nearest" });
}

/** Focuses the row so many further on, or the one the tab key would reach when none has the focus. */
export function moveFocus(by: number): void {
  const rows = rowsShown();
  const at = rows.findIndex((row) => row.dataset.issue === focusedIssue());
  focusAt(at === -1 ? rows.findIndex((row) => linkOf(row)?.tabIndex === 0) : at + by);
}

/** The keys of a list, in a row of it. */
export function moveByKey(event: KeyboardEvent): void {
  const moves: Record<string, () => void> = {
    ArrowDown: () => moveFocus(1),
    ArrowUp: () => moveFocus(-1),
    Home: () => focusAt(0),
    End: () => focusAt(Number.MAX_SAFE_INTEGER),
  };
  const move = moves[event.key];
  if (move === undefined) return;
  event.preventDefault();
  move();
}
