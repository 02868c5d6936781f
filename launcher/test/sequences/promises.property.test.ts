// Tests that no order of decisions, backups, restores, damage and kills breaks a promise: what is acknowledged is handled, nothing is
// sent against the last decision, no post is sent twice, and none is called sent that was not.
import fc from "fast-check";
import { afterAll, beforeAll, test } from "vitest";
import { Sequence } from "./sequence.ts";
import { anySteps, postSteps, type Step } from "./steps.ts";
import { prepareWorlds, type World } from "./world.ts";

/** KIT_SEQUENCES=10000 takes an hour. */
const sequences = Number(process.env.KIT_SEQUENCES ?? 10);
/** KIT_SEQUENCE_SEED repeats the sequences of an earlier run. */
const { KIT_SEQUENCE_SEED: seed } = process.env;

let worlds: Awaited<ReturnType<typeof prepareWorlds>>;
beforeAll(async () => {
  worlds = await prepareWorlds();
});
afterAll(() => worlds[Symbol.asyncDispose]());

/** Runs the steps on a new data folder. Throws with what happened if a promise is broken. */
async function runSequence(world: World, steps: readonly Step[]): Promise<void> {
  const sequence = new Sequence(world);
  try {
    await sequence.begin();
    for (const step of steps) await sequence.run(step);
    await sequence.end();
  } catch (error) {
    (error as Error).message += `\n${sequence.log.join("\n")}`;
    throw error;
  } finally {
    await sequence.dispose();
  }
}

const holdsFor = (steps: fc.Arbitrary<readonly Step[]>, numRuns: number) =>
  fc.assert(
    fc.asyncProperty(steps, async (all) => {
      using world = worlds.open();
      await runSequence(world, all);
    }),
    { numRuns, ...(seed !== undefined && { seed: Number(seed) }) },
  );

test("whatever is decided, restored, damaged and killed in any order, what is acknowledged is handled, and nothing is sent against the last decision or twice", () =>
  holdsFor(anySteps, sequences));

test("whatever is approved, undone, repeated, killed and restored in any order, no network gets a post twice, and none is called sent that was not", () =>
  holdsFor(postSteps, Math.ceil(sequences / 2)));
