// What the thread was given to capture with, by the number it tells in its status.
import { type Choice, stepDown } from "../probe/choice.ts";
import type { Level, Offer } from "./messages.ts";

export type Offers = {
  offer(choice: Choice): Offer;
  newest(): number;
  /** The newest where no number is given, or none has it. */
  choiceAt(number?: number): Choice | undefined;
};

/** The one under way, the one that is to follow it, and some that came to nothing. */
const keptMax = 8;

export function createOffers(): Offers {
  const choices = new Map<number, Choice>();
  let newest = 0;
  return {
    offer(choice) {
      newest += 1;
      choices.set(newest, choice);
      choices.delete(newest - keptMax);
      return { levels: levelsOf(choice), level: choice.level, choice: newest };
    },
    newest: () => newest,
    choiceAt: (number = newest) => choices.get(number) ?? choices.get(newest),
  };
}

/** The chosen command, and each step down from it. */
function levelsOf(choice: Choice): Level[] {
  const levels: Level[] = [];
  for (let step: Choice | undefined = choice; step !== undefined; step = stepDown(choice, levels.length)) {
    const { args, width, height, frameRate, steady } = step;
    levels.push({ args, width, height, frameRate, steady });
  }
  return levels;
}
