// Fills a field of a page.
import { fireEvent } from "@testing-library/react";

/** Gives a field the focus and replaces what it holds, as a paste does. Typing each letter renders the page for each. */
export function fill(field: HTMLElement, value: string): void {
  field.focus();
  fireEvent.change(field, { target: { value } });
}
