// Follows OBS's replay buffer: starts it when footage is wanted, notices when it stops, and counts the lost time.
import { type ObsLink, ObsRefused, obsStatusCodes } from "./link.ts";

export type ReplayBufferFollowerDeps = {
  readonly link: () => ObsLink | undefined;
  readonly pollStatusMs: number;
  /** Called when the status may have changed. */
  readonly onChanged: () => void;
  /** Called when OBS is connected but does not answer. */
  readonly onNoAnswer: () => void;
};

export type ReplayBufferStatus = {
  readonly isWanted: boolean;
  /** OBS's last report; null before the first one. */
  readonly buffer: ObsReplayBuffer | null;
  /** True if a person stopped the replay buffer in OBS although footage is wanted. */
  readonly wasStoppedInObs: boolean;
  /** When Kit saw the buffer start; null if it ran before Kit looked, or does not run. */
  readonly startedMs: number | null;
  readonly restarts: number;
  readonly lostMs: number;
};

export type ReplayBufferFollower = {
  status(): ReplayBufferStatus;
  /** Notes that footage is wanted from now on. Resolves when OBS has been asked to start its buffer, or is not connected. */
  start(): Promise<void>;
  /** Stops the replay buffer if Kit started it. */
  stop(): Promise<void>;
  /** Asks OBS for its state, and starts its replay buffer if footage is wanted. Never rejects. */
  refresh(): Promise<void>;
  /** Notes that the connection to OBS ended. */
  markDisconnected(): void;
  /** Notes that the replay buffer started or stopped. */
  markActive(isActive: boolean): void;
};

export function createReplayBufferFollower({
  link,
  pollStatusMs,
  onChanged,
  onNoAnswer,
}: ReplayBufferFollowerDeps): ReplayBufferFollower {
  let isWanted = false;
  let buffer: ObsReplayBuffer | null = null;
  let wasStoppedInObs = false;
  /** Kit stops only a replay buffer that Kit started. */
  let isStartedByKit = false;
  let startedMs: number | null = null;
  let restarts = 0;
  let lostMs = 0;
  let gapStartedMs: number | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function refresh(): Promise<void> {
    clearTimeout(timer);
    const askedLink = link();
    if (askedLink === undefined) return;
    try {
      const answer = await askReplayBuffer(askedLink);
      if (askedLink !== link()) return;
      buffer = answer;
      if (isWanted && answer.isEnabled && !answer.isActive && !wasStoppedInObs) await startBuffer(askedLink);
      if (answer.isActive) endGap();
    } catch {
      if (askedLink === link()) onNoAnswer();
      return;
    }
    clearTimeout(timer);
    timer = setTimeout(() => void refresh(), pollStatusMs).unref();
    onChanged();
  }

  async function startBuffer(askedLink: ObsLink): Promise<void> {
    try {
      isStartedByKit = await startReplayBuffer(askedLink);
    } catch (failure) {
      // OBS is changing its settings, or somebody has just switched the buffer off. The next refresh shows which.
      if (!(failure instanceof ObsRefused)) throw failure;
    }
  }

  function endGap(): void {
    if (gapStartedMs === null) return;
    lostMs += Date.now() - gapStartedMs;
    gapStartedMs = null;
  }

  function beginGap(): void {
    if (!isWanted || buffer?.isActive !== true || gapStartedMs !== null) return;
    gapStartedMs = Date.now();
    restarts += 1;
  }

  return {
    status: () => ({
      isWanted,
      buffer,
      wasStoppedInObs,
      startedMs,
      restarts,
      lostMs: lostMs + (gapStartedMs === null ? 0 : Date.now() - gapStartedMs),
    }),
    async start() {
      if (isWanted && !wasStoppedInObs) return;
      isWanted = true;
      wasStoppedInObs = false;
      await refresh();
      onChanged();
    },
    async stop() {
      isWanted = false;
      wasStoppedInObs = false;
      endGap();
      if (isStartedByKit)
        await link()
          ?.call("StopReplayBuffer")
          .catch(() => undefined);
      isStartedByKit = false;
      onChanged();
    },
    refresh,
    markDisconnected() {
      clearTimeout(timer);
      beginGap();
      buffer = null;
      isStartedByKit = false;
      wasStoppedInObs = false;
      startedMs = null;
      onChanged();
    },
    markActive(isActive) {
      if (!isActive) beginGap();
      wasStoppedInObs = !isActive && isWanted;
      startedMs = isActive ? Date.now() : null;
      if (isActive) endGap();
      else isStartedByKit = false;
      if (buffer !== null) buffer = { ...buffer, isActive };
      onChanged();
    },
  };
}

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
async function askReplayBuffer(link: ObsLink): Promise<ObsReplayBuffer> {
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
async function startReplayBuffer(link: ObsLink): Promise<boolean> {
  try {
    await link.call("StartReplayBuffer");
    return true;
  } catch (failure) {
    if (failure instanceof ObsRefused && failure.code === obsStatusCodes.outputRunning) return false;
    throw failure;
  }
}

async function askStatus(link: ObsLink): Promise<{ isEnabled: boolean; isActive: boolean }> {
  try {
    const { outputActive } = await link.call("GetReplayBufferStatus");
    return { isEnabled: true, isActive: outputActive };
  } catch (failure) {
    if (failure instanceof ObsRefused && failure.code === obsStatusCodes.notFound)
      return { isEnabled: false, isActive: false };
    throw failure;
  }
}

/** Reads the length from the settings of the output mode in use, simple or advanced. */
async function replaySeconds(link: ObsLink): Promise<number | null> {
  const mode = await profileValue(link, "Output", "Mode");
  const text = await profileValue(link, mode === "Advanced" ? "AdvOut" : "SimpleOutput", "RecRBTime");
  const seconds = Number(text);
  return text !== null && Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}

async function profileValue(link: ObsLink, category: string, name: string): Promise<string | null> {
  const answer = await link.call("GetProfileParameter", { parameterCategory: category, parameterName: name });
  // OBS may send neither value, contrary to the library's types.
  return answer.parameterValue ?? answer.defaultParameterValue ?? null;
}

/** Returns null for a request that this version of OBS does not support. */
async function nullIfRefused<Value>(answer: Promise<Value>): Promise<Value | null> {
  return answer.catch((failure: unknown) => {
    if (failure instanceof ObsRefused) return null;
    throw failure;
  });
}
