// What OBS's replay buffer is and does now, as OBS says: whether it is there, runs, how long it is, and what it shows.
import { type ObsLink, ObsRefused, obsStatus } from "./link.ts";

export type ObsReplayBuffer = {
  /** False: it is switched off in OBS's settings. */
  readonly isThere: boolean;
  readonly isActive: boolean;
  /** Its length in seconds; null when OBS does not say. */
  readonly seconds: number | null;
  readonly width: number;
  readonly height: number;
  readonly frameRate: number;
  readonly scene: string | null;
};

/** Rejects with ObsSilent when the connection ended. */
export async function askReplayBuffer(link: ObsLink): Promise<ObsReplayBuffer> {
  const status = await askStatus(link);
  const [seconds, video, stats, scene] = await Promise.all([
    orNull(replaySeconds(link)),
    orNull(link.call("GetVideoSettings")),
    orNull(link.call("GetStats")),
    orNull(link.call("GetCurrentProgramScene")),
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

/** Starts it; false when it ran already. Rejects with ObsRefused or ObsSilent. */
export async function startReplayBuffer(link: ObsLink): Promise<boolean> {
  try {
    await link.call("StartReplayBuffer");
    return true;
  } catch (failure) {
    if (failure instanceof ObsRefused && failure.code === obsStatus.outputRunning) return false;
    throw failure;
  }
}

async function askStatus(link: ObsLink): Promise<{ isThere: boolean; isActive: boolean }> {
  try {
    const { outputActive } = await link.call("GetReplayBufferStatus");
    return { isThere: true, isActive: outputActive };
  } catch (failure) {
    if (failure instanceof ObsRefused && failure.code === obsStatus.notThere)
      return { isThere: false, isActive: false };
    throw failure;
  }
}

/** As the person set it, in the simple or the advanced output mode. */
async function replaySeconds(link: ObsLink): Promise<number | null> {
  const mode = await profileValue(link, "Output", "Mode");
  const text = await profileValue(link, mode === "Advanced" ? "AdvOut" : "SimpleOutput", "RecRBTime");
  const seconds = Number(text);
  return text !== null && Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

async function profileValue(link: ObsLink, category: string, name: string): Promise<string | null> {
  const answer = await link.call("GetProfileParameter", { parameterCategory: category, parameterName: name });
  // Either may be missing, whatever the library's types say.
  return answer.parameterValue ?? answer.defaultParameterValue ?? null;
}

/** What one version of OBS knows and another does not is left out. */
async function orNull<Value>(answer: Promise<Value>): Promise<Value | null> {
  return answer.catch((failure: unknown) => {
    if (failure instanceof ObsRefused) return null;
    throw failure;
  });
}
