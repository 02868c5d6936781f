// `kit export`: everything Kit keeps, or all of one game, as a ZIP.
import { once } from "node:events";
import { createWriteStream, renameSync, rmSync } from "node:fs";
import { addressOf, errorOf, exportEverything } from "@kit/contract";
import type { Command } from "commander";
import { readSecret } from "../secret.ts";
import { dataDirAt } from "../storage/data-dir.ts";
import { connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson } from "./output.ts";
import { bytesText } from "./sizes.ts";
import { visible } from "./visible.ts";

type ExportFlags = CommonFlags & { out: string; game?: string; files?: true };

const tellEveryMs = 500;

/** How much came so far, on one line that is written over. Nothing where nobody watches. */
function createProgress() {
  let toldMs = performance.now();
  const isWatched = process.stderr.isTTY === true;
  return {
    came(bytes: number) {
      if (!isWatched || performance.now() - toldMs < tellEveryMs) return;
      toldMs = performance.now();
      process.stderr.write(`\r${bytesText(bytes)} written\u001b[K`);
    },
    end: () => isWatched && process.stderr.write("\r\u001b[K"),
  };
}

/** Whole, or not there. */
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
      progress.came(bytes);
    }
    file.end();
    await once(file, "close");
    renameSync(part, out);
    return bytes;
  } catch (error) {
    file.destroy();
    rmSync(part, { force: true });
    throw new Error(`The export broke off, and nothing was kept of it. ${(error as Error).message}`);
  } finally {
    progress.end();
  }
}

async function run({ out, game, files, ...flags }: ExportFlags): Promise<void> {
  const config = configOf(flags);
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
  print(`Exported to ${visible(out)} (${bytesText(bytes)}). README.txt in it says what is what; no secrets are in it.`);
}

export function exportCommand(): Command {
  return command("export", "Save everything Kit keeps, or all of one game, as a ZIP")
    .requiredOption("--out <file>", "where to save it")
    .option("--game <game>", "only this game; `unsorted` for what belongs to none")
    .option("--files", "with the clips' files")
    .action(run);
}
