// `kit export`: saves all data, or all data of one game, as a ZIP file.
import { exportEverything } from "@kit/contract";
import { answer, command, requiredTextFlag, textFlag, toggleFlag } from "../command.ts";
import { writeNewFile } from "../new-file.ts";
import { createProgressLine, escapeInvisible, formatBytes } from "../output.ts";

const showEveryMs = 500;

export const exportCommand = command("export", "Save all data, or all data of one game, as a ZIP file", {
  group: "storage",
  flags: {
    out: requiredTextFlag("--out <file>", "where to save it"),
    game: textFlag("--game <game>", "only this game; `unsorted` for data without a game"),
    files: toggleFlag("--files", "include the clip files"),
  },
  async run({ client, flags: { out, ...query } }) {
    let bytes = 0;
    async function* download() {
      const line = createProgressLine();
      let shownMs = performance.now();
      try {
        for await (const chunk of (await client.open(exportEverything, { query })).body ?? []) {
          bytes += chunk.length;
          yield chunk;
          if (performance.now() - shownMs < showEveryMs) continue;
          shownMs = performance.now();
          line.update(`${formatBytes(bytes)} written`);
        }
      } finally {
        line.end();
      }
    }
    await writeNewFile(out, download, { advice: "use another --out" });
    const contents = "Its README.txt explains the contents. It contains no credentials.";
    return answer({ file: out, bytes }, `Exported to ${escapeInvisible(out)} (${formatBytes(bytes)}). ${contents}`);
  },
});
