// What the made-up game tells of itself, a line of JSON each, as one state. Pure.
import { type Demo, type DemoOutcome, type DemoPhase, demoPhases, demoSeconds } from "@kit/contract";

export type Said = Omit<Demo, "state">;

export const untold: Said = {
  second: 0,
  seconds: demoSeconds.usual,
  window: false,
  phase: null,
  says: "",
  failed: false,
  outcomes: [],
  session: null,
};

type Line = {
  type?: string;
  seconds?: number;
  second?: number;
  window?: boolean;
  phase?: string;
  says?: string;
  outcomes?: readonly DemoOutcome[];
  session?: string | null;
};

function read(line: string): Line {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

const phaseOf = (name: string | undefined): DemoPhase | null => demoPhases.find((known) => known === name) ?? null;

/** The state after one more line. A line it does not know changes nothing. */
export function told(before: Said, line: string): Said {
  const { type, seconds, second, window, phase, says = "", outcomes = [], session = null } = read(line);
  switch (type) {
    case "begins":
      return { ...before, seconds: seconds ?? before.seconds, window: window ?? before.window };
    case "phase":
      return { ...before, phase: phaseOf(phase), says };
    case "second":
      return { ...before, second: second ?? before.second };
    case "ended":
      return { ...before, says, outcomes: [...outcomes], session };
    default:
      return before;
  }
}
