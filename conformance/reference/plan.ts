// Types of the plan that a driver gets from the runner; see ../README.md.
import type { Config } from "./binding.ts";

export type PlannedText = string | null | { readonly utf16: readonly number[] };

export type Call =
  | { readonly do: "recording"; readonly eventId: PlannedText }
  | { readonly do: "social"; readonly eventId: PlannedText }
  | { readonly do: "monitor"; readonly message: PlannedText; readonly stackTrace?: PlannedText };

/** An error that nobody catches. */
export type Fail = { readonly do: "fail"; readonly message: string };

export type Step =
  | Call
  | Fail
  | { readonly do: "initialize"; readonly config?: Partial<Config> }
  | { readonly do: "read" }
  | { readonly do: "repeat"; readonly times: number; readonly step: Call | Fail }
  | { readonly do: "threads"; readonly count: number; readonly step: Call }
  | { readonly do: "frames"; readonly count: number }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "block"; readonly ms: number }
  | { readonly do: "pause" }
  | { readonly do: "quit" };

export type PlannedCase = {
  readonly id: string;
  readonly alone: boolean;
  readonly start: "config" | "nothing";
  readonly config: Partial<Config>;
  readonly steps: readonly Step[];
};
