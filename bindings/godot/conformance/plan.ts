// The plan as the conformance runner writes it, and as the game of this driver reads it.
import type { Settings } from "../test/builds.ts";

type Text = string | null | { readonly utf16: readonly number[] };
type Config = Readonly<Record<string, string | boolean>>;

type Step = {
  readonly do: string;
  readonly step?: Step;
  readonly [member: string]: unknown;
};

export type Case = {
  readonly id: string;
  readonly alone: boolean;
  readonly start: "config" | "nothing";
  readonly config?: Config;
  readonly steps: readonly Step[];
};

const settingNames: Readonly<Record<string, string>> = {
  launcherUrl: "launcher_url",
  enableRecording: "enable_recording",
  enableMonitor: "enable_monitor",
  enableSocial: "enable_social",
  build: "build",
  reportUncaughtErrors: "report_uncaught_errors",
};

/** A case's configuration as project settings, which is how a game starts the binding with one. */
export function settingsOf({ start, config = {} }: Case): Settings {
  if (start === "nothing") return {};
  return Object.fromEntries(Object.entries(config).map(([name, value]) => [settingNames[name] ?? name, value]));
}

/** A process of its own: for a binding that nobody used before, and for one that ends the game. */
export const needsOwnProcess = ({ alone, steps }: Case): boolean => alone || steps.some((step) => step.do === "quit");

/** A Godot string has no null, no NUL and no half surrogate pair: the engine makes U+FFFD of the last two. */
function godotText(text: Text): string {
  if (text === null) return "";
  const plain = typeof text === "string" ? text : String.fromCharCode(...text.utf16);
  return plain.toWellFormed().replaceAll("\0", "\ufffd");
}

function godotStep(step: Step): Step {
  const members = Object.entries(step).map(([name, value]) => {
    if (name === "step") return [name, godotStep(value as Step)];
    return [name, ["eventId", "message", "stackTrace"].includes(name) ? godotText(value as Text) : value];
  });
  return Object.fromEntries(members) as Step;
}

/** What the game reads. */
export function gamePlan(cases: readonly Case[], alone: boolean): string {
  const written = cases.map((each) => ({ config: {}, ...each, steps: each.steps.map(godotStep) }));
  return JSON.stringify({ alone, cases: written });
}
