// Opens the dashboard in the user's browser. The sign-in link does not appear in the list of processes, which others can read.
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { release, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../config.ts";
import { withUmask } from "../process/umask.ts";

/** Returns a sign-in link to a page of the dashboard. The ticket is in the fragment, which browsers never send to a server. */
export const signInLink = (port: number, ticket: string, page = ""): string =>
  `http://127.0.0.1:${port}/#t=${ticket}${page && `&page=${page}`}`;

/** Returns the dashboard's sign-in link. `failing` says why events cannot be stored; the link then opens the storage page. */
export const dashboardLink = (port: number, ticket: string, failing: string | null | undefined): string =>
  signInLink(port, ticket, failing ? "storage" : "");

/** A sign-in link works for a minute, so its page is not needed any longer. */
const pageMs = 60_000;

function removeOldPages(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/^open-.*\.html$/.test(name)) continue;
    const page = join(folder, name);
    const age = Date.now() - (statSync(page, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > pageMs) rmSync(page, { force: true });
  }
}

/**
 * Writes the page that opens the sign-in link. Each opening has its own, because a browser may read it late. Only the user can
 * read its file, which is in the data directory, or in a new temporary folder if that fails.
 */
function writePage(dataDir: string, html: string): string {
  const write = (folder: string) => {
    const page = join(folder, `open-${randomUUID()}.html`);
    writeFileSync(page, html, { mode: 0o600 });
    removeOldPages(folder);
    return page;
  };
  try {
    return write(dataDir);
  } catch {
    return write(mkdtempSync(join(tmpdir(), "kit-open-")));
  }
}

/** Opens the link through a file that only its owner can read. Returns false if no browser can be opened. */
export async function openInBrowser(config: Config, link: string): Promise<boolean> {
  return openPage(config, `<meta http-equiv="refresh" content="0; url=${link}">`);
}

const escapeHtml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Shows why Kit did not start to a person who sees no terminal. */
export const showStartFailure = (config: Config, why: string): Promise<boolean> =>
  openPage(config, `<h1>Kit did not start</h1><p>${escapeHtml(why)}</p>`);

/** xdg-open tries one browser after the other, and fails if none runs, as for root. With one that runs, it can stay. */
const failsWithinMs = 2_000;

async function hasOpened(program: ChildProcess): Promise<boolean> {
  const over = new AbortController();
  // Keeps this process running meanwhile, which the program does not.
  const late = pause(failsWithinMs, undefined, { signal: over.signal }).catch(() => undefined);
  if (program.exitCode === null) await Promise.race([once(program, "exit"), late]);
  over.abort();
  return program.exitCode === null || program.exitCode === 0;
}

async function openPage({ dataDir, umask, hasDesktop }: Config, content: string): Promise<boolean> {
  if (!hasDesktop) return false;
  try {
    const page = writePage(dataDir, `<!doctype html><meta charset="utf-8"><title>Kit</title>${content}`);
    const { default: open } = await import("open");
    // The browser gets the user's umask, so that its downloads are not private. Only on Linux outside WSL is it a child of
    // this process, which would pass on Kit's umask.
    const isChild = process.platform === "linux" && !/microsoft/i.test(release());
    const [name = "", ...words] = withUmask(umask, ["xdg-open"]);
    return await hasOpened(await open(page, isChild ? { app: { name, arguments: words } } : {}));
  } catch {
    return false;
  }
}
