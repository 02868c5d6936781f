// Captures by OBS, where the person runs it: its replay buffer is saved when a window is over and cut to that window.
import { type RecorderState, recordingRuleDefaults } from "@kit/contract";
import PQueue from "p-queue";
import type { Backend } from "../capture/backend.ts";
import { type ConnectionTimes, createConnection } from "./connection.ts";
import { createFollower } from "./follower.ts";
import { createObsFootage } from "./footage.ts";
import { obsState } from "./obs-state.ts";
import type { SaveTimes } from "./save.ts";
import { createSaves } from "./saves.ts";

export type ObsNeeds = {
  /** Where OBS listens now, as the settings say: a `ws://` address of this machine. */
  readonly url: () => string;
  /** OBS's WebSocket password; null when none is set. Asked for at every connection, kept nowhere else. */
  readonly password: () => Promise<string | null>;
  /** The ffmpeg that repacks what OBS wrote; undefined when there is none. */
  readonly ffmpeg: () => Promise<{ readonly path: string } | undefined>;
  /** `state()` says something else now. Not called for figures alone. */
  readonly onChanged: () => void;
  /** OBS can take over, or cannot any longer. */
  readonly onAvailable: (available: boolean) => void;
  readonly times?: Partial<ObsTimes>;
};

type ObsTimes = ConnectionTimes &
  SaveTimes & {
    /** How often OBS is asked how it is while it is connected. */
    readonly askEveryMs: number;
    /** How long a cut waits for a connection that was lost. */
    readonly reconnectMs: number;
    /** Between two saves, at least. */
    readonly apartMs: number;
  };

export type ObsBackend = Backend & {
  /** Whether OBS answers, takes Kit's password and has a replay buffer. */
  available(): boolean;
  /** Looks for OBS now and every few seconds, with the address and password of now. Call it anew when they changed. */
  look(): void;
  /** Stops looking and ends the connection; `look` begins anew. OBS's replay buffer is left as it is. */
  leave(): void;
};

const usualTimes: ObsTimes = {
  lookEveryMs: 10_000,
  firstLookMs: 250,
  answerMs: 5_000,
  saveTimeoutMs: 30_000,
  pollMs: 1_000,
  askEveryMs: 10_000,
  reconnectMs: 3_000,
  apartMs: 1_100,
};

const clipSeconds = recordingRuleDefaults.preSeconds + recordingRuleDefaults.postSeconds;

export function createObsBackend(needs: ObsNeeds): ObsBackend {
  const times: ObsTimes = { ...usualTimes, ...needs.times };
  let told = { available: false, words: "" };

  const connection = createConnection({
    url: needs.url,
    password: needs.password,
    times,
    onOpen: () => void follower.refresh(),
    onAway: () => follower.away(),
    onReplayBuffer: (isActive) => follower.changed(isActive),
  });
  const follower = createFollower({
    link: connection.link,
    askEveryMs: times.askEveryMs,
    onNews: tell,
    onSilent: connection.lost,
  });
  const reading = new PQueue({ concurrency: 1 });
  const saves = createSaves({
    ...times,
    link: () => connection.linkWithin(times.reconnectMs),
    readAll: () => reading.onIdle(),
  });
  const replaySeconds = () => follower.now().buffer?.seconds ?? null;
  const footage = createObsFootage({ saves, reading, ffmpeg: needs.ffmpeg, replaySeconds });

  const available = () => connection.link() !== undefined && follower.now().buffer?.isThere === true;

  function state(): RecorderState {
    const version = connection.link()?.version ?? null;
    return obsState({ ...follower.now(), version, why: connection.why(), clipSeconds, nowMs: Date.now() });
  }

  function tell(): void {
    const { state: name, detail, source } = state();
    const before = told;
    told = { available: available(), words: JSON.stringify([name, detail, source]) };
    if (told.available !== before.available) needs.onAvailable(told.available);
    if (told.words !== before.words) needs.onChanged();
  }

  return {
    name: "obs",
    state,
    start: follower.start,
    stop: follower.stop,
    hold: footage.hold,
    release: footage.release,
    cut: footage.cut,
    choices: () => [{ what: `OBS at ${needs.url()}`, ok: available(), why: state().detail }],
    available,
    look: connection.look,
    leave() {
      connection.leave();
      follower.away();
      saves.giveUp("Kit does not use OBS any longer.");
      footage.end();
    },
  };
}
