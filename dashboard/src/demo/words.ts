// The demo's words for what the wire says in codes.
import type { Demo, DemoPart, DemoPhase } from "@kit/contract";
import { t } from "../language/language.ts";

export function partWord(part: DemoPart): string {
  const words: Record<DemoPart, string> = {
    started: t("The start"),
    streak: t("Five stars in a row"),
    jewel: t("The jewel"),
    error: t("A chest without a lid: an error"),
    again: t("The same error again"),
    boss: t("The boss is defeated"),
    score: t("A new high score, worth telling"),
  };
  return words[part] ?? part;
}

/** What happens now. What the launcher says of the recorder is its own sentence, in English. */
export function phaseWord({ phase, says }: Pick<Demo, "phase" | "says">): string {
  const words: Partial<Record<DemoPhase, string>> = {
    started: t("The game starts: its first event tells Kit that there is something to record."),
    streak: t("The hero catches five stars in a row. The game asks for a clip."),
    jewel: t("The hero finds the jewel, seconds later: one clip is to show both."),
    error: t("The game trips over a chest without a lid, and reports the error."),
    again: t("Another chest, the same error: it is to be counted, not listed anew."),
    boss: t("The boss is defeated. The game asks for a clip, with a high priority."),
    score: t("A new high score. The game asks for a post, which waits for you."),
    telling: t("The story is over. The last clip is being made."),
  };
  return (phase && words[phase]) ?? says;
}
