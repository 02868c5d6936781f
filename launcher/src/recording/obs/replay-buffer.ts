// Queries and starts OBS's replay buffer.
import { type ObsLink, ObsRefused, obsStatus } from "./link.ts";

export type ObsReplayBuffer = {
  /** False if the replay buffer is switched off in OBS's settings. */
  readonly isEnabled: boolean;
  readonly isActive: boolean;
  /** Length in seconds; null if OBS does not report it. */
  readonly seconds: number | null;
  readonly width: number;
  readonly height: number;
  readonly frameRate: number;
  readonly scene: string | null;
};

/** Rejects with ObsSilent if the connection ended. */
export async function askReplayBuffer(link: ObsLink): Promise<ObsReplayBuffer> {
  const status = await askStatus(link);
  const [seconds, video, stats, scene] = await Promise.all([
    nullIfRefused(replaySeconds(link)),
    nullIfRefused(link.call("GetVideoSettings")),
    nullIfRefused(link.call("GetStats")),
    nullIfRefused(link.call("GetCurrentProgramScene")),
  ]);
  return {
    ...status,
    seconds,
    width: video?.outputWidth ?? 0,
    height: video?.outputHeight ?? 0,
    frameRate: stats?.activeFps ?? 0,
    scene: scene?.currentProgramSceneName ?? null,
  };
}

/** Starts the replay buffer. Returns false if it was already running. Rejects with ObsRefused or ObsSilent. */
export async function startReplayBuffer(link: ObsLink): Promise<boolean> {
  try {
    await link.call("StartReplayBuffer");
    return true;
  } catch (failure) {
    if (failure instanceof ObsRefused && failure.code === obsStatus.outputRunning) return false;
    throw failure;
  }
}

async function askStatus(link: ObsLink): Promise<{ isEnabled: boolean; isActive: boolean }> {
  try {
    const { outputActive } = await link.call("GetReplayBufferStatus");
    return { isEnabled: true, isActive: outputActive };
  } catch (failure) {
    if (failure instanceof ObsRefused && failure.code === obsStatus.notFound)
      return { isEnabled: false, isActive: false };
    throw failure;
  }
}

/** Reads the setting of the simple or the advanced output mode. */
async function replaySeconds(link: ObsLink): Promise<number | null> {
  const mode = await profileValue(link, "Output", "Mode");
  const text = await profileValue(link, mode === "Advanced" ? "AdvOut" : "SimpleOutput", "RecRBTime");
  const seconds = Number(text);
  return text !== null && Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

async function profileValue(link: ObsLink, category: string, name: string): Promise<string | null> {
  const answer = await link.call("GetProfileParameter", { parameterCategory: category, parameterName: name });
  // Both may be missing, contrary to the library's types.
  return answer.parameterValue ?? answer.defaultParameterValue ?? null;
}

/** Returns null for a request that this version of OBS does not support. */
async function nullIfRefused<Value>(answer: Promise<Value>): Promise<Value | null> {
  return answer.catch((failure: unknown) => {
    if (failure instanceof ObsRefused) return null;
    throw failure;
  });
}
