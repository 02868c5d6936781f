// Opens the dashboard in the person's browser without the ticket ever showing in a process list.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasDesktop } from "../config.ts";

/** The page's address with a ticket in the fragment, which browsers never send anywhere. */
export const dashboardLink = (port: number, ticket: string): string => `http://127.0.0.1:${port}/#t=${ticket}`;

/** Opens the link by way of a file only its owner can read. False where there is no browser to open. */
export async function openInBrowser(dataDir: string, link: string): Promise<boolean> {
  if (!hasDesktop()) return false;
  const page = join(dataDir, "open.html");
  const html = `<!doctype html><meta charset="utf-8"><title>Kit</title><meta http-equiv="refresh" content="0; url=${link}">`;
  writeFileSync(page, html, { mode: 0o600 });
  try {
    const { default: open } = await import("open");
    await open(page);
    return true;
  } catch {
    return false;
  }
}
