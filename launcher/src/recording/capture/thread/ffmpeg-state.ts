// Describes the state of the ffmpeg backend for a person.
import { type RecorderSettings, type RecorderState, textOf } from "@kit/contract";
import { type CaptureChoice, type ProbeRefusal, stepDown } from "../probe/choice.ts";
import type { ThreadStatus } from "./messages.ts";

/** The state while nothing captures. */
export const noCapture = {
  backend: null,
  source: null,
  encoder: null,
  width: 0,
  height: 0,
  frameRate: 0,
  heldSeconds: 0,
  heldBytes: 0,
  degraded: null,
} as const;

export type FfmpegStateFacts = {
  readonly isWanted: boolean;
  /** True while inputs and encoders are probed. */
  readonly isChoosing: boolean;
  readonly choice: CaptureChoice | undefined;
  readonly refusal: ProbeRefusal | undefined;
  readonly status: ThreadStatus | undefined;
  /** Counts of earlier threads, to be added to the status. */
  readonly earlierCounts: { readonly restarts: number; readonly lostSeconds: number };
};

export function ffmpegState(facts: FfmpegStateFacts): RecorderState {
  const { isWanted, isChoosing, choice, refusal, status, earlierCounts } = facts;
  const base = {
    ...noCapture,
    restarts: earlierCounts.restarts + (status?.restarts ?? 0),
    lostSeconds: earlierCounts.lostSeconds + (status?.lostSeconds ?? 0),
    heldSeconds: status?.heldSeconds ?? 0,
    heldBytes: status?.heldBytes ?? 0,
    backend: "ffmpeg",
  } as const;
  if (!isWanted) return { ...base, state: "idle", detail: "Nothing is captured" };
  if (refusal !== undefined) return { ...base, state: "broken", detail: refusal.refused };
  if (choice === undefined || status === undefined || status.phase === "idle") {
    const detail = isChoosing ? "Finding out how this machine captures best" : "The capture is starting";
    return { ...base, state: "starting", detail };
  }
  const step = stepDown(choice, status.level) ?? choice;
  const { source, encoder, width, height, degraded } = step;
  const { frameRate } = status;
  return { ...base, source, encoder, width, height, frameRate, degraded, ...stateAndDetail(status, step) };
}

function stateAndDetail(status: ThreadStatus, step: CaptureChoice): Pick<RecorderState, "state" | "detail"> {
  const { phase, why, unchangedSeconds } = status;
  if (phase === "broken") return { state: "broken", detail: `${sentence(why)} ${adviceFor(why ?? "")}` };
  if (phase !== "recording") {
    return {
      state: "starting",
      detail: why === null ? "The capture is starting" : `${sentence(why)} The capture is restarting.`,
    };
  }
  const frozen =
    unchangedSeconds === 0
      ? []
      : [`The picture has not changed for ${unchangedSeconds} s although the game sends events.`];
  return { state: "recording", detail: [`Captures ${step.source}.`, ...frozen, ...step.warnings].join(" ") };
}

function sentence(why: string | null): string {
  const text = why ?? "the capture ended";
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1).replace(/[.\s]+$/, "")}.`;
}

/** What a person can do about the failure. Kit keeps retrying meanwhile. */
function adviceFor(why: string): string {
  if (/cannot be started/.test(why))
    return "Check that ffmpeg runs on this machine: `kit doctor` shows which one is used.";
  if (/display|xcb|X server|geometry/i.test(why)) return "The screen or window may be gone; Kit keeps trying.";
  return "Kit keeps trying; a test recording shows what fails.";
}

/** For the log. */
export const runEndedMessage = (reason: string, restartInMs: number | null): string =>
  `${reason}; ${restartInMs === null ? "another run continues" : `restarts in ${restartInMs} ms`}`;

type NoFootageFacts = {
  /** A sentence from the code that looked for the footage. */
  readonly message: string;
  /** End of the requested range. */
  readonly toMs: number;
  /** When the first footage arrived. */
  readonly recordingSinceMs: number | undefined;
  readonly when: RecorderSettings["when"];
  readonly state: Pick<RecorderState, "state" | "detail">;
};

/** Explains why a range has no footage, and what to do about it. */
export function noFootageMessage({ message, toMs, recordingSinceMs, when, state }: NoFootageFacts): string {
  const wasStarting = recordingSinceMs === undefined ? state.state === "starting" : toMs <= recordingSinceMs;
  if (!wasStarting) return state.state === "recording" ? message : `${message}. ${textOf(state.detail)}`;
  const advice = when === "always" ? "" : " Set it to `always` to have the seconds before each moment.";
  return `The recorder was only starting when it happened.${advice}`;
}
