// What a component test sees of posts: their cards, their order, the focus, and the confirmation of an action.
import assert from "node:assert/strict";
import { screen } from "@testing-library/react";

/** The card of the post with this text. */
export async function cardWith(text: string): Promise<HTMLElement> {
  const words = await screen.findByText(text, { selector: ".post-text *" });
  return words.closest<HTMLElement>(".post") ?? assert.fail(text);
}

/** The texts of the posts in a part of the page, from first to last. */
export const postsIn = (part: ParentNode): (string | null)[] =>
  [...part.querySelectorAll(".post-text")].map(({ textContent }) => textContent);

/** The text of the post that has the focus. */
export const focusedText = (): string | null | undefined =>
  document.activeElement?.closest(".post")?.querySelector(".post-text")?.textContent;

/** The message that confirms an action. */
export async function toastThatSays(text: string | RegExp): Promise<HTMLElement> {
  const said = await screen.findByText(text, { selector: ".toast > span" });
  return said.closest<HTMLElement>(".toast") ?? assert.fail();
}
