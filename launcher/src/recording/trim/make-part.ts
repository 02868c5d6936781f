// Makes the file of one part: copied where its pictures can be, encoded anew where not; checked and named like any clip.
import type { Clip } from "@kit/contract";
import type { ClipFiles, KeptFile } from "../clips/clip-files.ts";
import type { KeptClip } from "../clips/clip-row.ts";
import { namingOfPart } from "../clips/file-name.ts";
import type { Library } from "../clips/library.ts";
import { VerifyFailed } from "../clips/verify.ts";
import type { Encoder } from "../fit/encode.ts";
import { BrokenStream } from "../mp4/box-splitter.ts";
import type { Plan } from "../plan.ts";
import { seconds } from "../said.ts";
import { encodePart } from "./encode-part.ts";

type MakePartNeeds = {
  readonly files: Pick<ClipFiles, "partOf" | "pathOf" | "keep" | "discard">;
  readonly library: Pick<Library, "prepareCut">;
  readonly ffmpeg: () => Promise<Encoder | undefined>;
  readonly onStage: (stage: NonNullable<Clip["stage"]>) => void;
  readonly signal: AbortSignal;
};

const durationOffMaxMs = 500;
const encodedAnew = "encoded anew: its pictures could not be copied exactly";

/** Rejects with VerifyFailed, FfmpegFailed, DiskNearlyFull, the signal's reason, or what the file system throws; no part is left then. */
export async function makePart(needs: MakePartNeeds, plan: Plan, whole: KeptClip): Promise<KeptFile> {
  const { files, onStage } = needs;
  const part = files.partOf(plan.id);
  await needs.library.prepareCut();
  onStage("cutting");
  try {
    return await copied(needs, plan, whole).catch((error) => {
      // Whatever a person put in its place plays, or else it cannot be trimmed at all.
      if (!(error instanceof BrokenStream || error instanceof VerifyFailed)) throw error;
      return encoded(needs, plan, whole);
    });
  } finally {
    await files.discard(part);
  }
}

async function copied(needs: MakePartNeeds, plan: Plan, whole: KeptClip): Promise<KeptFile> {
  const { files, onStage, signal } = needs;
  const part = files.partOf(plan.id);
  // What reads and writes films is loaded with the first part.
  const { copyPart } = await import("./copy-part.ts");
  const { holes, ...footage } = await copyPart({
    source: String(whole.clip.path),
    part,
    order: {
      ...{ fromMs: plan.fromMs, toMs: plan.toMs, title: plan.title, offsetMs: whole.fromMs },
      comment: JSON.stringify({ events: plan.moments.map(({ event }) => event) }),
      chapters: plan.moments.map(({ atMs, label }) => ({ atMs, title: label })),
    },
    signal,
  });
  onStage("verifying");
  const kept = await files.keep(plan.id, part, footage, namingOfPart(plan));
  const stillMs = holes.reduce((sum, hole) => sum + hole.toMs - hole.fromMs, 0);
  const still = stillMs > 0 ? [`${seconds(stillMs)} s inside were not recorded: the picture stands still`] : [];
  return { ...kept, notes: [...still, ...kept.notes] };
}

async function encoded(needs: MakePartNeeds, plan: Plan, whole: KeptClip): Promise<KeptFile> {
  const { files, onStage, signal } = needs;
  const [part, ffmpeg] = [files.partOf(plan.id), await needs.ffmpeg()];
  if (ffmpeg === undefined) throw new VerifyFailed("there is no ffmpeg to make it with");
  const wantedMs = plan.toMs - plan.fromMs;
  onStage("cutting");
  const wanted = {
    ...{ source: String(whole.clip.path), part, seconds: wantedMs / 1_000 },
    ...{ fromSeconds: (plan.fromMs - whole.fromMs) / 1_000, startedAt: new Date(plan.fromMs).toISOString() },
  };
  await encodePart(ffmpeg, wanted, signal);
  onStage("verifying");
  const kept = await files.keep(plan.id, part, undefined, namingOfPart(plan));
  if (Math.abs(kept.durationMs - wantedMs) <= durationOffMaxMs) return { ...kept, notes: [encodedAnew, ...kept.notes] };
  await files.discard(files.pathOf(kept.file));
  throw new VerifyFailed(`it is ${seconds(kept.durationMs)} s long instead of ${seconds(wantedMs)} s`);
}
