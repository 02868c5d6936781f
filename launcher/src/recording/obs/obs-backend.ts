// Captures with OBS: saves its replay buffer after the end of a range, and cuts the range out of the file.
import { type RecorderState, recordingRuleDefaults } from "@kit/contract";
import PQueue from "p-queue";
import type { CaptureBackend } from "../capture/backend.ts";
import { type ConnectionTimes, createConnection } from "./connection.ts";
import { createFollower } from "./follower.ts";
import { createObsFootage } from "./footage.ts";
import { obsState } from "./obs-state.ts";
import type { SaveTimes } from "./save.ts";
import { createSaveQueue } from "./save-queue.ts";

export type ObsBackendDeps = {
  /** OBS's address in the settings: a `ws://` address of this machine. */
  readonly url: () => string;
  /** OBS's WebSocket password; null if none is set. Read for each connection and never stored elsewhere. */
  readonly password: () => Promise<string | null>;
  /** The ffmpeg that repacks OBS's replays; undefined if there is none. */
  readonly ffmpeg: () => Promise<{ readonly path: string } | undefined>;
  /** Called if `state()` changed in more than numbers. */
  readonly onChanged: () => void;
  /** Called if OBS became available or unavailable. */
  readonly onAvailable: (isAvailable: boolean) => void;
  readonly times?: Partial<ObsTimes>;
};

type ObsTimes = ConnectionTimes &
  SaveTimes & {
    /** How often a connected OBS is queried. */
    readonly pollStatusMs: number;
    /** How long a cut waits for a lost connection. */
    readonly reconnectMs: number;
    /** Minimum time between two saves. */
    readonly saveIntervalMs: number;
  };

export type ObsBackend = CaptureBackend & {
  /** True if OBS answers, accepts Kit's password and has a replay buffer. */
  isAvailable(): boolean;
  /** Searches for OBS with the current address and password, now and every few seconds. Call it again after a change. */
  connect(): void;
  /** Stops searching and closes the connection. OBS's replay buffer is left unchanged. */
  disconnect(): void;
};

const defaultTimes: ObsTimes = {
  searchIntervalMs: 10_000,
  firstRetryMs: 250,
  answerTimeoutMs: 5_000,
  saveTimeoutMs: 30_000,
  pollMs: 1_000,
  pollStatusMs: 10_000,
  reconnectMs: 3_000,
  saveIntervalMs: 1_100,
};

const clipSeconds = recordingRuleDefaults.preSeconds + recordingRuleDefaults.postSeconds;

export function createObsBackend(deps: ObsBackendDeps): ObsBackend {
  const times: ObsTimes = { ...defaultTimes, ...deps.times };
  let reported = { isAvailable: false, summary: "" };

  const connection = createConnection({
    url: deps.url,
    password: deps.password,
    times,
    onOpen: () => void follower.refresh(),
    onDisconnected: () => follower.markDisconnected(),
    onReplayBuffer: (isActive) => follower.markActive(isActive),
  });
  const follower = createFollower({
    link: connection.link,
    pollStatusMs: times.pollStatusMs,
    onChanged: reportChanges,
    onNoAnswer: connection.dropLink,
  });
  const reading = new PQueue({ concurrency: 1 });
  const saves = createSaveQueue({
    ...times,
    link: () => connection.linkWithin(times.reconnectMs),
    whenRead: () => reading.onIdle(),
  });
  const replaySeconds = () => follower.status().buffer?.seconds ?? null;
  const footage = createObsFootage({ saves, reading, ffmpeg: deps.ffmpeg, replaySeconds });

  const isAvailable = () => connection.link() !== undefined && follower.status().buffer?.isEnabled === true;

  function state(): RecorderState {
    const version = connection.link()?.version ?? null;
    return obsState({
      ...follower.status(),
      version,
      why: connection.disconnectedReason(),
      clipSeconds,
      nowMs: Date.now(),
    });
  }

  function reportChanges(): void {
    const { state: name, detail, source } = state();
    const previous = reported;
    reported = { isAvailable: isAvailable(), summary: JSON.stringify([name, detail, source]) };
    if (reported.isAvailable !== previous.isAvailable) deps.onAvailable(reported.isAvailable);
    if (reported.summary !== previous.summary) deps.onChanged();
  }

  return {
    name: "obs",
    state,
    start: follower.start,
    stop: follower.stop,
    hold: footage.hold,
    release: footage.release,
    cut: footage.cut,
    probeResults: () => [{ what: `OBS at ${deps.url()}`, ok: isAvailable(), why: state().detail }],
    isAvailable,
    connect: connection.connect,
    disconnect() {
      connection.disconnect();
      follower.markDisconnected();
      saves.rejectWaiting("Kit no longer uses OBS.");
      footage.clear();
    },
  };
}
