// Captures with OBS: saves its replay buffer after the end of a range, and cuts the range out of the file.

import { type Message, type RecorderState, recordingRuleDefaults } from "@kit/contract";
import { joinSentences, message } from "@kit/contract/messages";
import PQueue from "p-queue";
import type { CaptureBackend } from "../backend.ts";
import { createObsFootage, createReplaySaveQueue, type ReplaySaveTimes } from "./footage.ts";
import { createObsConnection, type ObsConnectionTimes } from "./link.ts";
import { createReplayBufferFollower, type ObsReplayBuffer, type ReplayBufferStatus } from "./replay-buffer-follower.ts";

export type ObsBackendDeps = {
  /** OBS's address in the settings: a `ws://` address of this machine. */
  readonly url: () => string;
  /** OBS's WebSocket password; null if none is set. It is read again for each connection, and not kept. */
  readonly password: () => Promise<string | null>;
  /** The ffmpeg that repacks OBS's replays; undefined if there is none. */
  readonly ffmpeg: () => Promise<{ readonly path: string } | undefined>;
  /** Called when `state()` has changed, unless only its numbers have. */
  readonly onChanged: () => void;
  /** Called when OBS has become available or unavailable. */
  readonly onAvailable: (isAvailable: boolean) => void;
  readonly times?: Partial<ObsTimes>;
};

type ObsTimes = ObsConnectionTimes &
  ReplaySaveTimes & {
    /** Time between two requests for the status of a connected OBS. */
    readonly pollStatusMs: number;
    /** How long a cut waits for a lost connection to come back. */
    readonly reconnectMs: number;
    /** Minimum time between two saves. */
    readonly saveIntervalMs: number;
  };

export type ObsBackend = CaptureBackend & {
  /** True if OBS answers, accepts Kit's password and has a replay buffer. */
  isAvailable(): boolean;
  /** Searches for OBS now and every few seconds. Call it again when its address or password has changed. */
  connect(): void;
  /** Stops the search and closes the connection. OBS's replay buffer stays as it is. */
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

  const connection = createObsConnection({
    url: deps.url,
    password: deps.password,
    times,
    onOpen: () => void follower.refresh(),
    onDisconnected: () => follower.markDisconnected(),
    onReplayBuffer: (isActive) => follower.markActive(isActive),
  });
  const follower = createReplayBufferFollower({
    link: connection.link,
    pollStatusMs: times.pollStatusMs,
    onChanged: reportChanges,
    onNoAnswer: connection.dropLink,
  });
  const reading = new PQueue({ concurrency: 1 });
  const saves = createReplaySaveQueue({
    ...times,
    link: () => connection.linkWithin(times.reconnectMs),
    whenRead: () => reading.onIdle(),
  });
  const replaySeconds = () => follower.status().buffer?.seconds ?? null;
  const footage = createObsFootage({ saves, reading, ffmpeg: deps.ffmpeg, replaySeconds, onRead: reportChanges });

  const isAvailable = () => connection.link() !== undefined && follower.status().buffer?.isEnabled === true;

  function state(): RecorderState {
    const version = connection.link()?.version ?? null;
    return obsState({
      ...follower.status(),
      version,
      why: connection.disconnectedReason(),
      clipSeconds,
      keptSeconds: footage.keptSeconds(),
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
    probeResults: () => [{ what: message("obs.at", { url: deps.url() }), ok: isAvailable(), why: state().detail }],
    isAvailable,
    connect: connection.connect,
    disconnect() {
      connection.disconnect();
      follower.markDisconnected();
      saves.rejectWaiting(message("obs.no_longer_used"));
      footage.clear();
    },
  };
}

type ObsStateFacts = ReplayBufferStatus & {
  /** Version of the connected OBS; null if not connected. */
  readonly version: string | null;
  /** Why OBS is not connected. */
  readonly why: Message;
  /** Pre-roll and post-roll of a clip together. */
  readonly clipSeconds: number;
  /** How much footage the last replay had; null before the first. */
  readonly keptSeconds: number | null;
  readonly nowMs: number;
};

/** Length of a group of pictures with OBS's default settings. OBS always drops a whole group. */
const groupSeconds = 10;

const noReplayBuffer = message("obs.replay_buffer_missing");

function obsState(facts: ObsStateFacts): RecorderState {
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
    return { state: isWanted ? "starting" : "idle", detail: message("obs.checking_replay_buffer", { version }) };
  if (!buffer.isEnabled) return { state: failedState, detail: noReplayBuffer };
  const advice = lengthAdvice(facts);
  if (!isWanted) return { state: "idle", detail: joinSentences(message("obs.waits_for_game", { version }), ...advice) };
  if (buffer.isActive)
    return { state: "recording", detail: joinSentences(describeRecording(version, buffer), ...advice) };
  if (!wasStoppedInObs) return { state: "starting", detail: message("obs.starts_replay_buffer", { version }) };
  const detail = message("obs.replay_buffer_stopped");
  return { state: "broken", detail };
}

const describeRecording = (version: string, { seconds }: ObsReplayBuffer) =>
  seconds === null ? message("obs.records", { version }) : message("obs.records_with_length", { version, seconds });

function lengthAdvice({ buffer, clipSeconds, keptSeconds }: ObsStateFacts): Message[] {
  if (buffer?.seconds == null) return [];
  const { seconds } = buffer;
  const wanted = clipSeconds + groupSeconds;
  // It drops whole groups of pictures, so some more than the setting is usual.
  const hasMore = keptSeconds !== null && keptSeconds > seconds + 3 * groupSeconds;
  return [
    ...(seconds < wanted ? [message("obs.replay_buffer_short", { seconds: wanted })] : []),
    ...(hasMore ? [message("obs.keeps_more", { kept: Math.round(keptSeconds), seconds })] : []),
  ];
}

/** Returns the time since Kit saw the buffer start, at most its length in OBS's settings; 0 if either is unknown. */
function heldSeconds({ buffer, startedMs, nowMs }: ObsStateFacts): number {
  if (buffer?.isActive !== true || buffer.seconds === null || startedMs === null) return 0;
  return Math.max(0, Math.min(buffer.seconds, Math.floor((nowMs - startedMs) / 1_000)));
}
