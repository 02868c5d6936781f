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

export async function assertAccessible(page: Page, state: string): Promise<void> {
  // The page has one frame: axe need not gather the results of several in a blank page. Only violations are read.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await axe.analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join(" | ")}`,
  );
  assert.deepEqual(found, [], state);
}
