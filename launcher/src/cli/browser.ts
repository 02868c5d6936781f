// Opens the dashboard in the person's browser without the ticket ever showing in a process list.
import { mkdtempSync, writeFileSync } from "node:fs";
import { release, tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, hasDesktop } from "../config.ts";
import { withUmask } from "../umask.ts";

/**
 * The page's address with a ticket in the fragment, which browsers never send anywhere. `failing`: why nothing can be stored, if
 * so; then it leads to the page that gives room.
 */
export const dashboardLink = (port: number, ticket: string, failing: string | null | undefined): string =>
  `http://127.0.0.1:${port}/#t=${ticket}${failing ? "&page=storage" : ""}`;

/** Where only the user can read: the data directory, or a new folder where nothing can be written to it. */
function writePage(dataDir: string, html: string): string {
  const write = (folder: string) => {
    const page = join(folder, "open.html");
    writeFileSync(page, html, { mode: 0o600 });
    return page;
  };
  try {
    return write(dataDir);
  } catch {
    return write(mkdtempSync(join(tmpdir(), "kit-open-")));
  }
}

/** Opens the link by way of a file only its owner can read. False where there is no browser to open. */
export async function openInBrowser({ dataDir, umask }: Config, link: string): Promise<boolean> {
  if (!hasDesktop()) return false;
  const html = `<!doctype html><meta charset="utf-8"><title>Kit</title><meta http-equiv="refresh" content="0; url=${link}">`;
  try {
    const page = writePage(dataDir, html);
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
