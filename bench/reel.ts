// `npm run bench -- reel`: measures how long it takes to join clips to a reel, beside copying their bytes. See README.md.
import { createReadStream, createWriteStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { openReels } from "../launcher/test/recording/export-rig.ts";
import { defineBench, inRounds, inTurn } from "./bench.ts";
import { atMost, type Column, ratioOf, runTable, shown, where } from "./figures.ts";
import { makeClip } from "./fit/fit.ts";
import { inFolder } from "./machine.ts";

const subjects = ["kit", "copy"] as const;
type Subject = (typeof subjects)[number];
type ReelRun = { readonly subject: Subject; readonly round: number; readonly wallMs: number };
type Results = { readonly bytes: number; readonly clips: number; readonly runs: readonly ReelRun[] };

const clipCount = 10;
const ratioMax = 1.5;
const names: Readonly<Record<Subject, string>> = { kit: "Kit makes a reel", copy: "the bytes are copied" };
const columns: readonly Column<ReelRun>[] = [["s", ({ wallMs }) => wallMs / 1_000, 2]];

async function copyAll(paths: readonly string[], to: string): Promise<void> {
  await rm(to, { force: true });
  for (const path of paths) await pipeline(createReadStream(path), createWriteStream(to, { flags: "a" }));
  const file = await open(to, "r+");
  await file.sync();
  await file.close();
}

const ratio = (runs: readonly ReelRun[]) =>
  ratioOf(where(runs, { subject: "kit" }), where(runs, { subject: "copy" }), "wallMs");

export const reel = defineBench({
  summary: "what it takes to join clips to a reel",
  about: `Measures how long it takes to join ten clips of one format to a reel, beside copying the same bytes to one file.`,
  flags: {
    rounds: { says: "rounds, each with both in turn", usual: 7, quick: 1 },
    seconds: { says: "length of each clip, about a megabyte a second", usual: 20, quick: 2 },
  },
  needs: ["ffmpeg"],
  usesLauncher: false,
  measure: ({ rounds, seconds, isQuick }, say) =>
    inFolder(async (folder): Promise<Results> => {
      say(`${clipCount} clips of ${seconds} s`);
      const made = await makeClip(folder, seconds, isQuick ? 360 : 1_080);
      await using rig = await openReels();
      const footage = { durationMs: seconds * 1_000, bytes: made.bytes, width: made.width };
      const clips: { readonly id: string; readonly path: string }[] = [];
      for (let n = 0; n < clipCount; n += 1) clips.push(await rig.file(made.path, footage));
      const make = {
        async kit() {
          const { id } = await rig.reels.make({ parts: clips.map((clip) => ({ clip: clip.id })) });
          const { state, notes } = await rig.settled(id);
          if (state !== "saved" || notes.length > 0) throw new Error(`the reel is ${state}: ${JSON.stringify(notes)}`);
          await rig.library.moveToTrash(id);
          await rig.library.deleteForever(id);
        },
        copy: () =>
          copyAll(
            clips.map(({ path }) => path),
            join(folder, "copy"),
          ),
      };
      // The first round of each is not counted: it loads code, and the files into memory.
      for (const subject of subjects) await make[subject]();
      const runs = await inRounds(rounds, say, async (round) => {
        const ofRound: ReelRun[] = [];
        for (const subject of inTurn(subjects, round - 1)) {
          const beganMs = performance.now();
          await make[subject]();
          ofRound.push({ subject, round, wallMs: performance.now() - beganMs });
        }
        return ofRound;
      });
      return { bytes: made.bytes * clipCount, clips: clipCount, runs };
    }),
  tables({ runs, bytes, clips }) {
    const title = `${clips} clips, ${(bytes / 1e6).toFixed(0)} MB: median (min–max)`;
    const groups = [
      [names.kit, where(runs, { subject: "kit" })],
      [names.copy, where(runs, { subject: "copy" })],
    ] as const;
    return [runTable(title, columns, groups, [["×", shown(ratio(runs), 2)]])];
  },
  targets: ({ runs }) => atMost("a reel is made, to copying its bytes", ratioMax, "×", ratio(runs)),
});
