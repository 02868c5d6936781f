// What "accessible" means in these tests: axe finds nothing to say about the page as it is.
import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

export const narrow = { width: 360, height: 740 };

/** As the system asks for these colours, once the page has them: it hears of it, and draws them, a moment later. */
export async function inColours(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.locator(`.radix-themes.${colorScheme}[data-is-root-theme="true"]`).waitFor();
}

/** A colour that changes slowly has a contrast on its way that nobody designed. */
const settled = (page: Page): Promise<unknown> =>
  page.evaluate(() => {
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    return Promise.allSettled(transitions.map(({ finished }) => finished)).then(() => undefined);
  });

export async function assertAccessible(page: Page, state: string): Promise<void> {
  await settled(page);
  // Axe is 1.3 MB: where it is in the page from the state before, it is not sent there again.
  const isThere = await page.evaluate("'axe' in window");
  // The page has one frame: axe need not gather the results of several in a blank page. Only violations are read.
  const builder = isThere ? new AxeBuilder({ page, axeSource: "undefined" }) : new AxeBuilder({ page });
  const { violations } = await builder
    .setLegacyMode()
    .options({ resultTypes: ["violations"] })
    .analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join(" | ")}`,
  );
  assert.deepEqual(found, [], state);
}

/** One loading of the page, seen in both colours. */
export async function assertFine(page: Page, state: string): Promise<void> {
  const overhangPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(overhangPx, 0, `${state}: nothing sticks out to the side`);
  for (const colorScheme of ["light", "dark"] as const) {
    await inColours(page, colorScheme);
    await assertAccessible(page, `${state}, ${colorScheme}`);
  }
}
