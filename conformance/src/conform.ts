// Plays all cases in one engine of one binding, with one stand-in launcher and one verdict per case.
import type { Binding, Driver } from "./binding.ts";
import { type Case, type LauncherState, textsOf } from "./case.ts";
import { type Evidence, judge } from "./judge.ts";
import { planned } from "./plan.ts";
import { type Played, play } from "./play.ts";
import { messageOf } from "./request.ts";
import { type Arrival, openStandIn, type StandIn } from "./stand-in.ts";

export type Verdict = { readonly one: Case; readonly faults: readonly string[] };
export type Outcome = {
  readonly binding: Binding;
  readonly driver: Driver;
  readonly engine: string;
  readonly verdicts: readonly Verdict[];
  readonly seconds: number;
  /** The end of the driver's other output, useful after a failure. */
  readonly output: string;
};

// Time for requests that are still in buffers after the driver ended, on a busy computer.
const settleMsMax = 30_000;

/** Opens a stand-in launcher for each case. Cases on the default port share one. */
async function openLaunchers(cases: readonly Case[], stack: AsyncDisposableStack): Promise<Map<Case, StandIn>> {
  const open = async (state: LauncherState) => {
    const standIn = await openStandIn(state);
    stack.defer(() => standIn.close());
    return standIn;
  };
  let onDefaultPort: Promise<StandIn> | undefined;
  const opening = cases.map(async ({ launcher = "answers" }) => {
    if (launcher !== "answers-default") return open(launcher);
    onDefaultPort ??= open(launcher);
    return onDefaultPort;
  });
  // Waits for all launchers before throwing, so that all are closed.
  await Promise.allSettled(opening);
  const launchers = await Promise.all(opening);
  return new Map(cases.map((one, at) => [one, launchers[at] as StandIn]));
}

/** Requests of a case. On the shared port they are identified by the texts of the case's calls. */
function arrivalsOf(one: Case, { arrivals }: StandIn): readonly Arrival[] {
  if (one.launcher !== "answers-default") return arrivals;
  const texts = textsOf(one.steps);
  return arrivals.filter((arrival) => {
    const { eventId, message } = messageOf(arrival) ?? {};
    return texts.includes(eventId ?? message);
  });
}

function evidenceOf(one: Case, standIn: StandIn, played: Played): Evidence {
  const { url, followed } = standIn;
  return { url, followed, arrivals: arrivalsOf(one, standIn), told: played.told.get(one.id) };
}

function verdictOf(one: Case, standIn: StandIn, played: Played, traits: Parameters<typeof judge>[2]): Verdict {
  const faults = judge(one, evidenceOf(one, standIn, played), traits);
  return { one, faults: [...new Set([...faults, ...played.trouble])] };
}

/** The engine's name as the driver reported it, with the variant from the description. */
function engineOf(told: string, { engine }: Driver): string {
  const [, variant = ""] = /, (.*)/.exec(engine) ?? [];
  return told.includes(variant) ? told : `${told}, ${variant}`;
}

export async function conform(binding: Binding, driver: Driver, cases: readonly Case[]): Promise<Outcome> {
  const beganMs = performance.now();
  await using stack = new AsyncDisposableStack();
  const launchers = await openLaunchers(cases, stack);
  const plan = [...launchers].map(([one, { url }]) => planned(one, url));
  const played = await play(binding, driver, plan);
  await Promise.all([...new Set(launchers.values())].map((standIn) => standIn.idle(settleMsMax)));
  const traits = { ...binding, ...driver };
  const verdicts = [...launchers].map(([one, standIn]) => verdictOf(one, standIn, played, traits));
  const seconds = (performance.now() - beganMs) / 1000;
  return { binding, driver, engine: engineOf(played.engine, driver), verdicts, seconds, output: played.output };
}
