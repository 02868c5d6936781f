// Renders the whole dashboard with a fake launcher, in the DOM of happy-dom, which has no layout and no media.
import assert from "node:assert/strict";
import { cleanup, configure, render, screen } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { afterEach, onTestFinished, vi } from "vitest";
import type { SignInSession } from "../../src/api/session.ts";
import { App } from "../../src/app.tsx";
import { withTranslatedErrors } from "../../src/language/language.ts";
import { createFakeLauncher, type FakeLauncher } from "./fake-launcher.ts";

// Only used up by what never appears. Its error names the roles that are there, and leaves the whole document out.
configure({
  asyncUtilTimeout: 60_000,
  getElementError: (message) => new Error((message ?? "").split("\n\nIgnored nodes")[0]),
});

// Lists draw only what fits into the element that scrolls them. Each of their items tells its height.
Object.defineProperties(HTMLElement.prototype, {
  clientWidth: { get: () => 1200 },
  clientHeight: { get: () => 900 },
  offsetHeight: { get: () => 60 },
});
// A browser asks the topmost dialog to close on Escape.
document.addEventListener("keydown", (event) => {
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  if (event.key === "Escape" && !event.defaultPrevented)
    dialog?.dispatchEvent(new Event("cancel", { cancelable: true }));
});

export type OpenedApp = { readonly launcher: FakeLauncher; readonly user: UserEvent };

/** Opens a page of the dashboard, such as `#/posts`. The test fails if an operation has no reply, or the console shows an error. */
export async function openApp(fragment: string, launcher = createFakeLauncher()): Promise<OpenedApp> {
  const complaints: unknown[] = [];
  vi.spyOn(console, "error").mockImplementation((...said) => {
    // Every browser knows the element <search>, but happy-dom does not.
    const isUnknownSearch = /^The tag <%s> is unrecognized/u.test(String(said[0])) && said[1] === "search";
    if (!isUnknownSearch) complaints.push(said.map(String).join(" "));
  });
  const state = { state: "open", pass: "pass" } as const;
  const session: SignInSession = {
    client: withTranslatedErrors(launcher.client),
    current: () => state,
    subscribe: () => () => undefined,
  };
  location.hash = fragment;
  localStorage.clear();
  const user = userEvent.setup();
  render(<App session={session} />);
  onTestFinished(() => assert.deepEqual([[...launcher.unanswered], complaints], [[], []]));
  await screen.findByRole("heading", { level: 1 });
  return { launcher, user };
}

/** Returns a function that replaces the text of a field at once, because each typed letter draws the page again. */
export const fillWith = (user: UserEvent) => async (field: HTMLElement, text: string) => {
  await user.clear(field);
  await user.paste(text);
};

afterEach(cleanup);
