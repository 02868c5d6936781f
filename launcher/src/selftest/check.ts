// What each check of the self-test gets, and what it finds.
import { isBuiltin } from "node:module";
import type { Message } from "@kit/contract";
import type { Config } from "../config.ts";
import type { ProcessesOf } from "../recording/capture/target.ts";
import type { WindowsDesktop } from "../recording/capture/window.ts";
import type { Ffmpeg } from "../recording/ffmpeg/find.ts";

export type Bench = {
  readonly config: Config;
  /** A folder that is removed at the end. */
  readonly folder: string;
  /** Aborts when a person cancels, or the time is over. */
  readonly signal: AbortSignal;
  /** Undefined if there is none; `noFfmpeg` says what to do. */
  readonly ffmpeg: Ffmpeg | undefined;
  readonly noFfmpeg: Message;
  /** Undefined where Kit cannot list windows and monitors. */
  readonly windowsDesktop: WindowsDesktop | undefined;
  readonly processesOf: ProcessesOf;
};

/** `not possible here`: this computer lacks what the check needs, so nothing is known. */
type CheckStatus = "passed" | "failed" | "not possible here";

export type Figures = Readonly<Record<string, string | number | boolean>>;

export type Outcome = {
  readonly status: CheckStatus;
  readonly figures: Figures;
  /** Why the check did not pass, and what to do. If it passed: empty, or what is poor nevertheless. */
  readonly advice: string;
  /** A PNG that shows what was recorded: only what the self-test itself painted. */
  readonly picture?: Buffer;
};

export type CheckResult = Outcome & { readonly id: string };

export const passed = (figures: Figures, picture?: Buffer, advice = ""): Outcome => ({
  status: "passed",
  figures,
  advice,
  ...(picture && { picture }),
});
/** `why` is a sentence, and `toDo` another one, with one thing to do; empty if `why` says it. */
export const failed = (why: string, toDo: string, figures: Figures = {}): Outcome => ({
  status: "failed",
  figures,
  advice: [why, toDo].filter(Boolean).join(" "),
});
export const impossible = (advice: string, figures: Figures = {}): Outcome => ({
  status: "not possible here",
  figures,
  advice,
});

/** True if this Node.js calls no functions of the system, where Kit needs them: older ones do not. */
export const lacksFfi = ["win32", "darwin"].includes(process.platform) && !isBuiltin("node:ffi");
export const needsNewerNode = impossible(
  "This Node.js lets Kit call too little of the system for it. Use Node.js 26.10 or newer, or Kit's executable, which contains it.",
);

/** What to do about failures that a busy computer explains. */
export const runAgain = "Close other programs, and run the self-test again.";
/** What to do about failures that only Kit explains. */
export const reportIt = "Attach the page of the self-test to an issue.";

/** Returns a text as a sentence: ffmpeg and some messages begin with a small letter, and end without a period. */
export const inSentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

/** Returns the number with one digit after the point. */
export const rounded = (number: number): number => Math.round(number * 10) / 10;
