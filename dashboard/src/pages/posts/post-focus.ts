// Moves the keyboard focus between posts.
import type { KeyboardEvent } from "react";

const postCards = () => [...document.querySelectorAll<HTMLElement>("[data-post]")];

/** Returns the id of the post that has the focus, or contains the element that has it. */
export const focusedPostId = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>("[data-post]")?.dataset.post;

function focusCard(card: HTMLElement | undefined): void {
  // Scrolls only for keyboard users: for others, nothing may move under the pointer.
  const scrolls = document.activeElement === document.body || document.activeElement?.matches(":focus-visible");
  card?.focus({ preventScroll: true });
  if (scrolls) card?.scrollIntoView({ block: "nearest" });
}

export const focusPost = (id: string): void => focusCard(postCards().find((card) => card.dataset.post === id));

function focusAt(at: number): void {
  const all = postCards();
  focusCard(all[Math.max(0, Math.min(at, all.length - 1))]);
}

/** Moves the focus by `by` posts. If no post has the focus, focuses the post in the tab order. */
export function movePostFocus(by: number): void {
  const all = postCards();
  const at = all.findIndex((card) => card.dataset.post === focusedPostId());
  focusAt(at === -1 ? all.findIndex(({ tabIndex }) => tabIndex === 0) : at + by);
}

/** Moves the focus when an arrow key, Home or End is pressed on a post, but not in its fields and buttons. */
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
