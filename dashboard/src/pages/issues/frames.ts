// A stack as it is read: the game's own calls stand out, those between them that are not fold together. Pure.
import type { IssueFrame } from "@kit/contract";

export type FrameRun = {
  /** False for calls of the engine and its libraries, which are shown on request. */
  readonly inApp: boolean;
  readonly frames: readonly IssueFrame[];
};

/** Runs of calls in their order. Where none is the game's own, all stand out. */
export function frameRuns(frames: readonly IssueFrame[]): FrameRun[] {
  const anyOwn = frames.some(({ inApp }) => inApp);
  const runs: { inApp: boolean; frames: IssueFrame[] }[] = [];
  for (const frame of frames) {
    const inApp = frame.inApp || !anyOwn;
    const last = runs.at(-1);
    if (last?.inApp === inApp) last.frames.push(frame);
    else runs.push({ inApp, frames: [frame] });
  }
  return runs;
}

/** Where a call stands, as an editor writes it; undefined where the engine names no file. */
export function placeOf({ file, line, column }: IssueFrame): string | undefined {
  if (file === null) return undefined;
  return [file, ...(line === null ? [] : [line, ...(column === null ? [] : [column])])].join(":");
}
