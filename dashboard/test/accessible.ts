// Checks the accessibility of a page with axe.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const axe = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

export const narrow = { width: 360, height: 740 };

/** Switches the system's colour scheme, and waits until the page is drawn in it. */
export async function inColours(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.locator(`.radix-themes.${colorScheme}[data-is-root-theme="true"]`).waitFor();
}

/** Waits for colour transitions. During one, the contrast is not the designed one. */
const settled = (page: Page): Promise<unknown> =>
  page.evaluate(() => {
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    return Promise.allSettled(transitions.map(({ finished }) => finished)).then(() => undefined);
  });

/** The rules whose result depends on the colour scheme. All others look at the elements, which are the same in both. */
const colourRules = ["color-contrast", "link-in-text-block"];

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
export async function assertAccessibleInBothSchemes(page: Page, state: string): Promise<void> {
  const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(overflowPx, 0, `${state}: nothing is wider than the page`);
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  const [current, other] = isDark ? (["dark", "light"] as const) : (["light", "dark"] as const);
  await inColours(page, current);
  await assertAccessible(page, `${state}, ${current}`);
  await inColours(page, other);
  await assertAccessible(page, `${state}, ${other}`, colourRules);
}
