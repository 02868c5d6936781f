// The last chosen commands, each with its lower qualities.
import { type CaptureChoice, reduceQuality } from "../probe/choice.ts";
import type { CaptureConfig } from "./thread-client.ts";
import type { QualityLevel } from "./watched-run.ts";

/** Enough for the choice in use, the one that replaces it, and some that failed. */
const choicesMax = 8;

/** The last choices by id. The thread reports the id of the choice that it uses. */
export class RecentChoices {
  readonly #choices = new Map<number, CaptureChoice>();
  #newestId = 0;

  /** Stores the choice under a new id. Returns the thread's configuration for it. */
  add(choice: CaptureChoice): CaptureConfig {
    this.#newestId += 1;
    this.#choices.set(this.#newestId, choice);
    this.#choices.delete(this.#newestId - choicesMax);
    return { levels: qualityLevels(choice), level: choice.level, choiceId: this.#newestId };
  }

  newestId(): number {
    return this.#newestId;
  }

  /** Returns the choice with this id, or the newest if the id is unknown. */
  get(id = this.#newestId): CaptureChoice | undefined {
    return this.#choices.get(id) ?? this.#choices.get(this.#newestId);
  }
}

/** Returns the chosen command and each quality step down from it. */
function qualityLevels(choice: CaptureChoice): QualityLevel[] {
  const levels: QualityLevel[] = [];
  for (let step: CaptureChoice | undefined = choice; step !== undefined; step = reduceQuality(choice, levels.length)) {
    const { args, width, height, frameRate, constantRate, spec } = step;
    levels.push({ args, width, height, frameRate, constantRate, listedSize: spec.listedSize });
  }
  return levels;
}
