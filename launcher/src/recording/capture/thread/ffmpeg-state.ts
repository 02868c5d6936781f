// Describes the state of the ffmpeg backend for a person.

import { hasCode, type Message, type RecorderSettings, type RecorderState, textOf } from "@kit/contract";
import { joinSentences, message, toMessage } from "@kit/contract/messages";
import { type CaptureChoice, isGuess, type ProbeRefusal, reduceQuality } from "../probe/choice.ts";
import type { CaptureTarget } from "../target.ts";
import { isWindowsFault } from "../windows-faults.ts";
import type { CaptureThreadStatus } from "./thread-client.ts";

/** The state while nothing captures. */
export const idleCaptureState = {
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
  readonly target: CaptureTarget;
  /** What a person should know about the sound that Kit mixes. */
  readonly sound: readonly Message[];
  readonly status: CaptureThreadStatus | undefined;
  /** Counts of earlier threads. The state adds them to the counts in `status`. */
  readonly earlierCounts: { readonly restarts: number; readonly lostSeconds: number };
};

export function describeFfmpegState(facts: FfmpegStateFacts): RecorderState {
  const { isWanted, isChoosing, choice, refusal, status, target, sound, earlierCounts } = facts;
  const base = {
    ...idleCaptureState,
    restarts: earlierCounts.restarts + (status?.restarts ?? 0),
    lostSeconds: earlierCounts.lostSeconds + (status?.lostSeconds ?? 0),
    heldSeconds: status?.heldSeconds ?? 0,
    heldBytes: status?.heldBytes ?? 0,
    backend: "ffmpeg",
  } as const;
  if (!isWanted) return { ...base, state: "idle", detail: message("recorder.captures_nothing") };
  if (target.kind === "nothing") return { ...base, state: "idle", detail: target.why };
  if (refusal !== undefined) return { ...base, state: "broken", detail: refusal.refused };
  if (choice === undefined || status === undefined || status.phase === "idle") {
    const detail = isChoosing ? message("recorder.probing") : message("recorder.starting");
    return { ...base, state: "starting", detail };
  }
  // A guess may fail. Only what the probe chooses shows whether this machine can record.
  if (isChoosing && isGuess(choice) && status.phase !== "recording") {
    return { ...base, state: "starting", detail: message("recorder.probing") };
  }
  const step = reduceQuality(choice, status.level) ?? choice;
  const { source, encoder, width, height, degraded } = step;
  const { frameRate } = status;
  return {
    ...base,
    source,
    encoder,
    width,
    height,
    frameRate,
    degraded,
    ...stateAndDetail(status, step, target, step.spec.sound?.kind === "pipe" ? sound : []),
  };
}

function stateAndDetail(
  status: CaptureThreadStatus,
  step: CaptureChoice,
  target: CaptureTarget,
  sound: readonly Message[],
): Pick<RecorderState, "state" | "detail"> {
  const { phase, why: ended, unchangedSeconds } = status;
  if (phase === "broken") return { state: "broken", detail: joinSentences(sentence(ended), ...adviceFor(ended)) };
  if (phase !== "recording") {
    return {
      state: "starting",
      detail:
        ended === null ? message("recorder.starting") : joinSentences(sentence(ended), message("recorder.restarting")),
    };
  }
  const why = target.kind === "screen" && target.why !== null ? [target.why] : [];
  const frozen = unchangedSeconds === 0 ? [] : [message("recorder.picture_frozen", { seconds: unchangedSeconds })];
  return {
    state: "recording",
    detail: joinSentences(
      message("recorder.captures", { source: step.source }),
      ...why,
      ...frozen,
      ...step.warnings,
      ...sound,
    ),
  };
}

const sentence = (why: Message | null): Message =>
  why === null ? message("recorder.ended") : message("recorder.ended_because", { why });

/** Returns what a person can do about the failure, while Kit keeps retrying, unless the failure itself says it. */
function adviceFor(why: Message | null): Message[] {
  if (why !== null && isWindowsFault(why)) return [];
  if (hasCode(why ?? "", "ffmpeg.cannot_be_started")) return [message("recorder.check_ffmpeg")];
  if (/display|xcb|X server|geometry/i.test(textOf(why ?? ""))) return [message("recorder.source_may_be_gone")];
  return [message("recorder.keeps_trying")];
}

/** Describes the end of a run for the log. */
export const runEndedMessage = (reason: Message, restartInMs: number | null): string =>
  `${textOf(reason)}; ${restartInMs === null ? "another run continues" : `restarts in ${restartInMs} ms`}`;

type NoFootageFacts = {
  /** Why there is no footage, from the code that looked for it. */
  readonly why: Message;
  /** End of the requested range. */
  readonly toMs: number;
  /** When the first footage arrived; undefined if none has. */
  readonly recordingSinceMs: number | undefined;
  readonly when: RecorderSettings["when"];
  readonly state: Pick<RecorderState, "state" | "detail">;
};

/** Explains why a range has no footage, and what to do about it. */
export function noFootageMessage({ why, toMs, recordingSinceMs, when, state }: NoFootageFacts): Message {
  const wasStarting = recordingSinceMs === undefined ? state.state === "starting" : toMs <= recordingSinceMs;
  if (!wasStarting)
    return state.state === "recording" ? why : message("footage.none_now", { why, state: toMessage(state.detail) });
  const starting = message("recorder.was_only_starting");
  return when === "always" ? starting : joinSentences(starting, message("recorder.set_to_always"));
}
