// Moves the keyboard focus between the rows of the issue list.
import type { KeyboardEvent } from "react";

const listedRows = () => [...document.querySelectorAll<HTMLElement>("[data-issue]")];
const rowLink = (row: Element | null | undefined) => row?.querySelector<HTMLElement>("a.issue-link");

/** Returns the id of the issue whose row has the focus. */
export const focusedIssueId = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>("[data-issue]")?.dataset.issue;

export const focusIssue = (id: string): void =>
  rowLink(document.querySelector(`[data-issue="${CSS.escape(id)}"]`))?.focus();

function focusAt(at: number): void {
  const rows = listedRows();
  const row = rows[Math.max(0, Math.min(at, rows.length - 1))];
  rowLink(row)?.focus();
  row?.scrollIntoView({ block: "nearest" });
}

/** Moves the focus by `by` rows. If no row has the focus, focuses the row in the tab order. */
export function moveIssueFocus(by: number): void {
  const rows = listedRows();
  const at = rows.findIndex((row) => row.dataset.issue === focusedIssueId());
  focusAt(at === -1 ? rows.findIndex((row) => rowLink(row)?.tabIndex === 0) : at + by);
}

/** Moves the focus when an arrow key, Home or End is pressed in a row. */
export function handleIssueRowKey(event: KeyboardEvent): void {
  const moves: Record<string, () => void> = {
    ArrowDown: () => moveIssueFocus(1),
    ArrowUp: () => moveIssueFocus(-1),
    Home: () => focusAt(0),
    End: () => focusAt(Number.MAX_SAFE_INTEGER),
  };
  const move = moves[event.key];
  if (move === undefined) return;
  event.preventDefault();
  move();
}
