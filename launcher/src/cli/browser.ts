// Opens the dashboard in the person's browser without the ticket ever showing in a process list.
import { writeFileSync } from "node:fs";
import { release } from "node:os";
import { join } from "node:path";
import { type Config, hasDesktop } from "../config.ts";
import { withUmask } from "../umask.ts";

/** The page's address with a ticket in the fragment, which browsers never send anywhere. */
export const dashboardLink = (port: number, ticket: string): string => `http://127.0.0.1:${port}/#t=${ticket}`;

/** Opens the link by way of a file only its owner can read. False where there is no browser to open. */
export async function openInBrowser({ dataDir, umask }: Config, link: string): Promise<boolean> {
  if (!hasDesktop()) return false;
  const page = join(dataDir, "open.html");
  const html = `<!doctype html><meta charset="utf-8"><title>Kit</title><meta http-equiv="refresh" content="0; url=${link}">`;
  writeFileSync(page, html, { mode: 0o600 });
  try {
    const { default: open } = await import("open");
    // The browser's downloads are as the user is used to. Elsewhere, Windows below a Linux among it, it is no child of this process.
    const isChild = process.platform === "linux" && !/microsoft/i.test(release());
    const [name = "", ...words] = withUmask(umask, ["xdg-open"]);
    await open(page, isChild ? { app: { name, arguments: words } } : {});
    return true;
  } catch {
    return false;
  }
}
