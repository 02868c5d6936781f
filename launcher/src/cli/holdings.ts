// What is kept of a game, in words.
import type { Holdings } from "@kit/contract";
import { bytesText } from "./sizes.ts";

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

export function holdingsText(holdings: Holdings): string {
  const { events, clips, clipBytes, pinned, issues, posts, sessions } = holdings;
  const held = pinned === 0 ? bytesText(clipBytes) : `${bytesText(clipBytes)}, ${pinned} of them pinned`;
  return [
    counted(events, "event"),
    `${counted(clips, "clip")} (${held})`,
    counted(issues, "issue"),
    counted(posts, "post"),
    counted(sessions, "session"),
  ].join(", ");
}
