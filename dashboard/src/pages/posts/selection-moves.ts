// Moving the focus through the posts.
import type { KeyboardEvent } from "react";

const cards = () => [...document.querySelectorAll<HTMLElement>("[data-post]")];

/** The id of the post that has the focus, or holds it. */
export const focusedPost = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>("[data-post]")?.dataset.post;

function focusCard(card: HTMLElement | undefined): void {
  // For who uses the pointer nothing may move under it.
  const scrolls = document.activeElement === document.body || document.activeElement?.matches(":focus-visible");
  card?.focus({ preventScroll: true });
  if (scrolls) card?.scrollIntoView({ block: "nearest" });
}

export const focusPost = (id: string): void => focusCard(cards().find((card) => card.dataset.post === id));

function focusAt(at: number): void {
  const all = cards();
  focusCard(all[Math.max(0, Math.min(at, all.length - 1))]);
}

/** Focuses the post so many further on, or the one the tab key would reach when none has the focus. */
export function movePostFocus(by: number): void {
  const all = cards();
  const at = all.findIndex((card) => card.dataset.post === focusedPost());
  focusAt(at === -1 ? all.findIndex(({ tabIndex }) => tabIndex === 0) : at + by);
}

/** The keys of a list, on the post itself: in its fields and on its buttons they keep their own meaning. */
export function movePostByKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.target !== event.currentTarget) return;
  const moves: Record<string, () => void> = {
    ArrowDown: () => movePostFocus(1),
    ArrowUp: () => movePostFocus(-1),
    Home: () => focusAt(0),
    End: () => focusAt(Number.MAX_SAFE_INTEGER),
  };
  const move = moves[event.key];
  if (move === undefined) return;
  event.preventDefault();
  move();
}
