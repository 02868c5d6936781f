// The pages that are visited: where each is, by what one sees that it is there, and what a person does on it.
import type { Page } from "playwright-core";

export type Place = {
  readonly page: string;
  readonly fragment: string;
  /** The first of what the page is about. */
  readonly content: string;
  /** Keys and clicks; each is waited for until it is drawn. */
  readonly act: (page: Page) => Promise<void>;
};

const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** Opens one of a list with the keyboard and goes back. */
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
