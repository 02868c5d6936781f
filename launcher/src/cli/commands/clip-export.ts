// `kit clip ID --export discord`: exports a copy that fits a target, and shows the progress.

import { createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import {
  type Client,
  type ClipExport,
  cancelClipExport,
  type ExportTarget,
  exportClip,
  getClipExportFile,
  listClipExports,
} from "@kit/contract";
import { answer, type CommandAnswer } from "../command.ts";
import { escapeInvisible } from "../escape.ts";
import { createProgressLine, formatBytes, print, printError } from "../output.ts";
import { say } from "../say.ts";
import { explainExistingFile } from "../shared-file.ts";

const pollMs = 250;

async function waitForExport(client: Client, requested: ClipExport, isShown: boolean): Promise<ClipExport> {
  const line = createProgressLine(isShown);
  try {
    for (;;) {
      const { exports } = await client.call(listClipExports, { query: { clip: requested.clip } });
      const current = exports.find(({ id }) => id === requested.id);
      if (current === undefined) throw new Error("The export was cancelled.");
      if (current.state === "failed") throw new Error(say(current.reason ?? "The export failed."));
      if (current.state === "ready") return current;
      line.update(
        current.state === "waiting" ? "waiting for another export…" : `${Math.round(current.progress * 100)} %`,
      );
      await pause(pollMs);
    }
  } finally {
    line.end();
  }
}

/** Returns the path of the file to write: `out` itself, or a file in it if it is a folder. */
async function outputPath(out: string, fileName: string): Promise<string> {
  const found = await stat(out).catch(() => undefined);
  return found?.isDirectory() ? join(out, fileName) : out;
}

/** Downloads the export to a new file. Throws if `path` exists. */
async function save(client: Client, { id }: ClipExport, path: string): Promise<void> {
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
    explainExistingFile(path, "use another --out")(error as NodeJS.ErrnoException);
  }
}

type ExportRequest = {
  readonly clip: string;
  readonly export?: ExportTarget;
  readonly size?: number;
  readonly out?: string;
  readonly json: boolean;
};

/** Asks for the export, waits until it is ready, and saves it. Ctrl-C cancels the export. */
export async function exportClipAndSave(client: Client, request: ExportRequest): Promise<CommandAnswer> {
  const { clip, export: target, size: bytesMax, out = ".", json } = request;
  const body = { clip, ...(target && { target }), ...(bytesMax !== undefined && { bytesMax }) };
  const requested = await client.call(exportClip, { body });
  const cancel = () => {
    const exit = () => process.exit(130);
    client.call(cancelClipExport, { params: { id: requested.id } }).then(exit, exit);
  };
  process.once("SIGINT", cancel);
  try {
    const ready = await waitForExport(client, requested, process.stderr.isTTY && !json);
    const path = await outputPath(out, ready.fileName);
    await save(client, ready, path);
    return answer({ ...ready, path }, ({ bytes, notes }) => {
      print(`${escapeInvisible(path)}, ${formatBytes(bytes)}`);
      for (const note of notes) printError(escapeInvisible(say(note)));
    });
  } finally {
    process.removeListener("SIGINT", cancel);
  }
}
