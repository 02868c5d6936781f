// Converts cases to a plan for drivers, with launcher addresses and expanded texts.
import type { Case, Settings, Step, Text } from "./case.ts";
import { written } from "./case.ts";

type PlannedText = string | null | { readonly utf16: readonly number[] };

export type PlannedCase = {
  readonly id: string;
  readonly alone: boolean;
  readonly start: "config" | "nothing";
  readonly config: Settings;
  readonly steps: readonly unknown[];
};

/** `text` with the launcher's address in place of {url} and {port}. */
export function addressed(text: string, url: string): string {
  return text.replaceAll("{url}", url).replaceAll("{port}", new URL(url).port);
}

/** Converts a text for drivers: a JSON string if possible, otherwise code units. */
function planText(text: Text): PlannedText {
  const value = written(text);
  if (value === undefined) return null;
  return value.isWellFormed() ? value : { utf16: Array.from(value, (_, at) => value.charCodeAt(at)) };
}

function planSettings(settings: Settings, url: string): Settings {
  return settings.launcherUrl === undefined
    ? settings
    : { ...settings, launcherUrl: addressed(settings.launcherUrl, url) };
}

function planStep(step: Step, url: string): unknown {
  switch (step.do) {
    case "recording":
    case "social":
      return { ...step, eventId: planText(step.eventId) };
    case "monitor": {
      const stack = step.stackTrace === undefined ? {} : { stackTrace: planText(step.stackTrace) };
      return { do: step.do, message: planText(step.message), ...stack };
    }
    case "repeat":
    case "threads":
      return { ...step, step: planStep(step.step, url) };
    case "initialize":
      return step.config === undefined ? step : { ...step, config: planSettings(step.config, url) };
    default:
      return step;
  }
}

export function planned(one: Case, url: string): PlannedCase {
  const isStarted = one.start !== "nothing";
  const config = isStarted ? planSettings({ launcherUrl: "{url}", ...one.config }, url) : {};
  return {
    id: one.id,
    alone: one.alone ?? false,
    start: isStarted ? "config" : "nothing",
    config,
    steps: one.steps.map((step) => planStep(step, url)),
  };
}
