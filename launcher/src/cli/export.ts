// `kit export`: saves all data, or all data of one game, as a ZIP file.
import { once } from "node:events";
import { createWriteStream, renameSync, rmSync } from "node:fs";
import { addressOf, errorOf, exportEverything } from "@kit/contract";
import type { Command } from "commander";
import { readSecret } from "../secret.ts";
import { dataDirAt } from "../storage/data-dir.ts";
import { connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson } from "./output.ts";
import { formatBytes } from "./units.ts";

type ExportFlags = CommonFlags & { out: string; game?: string; files?: true };

const printEveryMs = 500;

/** Shows the bytes written so far on one line that is overwritten; prints nothing if stderr is not a terminal. */
function createProgress() {
  let printedMs = performance.now();
  const isTerminal = process.stderr.isTTY === true;
  return {
    update(bytes: number) {
      if (!isTerminal || performance.now() - printedMs < printEveryMs) return;
      printedMs = performance.now();
      process.stderr.write(`\r${formatBytes(bytes)} written\u001b[K`);
    },
    end: () => isTerminal && process.stderr.write("\r\u001b[K"),
  };
}

/** Writes to a temporary name and renames, so that `out` is either complete or absent. Returns its size. */
async function save(body: ReadableStream<Uint8Array>, out: string): Promise<number> {
  const part = `${out}.part`;
  const file = createWriteStream(part, { mode: 0o600 });
  const progress = createProgress();
  let bytes = 0;
  try {
    await once(file, "open");
    for await (const chunk of body) {
      bytes += chunk.length;
      if (!file.write(chunk)) await once(file, "drain");
      progress.update(bytes);
    }
    file.end();
    await once(file, "close");
    renameSync(part, out);
    return bytes;
  } catch (error) {
    file.destroy();
    rmSync(part, { force: true });
    throw new Error(`The export failed and was removed. ${(error as Error).message}`);
  } finally {
    progress.end();
  }
}

async function run({ out, game, files, ...flags }: ExportFlags): Promise<void> {
  const config = configFromFlags(flags);
  const { baseUrl } = await connect(config);
  const query = { ...(game !== undefined && { game }), ...(files && { files }) };
  const secret = readSecret(dataDirAt(config.dataDir).secret);
  const response = await fetch(baseUrl + addressOf(exportEverything, { query }), {
    headers: { authorization: `Bearer ${secret}` },
    redirect: "error",
  });
  if (!response.ok || response.body === null) throw await errorOf(response);
  const bytes = await save(response.body as ReadableStream<Uint8Array>, out);
  if (flags.json) return printJson({ file: out, bytes });
  print(
    `Exported to ${escapeInvisible(out)} (${formatBytes(bytes)}). Its README.txt explains the contents. It contains no credentials.`,
  );
}

export function exportCommand(): Command {
  return command("export", "Save all data, or all data of one game, as a ZIP file")
    .helpGroup(helpGroups.storage)
    .requiredOption("--out <file>", "where to save it")
    .option("--game <game>", "only this game; `unsorted` for data without a game")
    .option("--files", "include the clip files")
    .action(run);
}
