// Tests of what the user sees when a page has an error, and when its script is missing.
import assert from "node:assert/strict";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { onTestFinished, test, vi } from "vitest";
import { LoadedPage, lazyPage } from "./loaded-page.tsx";

/** React reports each error that a page throws. */
function quietConsole() {
  const spy = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => spy.mockRestore());
}

const content = "All sessions";

test("an error of a page is shown as it is, and Retry draws the page again without a reload", async () => {
  quietConsole();
  let broken = true;
  const Page = () => {
    if (broken) throw new Error("sessions is not iterable");
    return <p>{content}</p>;
  };
  const { unmount } = render(
    <LoadedPage>
      <Page />
    </LoadedPage>,
  );
  screen.getByRole("heading", { name: "This page has an error" });
  screen.getByText("sessions is not iterable");
  assert.ok(screen.queryByText(/updated or stopped/u) === null);
  broken = false;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  screen.getByText(content);
  unmount();
});

test("a script that does not load is told apart, because a reload fetches the new one", async () => {
  quietConsole();
  const Page = lazyPage<object>(() => Promise.reject(new TypeError("Failed to fetch dynamically imported module")));
  const { unmount } = render(
    <LoadedPage>
      <Page />
    </LoadedPage>,
  );
  await screen.findByText(/^Kit may have been updated or stopped/u);
  unmount();
});
