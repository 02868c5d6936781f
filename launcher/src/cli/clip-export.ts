// `kit clip ID --export discord`: exports a copy that fits a target, and shows the progress.
import { createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import {
  type ClipExport,
  cancelClipExport,
  type ExportTarget,
  exportClip,
  exportTargets,
  getClipExportFile,
  listClipExports,
} from "@kit/contract";
import type { Connection } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { print, printError, printJson } from "./output.ts";
import { formatBytes } from "./units.ts";

export type ExportFlags = { export?: ExportTarget; size?: number; out?: string; json?: boolean };

const pollMs = 250;

/** Progress on one line that is overwritten; prints nothing if stderr is not a terminal. */
function createProgressLine(isShown: boolean) {
  const line = (text: string) => isShown && process.stderr.write(`\r\u001b[K${text}`);
  return {
    update: ({ state, progress }: ClipExport) =>
      line(state === "waiting" ? "waiting for another export…" : `${Math.round(progress * 100)} %`),
    end: () => line(""),
  };
}

async function waitForExport({ client }: Connection, requested: ClipExport, isShown: boolean): Promise<ClipExport> {
  const line = createProgressLine(isShown);
  try {
    for (;;) {
      const { exports } = await client.call(listClipExports, { query: { clip: requested.clip } });
      const current = exports.find(({ id }) => id === requested.id);
      if (current === undefined) throw new Error("The export was cancelled.");
      if (current.state === "failed") throw new Error(current.reason ?? "The export failed.");
      if (current.state === "ready") return current;
      line.update(current);
      await pause(pollMs);
    }
  } finally {
    line.end();
  }
}

/** The path of the file to write: `out` itself, or a file inside it if `out` is a folder. */
async function outputPath(out: string, fileName: string): Promise<string> {
  const found = await stat(out).catch(() => undefined);
  return found?.isDirectory() ? join(out, fileName) : out;
}

/** Downloads the export. Throws if the file already exists. */
async function save({ client }: Connection, { id }: ClipExport, path: string): Promise<void> {
  const { body } = await client.open(getClipExportFile, { params: { id } });
  if (body === null) throw new Error("The launcher sent nothing.");
  const file = createWriteStream(path, { flags: "wx" });
  let isOurs = false;
  file.once("open", () => {
    isOurs = true;
  });
  try {
    await pipeline(Readable.fromWeb(body), file);
  } catch (error) {
    if (isOurs) await rm(path, { force: true });
    const isTaken = (error as NodeJS.ErrnoException).code === "EEXIST";
    throw isTaken ? new Error(`${path} already exists. Move it, or use another --out.`) : error;
  }
}

/** Requests the export, waits for it and saves it. Ctrl-C cancels it. */
export async function exportAndSave(connection: Connection, clip: string, flags: ExportFlags): Promise<void> {
  const { export: target, size: bytesMax, out = ".", json = false } = flags;
  const body = { clip, ...(target && { target }), ...(bytesMax !== undefined && { bytesMax }) };
  const requested = await connection.client.call(exportClip, { body });
  const cancel = () => {
    const exit = () => process.exit(130);
    connection.client.call(cancelClipExport, { params: { id: requested.id } }).then(exit, exit);
  };
  process.once("SIGINT", cancel);
  try {
    const ready = await waitForExport(connection, requested, process.stderr.isTTY && !json);
    const path = await outputPath(out, ready.fileName);
    await save(connection, ready, path);
    if (json) return printJson({ ...ready, path });
    print(`${escapeInvisible(path)}, ${formatBytes(ready.bytes)}`);
    for (const note of ready.notes) printError(escapeInvisible(note));
  } finally {
    process.removeListener("SIGINT", cancel);
  }
}

export const exportTargetNames = Object.keys(exportTargets);
