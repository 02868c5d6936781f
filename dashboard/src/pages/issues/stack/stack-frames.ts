// Groups the frames of a stack: the game's own calls are shown, calls of the engine and its libraries are folded.
import type { IssueFrame } from "@kit/contract";

export type FrameGroup = {
  /** False for calls of the engine and its libraries. */
  readonly inApp: boolean;
  readonly frames: readonly IssueFrame[];
};

/** Groups adjacent frames of the same kind. If no frame belongs to the game, all frames count as its own. */
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

/** Formats a location as `file:line:column`, which editors open; undefined if the frame has no file. */
export function sourceLocation({ file, line, column }: IssueFrame): string | undefined {
  if (file === null) return undefined;
  return [file, ...(line === null ? [] : [line, ...(column === null ? [] : [column])])].join(":");
}
