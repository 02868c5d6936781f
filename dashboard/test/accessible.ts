// What "accessible" means in these tests: axe finds nothing to say about the page as it is.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const axe = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

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

/** The rules whose result depends on the colour scheme. All others look at the elements, which are the same in both. */
const ofColours = ["color-contrast", "link-in-text-block"];

export async function assertAccessible(page: Page, state: string, rules?: readonly string[]): Promise<void> {
  await settled(page);
  // Axe is half a megabyte, so it is added to a page only once.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(`${axe}; undefined`);
  const options: RunOptions = { resultTypes: ["violations"], ...(rules && { runOnly: [...rules] }) };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join(" | ")}`,
  );
  assert.deepEqual(found, [], state);
}

/** Loads the page once. Scans it with all rules in its colour scheme, then with the rules about colour in the other. */
export async function assertFine(page: Page, state: string): Promise<void> {
  const overhangPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(overhangPx, 0, `${state}: nothing sticks out to the side`);
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  const [here, there] = isDark ? (["dark", "light"] as const) : (["light", "dark"] as const);
  await inColours(page, here);
  await assertAccessible(page, `${state}, ${here}`);
  await inColours(page, there);
  await assertAccessible(page, `${state}, ${there}`, ofColours);
}
