// `kit export`: saves all data, or all data of one game, as a ZIP file.
import { once } from "node:events";
import { createWriteStream, rmSync } from "node:fs";
import { exportEverything } from "@kit/contract";
import { renamePatientlySync } from "../../renames.ts";
import { answer, command, requiredTextFlag, textFlag, toggleFlag } from "../command.ts";
import { createProgressLine, escapeInvisible, formatBytes } from "../output.ts";

const showEveryMs = 500;

/**
 * Saves the file under a temporary name and renames it at the end, so that `out` is never incomplete. Returns its size in
 * bytes.
 */
async function save(body: ReadableStream<Uint8Array>, out: string): Promise<number> {
  const part = `${out}.part`;
  const file = createWriteStream(part, { mode: 0o600 });
  const line = createProgressLine();
  let shownMs = performance.now();
  let bytes = 0;
  try {
    await once(file, "open");
    for await (const chunk of body) {
      bytes += chunk.length;
      if (!file.write(chunk)) await once(file, "drain");
      if (performance.now() - shownMs < showEveryMs) continue;
      shownMs = performance.now();
      line.update(`${formatBytes(bytes)} written`);
    }
    file.end();
    await once(file, "close");
    renamePatientlySync(part, out);
    return bytes;
  } catch (error) {
    file.destroy();
    rmSync(part, { force: true });
    throw new Error(`The export failed and was removed. ${(error as Error).message}`);
  } finally {
    line.end();
  }
}

export const exportCommand = command("export", "Save all data, or all data of one game, as a ZIP file", {
  group: "storage",
  flags: {
    out: requiredTextFlag("--out <file>", "where to save it"),
    game: textFlag("--game <game>", "only this game; `unsorted` for data without a game"),
    files: toggleFlag("--files", "include the clip files"),
  },
  async run({ client, flags: { out, ...query } }) {
    const { body } = await client.open(exportEverything, { query });
    const bytes = await save(body as ReadableStream<Uint8Array>, out);
    const contents = "Its README.txt explains the contents. It contains no credentials.";
    return answer({ file: out, bytes }, `Exported to ${escapeInvisible(out)} (${formatBytes(bytes)}). ${contents}`);
  },
});
