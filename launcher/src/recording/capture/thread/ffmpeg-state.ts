// What the ffmpeg backend says of itself, in words: only what is so.
import type { RecorderSettings, RecorderState } from "@kit/contract";
import { type Choice, type Refusal, stepDown } from "../probe/choice.ts";
import { nobody } from "../recorder-state.ts";
import type { ThreadStatus } from "./messages.ts";

export type FfmpegFacts = {
  readonly isWanted: boolean;
  /** Inputs and encoders are being tried. */
  readonly isChoosing: boolean;
  readonly choice: Choice | undefined;
  readonly refusal: Refusal | undefined;
  readonly status: ThreadStatus | undefined;
  /** Counted before the status's own counts began. */
  readonly before: { readonly restarts: number; readonly lostSeconds: number };
};

export function stateOf({ isWanted, isChoosing, choice, refusal, status, before }: FfmpegFacts): RecorderState {
  const counts = {
    restarts: before.restarts + (status?.restarts ?? 0),
    lostSeconds: before.lostSeconds + (status?.lostSeconds ?? 0),
  };
  const held = { heldSeconds: status?.heldSeconds ?? 0, heldBytes: status?.heldBytes ?? 0 };
  const rest = { ...nobody, ...counts, ...held, backend: "ffmpeg" } as const;
  if (!isWanted) return { ...rest, state: "idle", detail: "Nothing is captured" };
  if (refusal !== undefined) return { ...rest, state: "broken", detail: refusal.refused };
  if (choice === undefined || status === undefined || status.phase === "idle") {
    const detail = isChoosing ? "Finding out how this machine captures best" : "The capture begins";
    return { ...rest, state: "starting", detail };
  }
  const step = stepDown(choice, status.level) ?? choice;
  const { source, encoder, width, height, degraded } = step;
  const stepped = { ...rest, source, encoder, width, height, frameRate: status.frameRate, degraded };
  return { ...stepped, ...stateAndDetail(status, step) };
}

function stateAndDetail(status: ThreadStatus, step: Choice): Pick<RecorderState, "state" | "detail"> {
  const { phase, why, stillSeconds } = status;
  if (phase === "broken") return { state: "broken", detail: `${sentence(why)} ${adviceFor(why ?? "")}` };
  if (phase !== "recording") {
    return {
      state: "starting",
      detail: why === null ? "The capture begins" : `${sentence(why)} The capture begins anew.`,
    };
  }
  const still =
    stillSeconds === 0 ? [] : [`The picture has not changed for ${stillSeconds} s although the game sends events.`];
  return { state: "recording", detail: [`Captures ${step.source}.`, ...still, ...step.warnings].join(" ") };
}

function sentence(why: string | null): string {
  const text = why ?? "the capture ended";
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1).replace(/[.\s]+$/, "")}.`;
}

/** What a person can do about it. Kit tries again by itself all the while. */
function adviceFor(why: string): string {
  if (/cannot be started/.test(why))
    return "Check that ffmpeg runs on this machine: kit doctor says which one is used.";
  if (/display|xcb|X server|geometry/i.test(why)) return "The screen or window may be gone; Kit goes on trying.";
  return "Kit goes on trying; a test recording shows what fails.";
}

/** For the log; `againInMs` as the supervisor says it. */
export const endedSaid = (why: string, againInMs: number | null): string =>
  `${why}; ${againInMs === null ? "another one goes on" : `begins again in ${againInMs} ms`}`;

type NoneFacts = {
  /** By whoever looked for it; a sentence. */
  readonly said: string;
  /** Where the time that was asked for ends. */
  readonly toMs: number;
  /** When the first footage came. */
  readonly recordsSinceMs: number | undefined;
  readonly when: RecorderSettings["when"];
  readonly state: Pick<RecorderState, "state" | "detail">;
};

/** Why there is no footage of a time, and what to do about it. */
export function whyNone({ said, toMs, recordsSinceMs, when, state: { state, detail } }: NoneFacts): string {
  const wasStarting = recordsSinceMs === undefined ? state === "starting" : toMs <= recordsSinceMs;
  if (!wasStarting) return state === "recording" ? said : `${said}. ${detail}`;
  const advice = when === "always" ? "" : " Set it to `always` to have the seconds before each moment.";
  return `The recorder was only starting when it happened.${advice}`;
}
