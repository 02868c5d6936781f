// Groups the frames of a stack, so that calls of the game are shown and calls of the engine and its libraries are
// folded.
import type { IssueFrame } from "@kit/contract";

export type FrameGroup = {
  /** True for calls of the game, false for calls of the engine and its libraries. */
  readonly inApp: boolean;
  readonly frames: readonly IssueFrame[];
};

/** Groups neighbouring frames of the same kind. If no frame belongs to the game, all count as calls of the game. */
export function groupFrames(frames: readonly IssueFrame[]): FrameGroup[] {
  const hasOwnFrames = frames.some(({ inApp }) => inApp);
  const groups: { inApp: boolean; frames: IssueFrame[] }[] = [];
  for (const frame of frames) {
    const inApp = frame.inApp || !hasOwnFrames;
    const last = groups.at(-1);
    if (last?.inApp === inApp) last.frames.push(frame);
    else groups.push({ inApp, frames: [frame] });
  }
  return groups;
}

/** Returns whose code the frames are, each owner once, as far as it is known. */
export const ownersOf = (frames: readonly IssueFrame[]): string[] => [
  ...new Set(frames.flatMap(({ owner }) => owner ?? [])),
];

/** Returns a location as `file:line:column`, a form that editors understand; undefined if the frame has no file. */
export function sourceLocation({ file, line, column }: IssueFrame): string | undefined {
  if (file === null) return undefined;
  return [file, ...(line === null ? [] : [line, ...(column === null ? [] : [column])])].join(":");
}
