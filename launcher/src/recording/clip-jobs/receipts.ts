// What the receipts of a plan's moments say of how it ended: of each moment no more than the file shows.
import type { ReceiptState } from "@kit/contract";
import type { Statement } from "../../storage/sql.ts";
import type { Moment, Plan } from "../plan.ts";
import { savedSaid, seconds } from "../said.ts";
import { type Job, missedIn, type Outcome, unsaved, untold } from "./clip-job.ts";
import type { Made } from "./cut.ts";

/** Receipts of those moments that have one of ours. */
export type Reached = (moments: readonly Moment[], state: ReceiptState, reason: string) => Statement[];

const outcomesMax = 1_000;

/** A capture that begins with an event has its first picture by then. */
const beginsWithinMs = 5_000;
const howToBegin = "; recording begins with a game's first event; `kit recorder set when always` has it run before";

function notShown(file: Made, moment: Pick<Moment, "atMs">): Outcome {
  const beganMs = file.fromMs - moment.atMs;
  const said = `nothing was recorded at the moment, only ${seconds(missedIn(file, moment))} s away from it`;
  return { state: "failed", reason: beganMs > 0 && beganMs <= beginsWithinMs ? said + howToBegin : said };
}
const longOver: Outcome = { state: "failed", reason: "the event came long after its clip was finished" };

export function createTelling(reached: Reached) {
  const outcomes = new Map<string, Outcome & { readonly file: Made | null }>();

  const tell = (job: Job, moments: readonly Moment[], outcome: Outcome): Statement[] => {
    for (const { event } of moments) job.told.set(event, outcome.state);
    outcomes.set(job.plan.id, { ...outcome, file: outcome.state === "saved" ? job.file : null });
    if (outcomes.size > outcomesMax) outcomes.delete(outcomes.keys().next().value ?? "");
    return reached(moments, outcome.state, outcome.reason);
  };
  return {
    /** A moment that the footage does not show was not saved, whatever else is in the file. */
    saved(job: Job, plan: Plan, file: Made): Statement[] {
      const isShown = (moment: Moment) => missedIn(file, moment) === 0;
      const missed = untold(job, plan)
        .filter((moment) => !isShown(moment))
        .flatMap((moment) => tell(job, [moment], notShown(file, moment)));
      const reason = savedSaid(file.durationMs, plan, file.notes);
      return [...missed, ...tell(job, unsaved(job, plan).filter(isShown), { state: "saved", reason })];
    },
    /** Where an earlier cut stands, so does what lies in it; the rest has failed. */
    failed(job: Job, plan: Plan, reason: string, stands: boolean): Statement[] {
      const { file } = job;
      const moments = untold(job, plan);
      const isIn = (moment: Moment) => stands && file !== null && missedIn(file, moment) === 0;
      const outside = tell(
        job,
        moments.filter((moment) => !isIn(moment)),
        { state: "failed", reason },
      );
      if (!stands) return outside;
      return [
        ...outside,
        ...tell(job, moments.filter(isIn), { state: "saved", reason: `in the clip as it was: ${reason}` }),
      ];
    },
    marked: (job: Job, plan: Plan, reason: string): Statement[] =>
      tell(job, untold(job, plan), { state: "marked", reason }),
    /** How far a moment lies from what its clip shows, as far as that is still known: holes are not written down. */
    missedMs(id: string, moment: Pick<Moment, "atMs">): number {
      const file = outcomes.get(id)?.file ?? null;
      return file === null ? 0 : missedIn(file, moment);
    },
    /** How it ended for a moment that comes after its end. */
    outcomeOf(id: string, moment: Moment): Outcome {
      const { state, reason, file = null } = outcomes.get(id) ?? { ...longOver, file: null };
      return file === null || missedIn(file, moment) === 0 ? { state, reason } : notShown(file, moment);
    },
  };
}
