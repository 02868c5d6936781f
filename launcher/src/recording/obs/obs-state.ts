// What OBS's state is in words and figures: what is captured, or what is wrong and what to do.
import type { RecorderState } from "@kit/contract";
import type { FollowedBuffer } from "./follower.ts";
import type { ObsReplayBuffer } from "./replay-buffer.ts";

export type ObsFacts = FollowedBuffer & {
  /** Version of the OBS that is connected; null when none is. */
  readonly version: string | null;
  /** Why none is connected. */
  readonly why: string;
  /** Seconds a clip needs before and after its moment. */
  readonly clipSeconds: number;
  readonly nowMs: number;
};

/** OBS drops whole groups of pictures; as long as they are by its own setting, in seconds. */
const groupSeconds = 10;

const noReplayBuffer =
  "OBS has no replay buffer: in OBS, Settings → Output → Replay Buffer, tick Enable Replay Buffer (in the simple mode no lossless recording, in the advanced mode no custom output).";

export function obsState(facts: ObsFacts): RecorderState {
  const { buffer, restarts, lostMs } = facts;
  const { state, detail } = words(facts);
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

function words(facts: ObsFacts): Pick<RecorderState, "state" | "detail"> {
  const { isWanted, version, why, buffer, isStoppedThere } = facts;
  const unwanted = isWanted ? "broken" : "idle";
  if (version === null) return { state: unwanted, detail: why };
  if (buffer === null)
    return { state: isWanted ? "starting" : "idle", detail: `OBS ${version} is asked for its replay buffer.` };
  if (!buffer.isThere) return { state: unwanted, detail: noReplayBuffer };
  const advice = adviceOn(facts);
  if (!isWanted) return { state: "idle", detail: `OBS ${version} is there and waits for a game.${advice}` };
  if (buffer.isActive) return { state: "recording", detail: `OBS ${version} records${lengthOf(buffer)}.${advice}` };
  if (!isStoppedThere) return { state: "starting", detail: `OBS ${version} starts its replay buffer.` };
  const detail = "OBS's replay buffer was stopped in OBS. Start it there, or see there what it says.";
  return { state: "broken", detail };
}

const lengthOf = ({ seconds }: ObsReplayBuffer) => (seconds === null ? "" : `; its replay buffer keeps ${seconds} s`);

function adviceOn({ buffer, clipSeconds }: ObsFacts): string {
  const wanted = clipSeconds + groupSeconds;
  if (buffer?.seconds == null || buffer.seconds >= wanted) return "";
  return ` That may be too short for whole clips: in OBS, Settings → Output → Replay Buffer, set Maximum Replay Time to ${wanted} s or more, and the keyframe interval to 1 or 2 s.`;
}

/** Counted from the start that was seen, at most what OBS was set to; 0 when not known. */
function heldSeconds({ buffer, startedMs, nowMs }: ObsFacts): number {
  if (buffer?.isActive !== true || buffer.seconds === null || startedMs === null) return 0;
  return Math.max(0, Math.min(buffer.seconds, Math.floor((nowMs - startedMs) / 1_000)));
}
