// Moves the keyboard focus between the entries of a list.
import type { KeyboardEvent } from "react";

/** An entry has the attribute `data-<name>`, whose value is its id. */
type ListFocusOptions = {
  readonly name: string;
  /** Returns the element of an entry that takes the focus. */
  readonly targetOf: (entry: HTMLElement) => HTMLElement | null;
  readonly focusEntry: (entry: HTMLElement) => void;
};

export function createListFocus({ name, targetOf, focusEntry }: ListFocusOptions) {
  const listedEntries = () => [...document.querySelectorAll<HTMLElement>(`[data-${name}]`)];

  /** Returns the id of the entry that has the focus, or contains the element that has it. */
  const focusedId = (): string | undefined =>
    document.activeElement?.closest<HTMLElement>(`[data-${name}]`)?.dataset[name];

  const focus = (id: string): void => {
    const entry = listedEntries().find(({ dataset }) => dataset[name] === id);
    if (entry !== undefined) focusEntry(entry);
  };

  const focusAt = (at: number): void => {
    const entries = listedEntries();
    const entry = entries[Math.max(0, Math.min(at, entries.length - 1))];
    if (entry !== undefined) focusEntry(entry);
  };

  /** Moves the focus by `by` entries. If no entry has the focus, focuses the entry in the tab order. */
  const move = (by: number): void => {
    const entries = listedEntries();
    const at = entries.findIndex(({ dataset }) => dataset[name] === focusedId());
    focusAt(at === -1 ? entries.findIndex((entry) => targetOf(entry)?.tabIndex === 0) : at + by);
  };

  /** Moves the focus when an arrow key, Home or End is pressed. */
  const handleKey = (event: KeyboardEvent): void => {
    const moves: Record<string, () => void> = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Home: () => focusAt(0),
      End: () => focusAt(Number.MAX_SAFE_INTEGER),
    };
    const act = moves[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };

  return { focusedId, focus, move, handleKey };
}
