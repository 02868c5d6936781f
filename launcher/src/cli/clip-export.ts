// `kit clip ID --export discord`: a copy that fits there, with a line that says how far it is.
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
import { print, printError, printJson } from "./output.ts";
import { bytesText } from "./sizes.ts";
import { visible } from "./visible.ts";

export type ExportFlags = { export?: ExportTarget; size?: number; out?: string; json?: boolean };

const lookEveryMs = 250;

/** On a terminal one line that changes; a log gets none of it. */
function createProgressLine(isShown: boolean) {
  const line = (text: string) => isShown && process.stderr.write(`\r\u001b[K${text}`);
  return {
    tell: ({ state, progress }: ClipExport) =>
      line(state === "waiting" ? "waits for another copy…" : `${Math.round(progress * 100)} %`),
    end: () => line(""),
  };
}

async function finished({ client }: Connection, asked: ClipExport, isShown: boolean): Promise<ClipExport> {
  const line = createProgressLine(isShown);
  try {
    for (;;) {
      const { exports } = await client.call(listClipExports, { query: { clip: asked.clip } });
      const told = exports.find(({ id }) => id === asked.id);
      if (told === undefined) throw new Error("Somebody called the copy off.");
      if (told.state === "failed") throw new Error(told.reason ?? "The copy failed.");
      if (told.state === "ready") return told;
      line.tell(told);
      await pause(lookEveryMs);
    }
  } finally {
    line.end();
  }
}

/** Where it goes: the file that is named, or one in the folder that is. */
async function placeOf(out: string, fileName: string): Promise<string> {
  const found = await stat(out).catch(() => undefined);
  return found?.isDirectory() ? join(out, fileName) : out;
}

/** Writes over nothing. */
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
    throw isTaken ? new Error(`${path} is there already. Move it away, or give another --out.`) : error;
  }
}

/** Asks for the copy, waits for it, and saves it. Ctrl-C calls it off. */
export async function exportTo(connection: Connection, clip: string, flags: ExportFlags): Promise<void> {
  const { export: target, size: bytesMax, out = ".", json = false } = flags;
  const body = { clip, ...(target && { target }), ...(bytesMax !== undefined && { bytesMax }) };
  const asked = await connection.client.call(exportClip, { body });
  const callOff = () => {
    const ends = () => process.exit(130);
    connection.client.call(cancelClipExport, { params: { id: asked.id } }).then(ends, ends);
  };
  process.once("SIGINT", callOff);
  try {
    const ready = await finished(connection, asked, process.stderr.isTTY && !json);
    const path = await placeOf(out, ready.fileName);
    await save(connection, ready, path);
    if (json) return printJson({ ...ready, path });
    print(`${visible(path)}, ${bytesText(ready.bytes)}`);
    for (const note of ready.notes) printError(visible(note));
  } finally {
    process.removeListener("SIGINT", callOff);
  }
}

export const exportTargetNames = Object.keys(exportTargets);
