// The user guide's pictures: every page of a launcher that a sample game was played with, light, dark and narrow.
import type { Page } from "playwright-core";
import type { LauncherProcess } from "./launcher-process.ts";

export type GuidePage = {
  readonly name: string;
  readonly fragment: string;
  /** A selector that matches once the page is complete. */
  readonly ready: string;
  /** Opens something on the page before the picture. */
  readonly open?: (page: Page) => Promise<void>;
};

const first = (selector: string) => async (page: Page) => await page.locator(selector).first().click();

export const guidePages: readonly GuidePage[] = [
  { name: "home", fragment: "#/home", ready: ".home-clip img" },
  { name: "live", fragment: "#/live", ready: "button.row" },
  { name: "issues", fragment: "#/issues", ready: ".issue-row" },
  { name: "issue", fragment: "#/issues", ready: ".issue-row", open: first(".issue-link") },
  { name: "clips", fragment: "#/clips", ready: ".clip-card img" },
  { name: "player", fragment: "#/clips", ready: ".clip-card img", open: first(".clip-link") },
  { name: "posts", fragment: "#/posts", ready: ".post img" },
  { name: "accounts", fragment: "#/accounts", ready: "main h1" },
  { name: "post-rules", fragment: "#/post-rules", ready: "main h1" },
  { name: "sessions", fragment: "#/sessions", ready: ".session-row" },
  { name: "session", fragment: "#/sessions", ready: ".session-row", open: first(".session-row") },
  { name: "games", fragment: "#/games", ready: "main h1" },
  { name: "rules", fragment: "#/rules", ready: "main h1" },
  { name: "connect", fragment: "#/connect/godot", ready: "main h1" },
  { name: "recorder", fragment: "#/recorder", ready: "main h1" },
  { name: "forwarding", fragment: "#/forwarding", ready: "main h1" },
  { name: "storage", fragment: "#/storage", ready: "main h1" },
  { name: "settings", fragment: "#/settings", ready: "main h1" },
];

const wide = { width: 1280, height: 900 };
const narrow = { width: 390, height: 844 };

const looks = [
  { name: "light", colorScheme: "light", viewport: wide },
  { name: "dark", colorScheme: "dark", viewport: wide },
  { name: "narrow", colorScheme: "light", viewport: narrow },
] as const;

/** Visits all pages; `take` makes a picture of the current one. */
export async function visitAll(
  page: Page,
  { port }: Pick<LauncherProcess, "port">,
  take: (name: string) => Promise<void>,
): Promise<void> {
  for (const { name: look, colorScheme, viewport } of looks) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const { name, fragment, ready, open } of guidePages) {
      await page.goto(`http://127.0.0.1:${port}/${fragment}`);
      await page.reload();
      await page.locator(ready).first().waitFor();
      await open?.(page);
      await take(`guide/${name}-${look}`);
    }
  }
}
