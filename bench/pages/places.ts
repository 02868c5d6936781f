// The visited pages: address, first content, and actions of a person.
import type { Page } from "playwright-core";

export type Place = {
  readonly page: string;
  readonly fragment: string;
  /** Selector of the first content. */
  readonly content: string;
  /** Keys and clicks; each waits until its result is drawn. */
  readonly act: (page: Page) => Promise<void>;
};

const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** Opens an entry of a list with the keyboard and goes back. */
const openOne = (first: string) => async (page: Page) => {
  await page.locator(first).first().focus();
  await press(page, "ArrowDown", "ArrowDown", "Enter");
  await press(page, "Escape");
};

export const places: readonly Place[] = [
  { page: "Live", fragment: "#/live", content: "button.row", act: openOne("button.row") },
  {
    page: "Issues",
    fragment: "#/issues",
    content: ".issue-row",
    act: async (page) => {
      await page.locator(".issue-link").first().focus();
      await press(page, "j", "j", "x", "k", "Escape");
    },
  },
  {
    page: "Clips",
    fragment: "#/clips",
    content: ".clip-card",
    act: async (page) => {
      await page.locator(".clip-link").first().focus();
      await press(page, "ArrowRight", "ArrowDown", "ArrowLeft", "End");
    },
  },
  {
    page: "Sessions",
    fragment: "#/sessions",
    content: ".session-row",
    act: async (page) => {
      await page.locator(".session-row").first().focus();
      await press(page, "Tab", "Tab", "Enter");
      await page.getByRole("slider").first().waitFor();
      await press(page, "ArrowRight", "ArrowRight", "+", "-");
    },
  },
];
