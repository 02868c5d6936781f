// Keyboard focus in the list of posts.
import type { KeyboardEvent } from "react";

const postCards = () => [...document.querySelectorAll<HTMLElement>("[data-post]")];

/** Returns the id of the post that contains the focus. */
export const focusedPostId = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>("[data-post]")?.dataset.post;

function focusCard(card: HTMLElement | undefined): void {
  // Scrolls only for keyboard users, because nothing may move under the pointer.
  const scrolls = document.activeElement === document.body || document.activeElement?.matches(":focus-visible");
  card?.focus({ preventScroll: true });
  if (scrolls) card?.scrollIntoView({ block: "nearest" });
}

export const focusPost = (id: string): void => focusCard(postCards().find((card) => card.dataset.post === id));

function focusAt(at: number): void {
  const all = postCards();
  focusCard(all[Math.max(0, Math.min(at, all.length - 1))]);
}

/** Moves the focus by `by` posts. Without a focused post, focuses the post in the tab order. */
export function movePostFocus(by: number): void {
  const all = postCards();
  const at = all.findIndex((card) => card.dataset.post === focusedPostId());
  focusAt(at === -1 ? all.findIndex(({ tabIndex }) => tabIndex === 0) : at + by);
}

/** Handles the arrow keys, Home and End on the post itself, not in its fields and buttons. */
export function handlePostKey(event: KeyboardEvent<HTMLElement>): void {
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
