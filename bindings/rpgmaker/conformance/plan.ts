// What a driver reads, and how this binding is told of it: settings as the plugin manager keeps them, one game a case.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Flavour, writeGame } from "../stage/game-folder.ts";

type Setting = "launcherUrl" | "enableRecording" | "enableMonitor" | "enableSocial" | "build" | "reportUncaughtErrors";
type Config = Partial<Record<Setting, string | boolean>>;

type Step = { readonly do: string; readonly config?: Config; readonly step?: Step };

export type Case = {
  readonly id: string;
  readonly start: "config" | "nothing";
  readonly config?: Config;
  readonly steps: readonly Step[];
};

const here = import.meta.dirname;

const parameterNames = {
  launcherUrl: "Launcher URL",
  enableRecording: "Enable Recording",
  enableMonitor: "Enable Monitor",
  enableSocial: "Enable Social",
  build: "Build",
  reportUncaughtErrors: "Report Uncaught Errors",
};

/** What the case leaves out is left out here too: the plugin's own default counts then. */
function parametersOf(config: Config = {}): Record<string, string> {
  const named = Object.entries(parameterNames).map(([member, name]) => [name, config[member as keyof Config]]);
  return Object.fromEntries(
    named.filter(([, value]) => value !== undefined).map(([name, value]) => [name, `${value}`]),
  );
}

const withParameters = (step: Step): object => ({
  ...step,
  parameters: parametersOf(step.config),
  ...(step.step && { step: withParameters(step.step) }),
});

export function casesOf(planPath: string): Case[] {
  return (JSON.parse(readFileSync(planPath, "utf8")) as { cases: Case[] }).cases;
}

export const endsByQuitting = ({ steps }: Case) => steps.some((step) => step.do === "quit");

/** Writes the game that plays `played`: the stand-in with the case player's hand in it. */
export function writeCase(
  folder: string,
  flavour: Flavour,
  played: Case,
  at: { told: string; toldFile: string },
): void {
  writeGame(folder, {
    flavour,
    parameters: played.start === "config" ? parametersOf(played.config) : {},
    hand: join(here, "case-player.js"),
    handSetup: {
      ...at,
      steps: played.steps.map(withParameters),
      plugin: readFileSync(join(here, "../KitSDK.js"), "utf8"),
    },
  });
}
