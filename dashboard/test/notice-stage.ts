// Opens a page with alerts, makes new ones, and acts on the toasts, which disappear after a while.
import assert from "node:assert/strict";
import type { BrowserContextOptions, Page } from "playwright-core";
import { openStage, type Stage } from "./stage.ts";

/** Acts on a toast inside the page as soon as it appears, because it disappears after a while. */
export const withToast = (page: Page, selector: string, act: "click" | "focus") =>
  page.waitForFunction(
    ([wanted, how]) => {
      const found = document.querySelector<HTMLElement>(`.notice-toasts ${wanted}`);
      found?.[how]();
      const top = found?.closest(".notice-toasts")?.getBoundingClientRect().top ?? 0;
      const headings = [...document.querySelectorAll("main h1")].map((heading) => heading.getBoundingClientRect());
      const covers = headings.some(({ bottom }) => top < bottom);
      return found === null ? undefined : { text: found.textContent, covers };
    },
    [selector, act] as const,
  );

export async function report({ launcher }: Stage, message: string): Promise<void> {
  assert.equal((await launcher.send("monitor", { message })).status, 202);
}

/** Opens a stage whose page has the alerts. It shows no toast for one that was already in its first answer. */
export async function openWithAlerts(options: BrowserContextOptions = {}): Promise<Stage> {
  const fetched = Promise.withResolvers<void>();
  const prepare = async (page: Page) =>
    page.on("requestfinished", (request) => {
      if (new URL(request.url()).pathname === "/api/notices") fetched.resolve();
    });
  const opened = await openStage({ ...options, prepare });
  await fetched.promise;
  return opened;
}
