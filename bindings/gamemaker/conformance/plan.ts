// What a conformance plan holds, and what is said about a case, as ../../../conformance/README.md has it.

export type Text = string | null | { readonly utf16: readonly number[] };

export type Config = {
  readonly launcherUrl?: string;
  readonly enableRecording?: boolean;
  readonly enableMonitor?: boolean;
  readonly enableSocial?: boolean;
  readonly build?: string;
  readonly reportUncaughtErrors?: boolean;
};

export type Operation =
  | { readonly do: "recording" | "social"; readonly eventId: Text }
  | { readonly do: "monitor"; readonly message: Text; readonly stackTrace?: Text };

type Fail = { readonly do: "fail"; readonly message: string };
/** An exception that nobody catches. The first ends the game. */
export type Failure = Fail | { readonly do: "repeat"; readonly times: number; readonly step: Fail };

export type Step =
  | Operation
  | { readonly do: "initialize"; readonly config?: Config }
  | { readonly do: "read" | "pause" | "quit" }
  | { readonly do: "repeat"; readonly times: number; readonly step: Operation }
  | { readonly do: "threads"; readonly count: number; readonly step: Operation }
  | { readonly do: "frames"; readonly count: number }
  | { readonly do: "wait" | "block"; readonly ms: number };

export type Case = {
  readonly id: string;
  readonly alone: boolean;
  readonly start: "config" | "nothing";
  readonly config?: Config;
  readonly steps: readonly (Step | Failure)[];
};

export type Plan = { readonly cases: readonly Case[] };

export type Report = {
  readonly case: string;
  readonly calls: [number, number][];
  readonly failures: [number, number][];
  readonly threw: string[];
  readonly errors: string[];
  readonly reads: { initialized: boolean; config?: Config }[];
  frames: number;
};

export const isFailure = (step: Step | Failure): step is Failure =>
  step.do === "fail" || (step.do === "repeat" && step.step.do === "fail");

export const endsGame = (step: Step | Failure): boolean => step.do === "quit" || isFailure(step);
