// Describes the state of the OBS backend for a person.
import type { RecorderState } from "@kit/contract";
import type { ReplayBufferStatus } from "./follower.ts";
import type { ObsReplayBuffer } from "./replay-buffer.ts";

export type ObsStateFacts = ReplayBufferStatus & {
  /** Version of the connected OBS; null if not connected. */
  readonly version: string | null;
  /** Why OBS is not connected. */
  readonly why: string;
  /** Pre-roll and post-roll of a clip. */
  readonly clipSeconds: number;
  readonly nowMs: number;
};

/** Length of a group of pictures with OBS's default settings. OBS drops whole groups. */
const groupSeconds = 10;

const noReplayBuffer =
  "OBS has no replay buffer: in OBS, Settings → Output → Replay Buffer, tick Enable Replay Buffer (in the simple mode no lossless recording, in the advanced mode no custom output).";

export function obsState(facts: ObsStateFacts): RecorderState {
  const { buffer, restarts, lostMs } = facts;
  const { state, detail } = describeState(facts);
  return {
    state,
    detail,
    backend: "obs",
    source: buffer?.scene == null ? null : `OBS scene “${buffer.scene.slice(0, 100)}”`,
    encoder: null,
    width: buffer?.width ?? 0,
    height: buffer?.height ?? 0,
    frameRate: buffer?.isActive ? Math.round(buffer.frameRate * 10) / 10 : 0,
    heldSeconds: heldSeconds(facts),
    heldBytes: 0,
    degraded: null,
    restarts,
    lostSeconds: lostMs / 1_000,
  };
}

function describeState(facts: ObsStateFacts): Pick<RecorderState, "state" | "detail"> {
  const { isWanted, version, why, buffer, wasStoppedInObs } = facts;
  const failedState = isWanted ? "broken" : "idle";
  if (version === null) return { state: failedState, detail: why };
  if (buffer === null)
    return { state: isWanted ? "starting" : "idle", detail: `Checking the replay buffer of OBS ${version}.` };
  if (!buffer.isEnabled) return { state: failedState, detail: noReplayBuffer };
  const advice = lengthAdvice(facts);
  if (!isWanted) return { state: "idle", detail: `OBS ${version} is connected and waits for a game.${advice}` };
  if (buffer.isActive)
    return { state: "recording", detail: `OBS ${version} records${describeLength(buffer)}.${advice}` };
  if (!wasStoppedInObs) return { state: "starting", detail: `OBS ${version} starts its replay buffer.` };
  const detail = "The replay buffer was stopped in OBS. Start it there, or check OBS for an error message.";
  return { state: "broken", detail };
}

const describeLength = ({ seconds }: ObsReplayBuffer) =>
  seconds === null ? "" : `; its replay buffer keeps ${seconds} s`;

function lengthAdvice({ buffer, clipSeconds }: ObsStateFacts): string {
  const wanted = clipSeconds + groupSeconds;
  if (buffer?.seconds == null || buffer.seconds >= wanted) return "";
  return ` That may be too short for whole clips: in OBS, Settings → Output → Replay Buffer, set Maximum Replay Time to ${wanted} s or more, and the keyframe interval to 1 or 2 s.`;
}

/** Counts from the observed start up to OBS's setting. Returns 0 if unknown. */
function heldSeconds({ buffer, startedMs, nowMs }: ObsStateFacts): number {
  if (buffer?.isActive !== true || buffer.seconds === null || startedMs === null) return 0;
  return Math.max(0, Math.min(buffer.seconds, Math.floor((nowMs - startedMs) / 1_000)));
}
