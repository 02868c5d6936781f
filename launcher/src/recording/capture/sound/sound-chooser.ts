// Decides which streams the sound tracks are recorded from: those of the newest running game, all that is played, or none for now.

import type { Message, RecorderSettings } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { ProcessesOf } from "../target.ts";
import type { FollowSoundServer, SoundServerState } from "./pulse.ts";
import { noSound, type SoundStream, type SoundTracks } from "./tracks.ts";

export type SoundChooserDeps = {
  readonly settings: () => Pick<RecorderSettings, "sound" | "microphone">;
  /** Returns the process of the newest running game; undefined if none is known. */
  readonly game: () => number | undefined;
  readonly processesOf: ProcessesOf;
  /** Undefined where Kit cannot record single streams. */
  readonly follow: FollowSoundServer | undefined;
  /** Called when `tracks()` or `says()` has changed. */
  readonly onChanged: () => void;
};

/** How long no sound is recorded after a game has ended, because that sound is not the game's. */
const endedAfterMs = 16_000;
const retryMs = { first: 500, most: 10_000 };
/** Maximum streams recorded for a game. If a game has more, most of them are brief. */
const streamsMax = 16;

export class SoundChooser {
  readonly #deps: SoundChooserDeps;
  #isStarted = false;
  #following: { stop(): void } | undefined;
  #server: SoundServerState | undefined;
  #lost: Message | undefined;
  #failures = 0;
  #retryTimer: NodeJS.Timeout | undefined;
  #game: number | undefined;
  #endedTimer: NodeJS.Timeout | undefined;
  #tracks = noSound;
  #says: readonly Message[] = [];

  constructor(deps: SoundChooserDeps) {
    this.#deps = deps;
  }

  tracks(): SoundTracks {
    return this.#tracks;
  }

  /** Returns what a person should know about the sound. */
  says(): readonly Message[] {
    return this.#says;
  }

  /** Must be called when a capture starts. */
  start(): void {
    this.#isStarted = true;
    this.update();
  }

  stop(): void {
    this.#isStarted = false;
    this.update();
  }

  /** Must be called when the settings or the running games have changed. Cheap. */
  update(): void {
    const game = this.#deps.game();
    if (this.#game !== undefined && game === undefined) {
      clearTimeout(this.#endedTimer);
      this.#endedTimer = setTimeout(() => {
        this.#endedTimer = undefined;
        this.update();
      }, endedAfterMs).unref();
    } else if (game !== undefined) {
      clearTimeout(this.#endedTimer);
      this.#endedTimer = undefined;
    }
    this.#game = game;
    this.#follow();
    const tracks = this.#chooseTracks();
    const says = this.#chooseMessages(tracks);
    if (JSON.stringify([tracks, says]) === JSON.stringify([this.#tracks, this.#says])) return;
    this.#tracks = tracks;
    this.#says = says;
    this.#deps.onChanged();
  }

  #follow(): void {
    const { settings, follow } = this.#deps;
    const { sound, microphone } = settings();
    if (!this.#isStarted || follow === undefined || (sound === "off" && !microphone)) return this.#unfollow();
    if (this.#following !== undefined || this.#retryTimer !== undefined) return;
    this.#following = follow({
      onState: (server) => {
        this.#failures = 0;
        this.#lost = undefined;
        this.#server = server;
        this.update();
      },
      onLost: (why) => {
        this.#following = this.#server = undefined;
        this.#lost = why;
        const delayMs = Math.min(retryMs.most, retryMs.first * 2 ** this.#failures);
        this.#failures += 1;
        this.#retryTimer = setTimeout(() => {
          this.#retryTimer = undefined;
          this.update();
        }, delayMs).unref();
        this.update();
      },
    });
  }

  #unfollow(): void {
    clearTimeout(this.#retryTimer);
    this.#following?.stop();
    this.#retryTimer = this.#following = this.#server = this.#lost = undefined;
    this.#failures = 0;
  }

  #chooseTracks(): SoundTracks {
    if (this.#server === undefined) return noSound;
    const { microphone } = this.#server;
    const isWanted = this.#deps.settings().microphone && microphone !== null;
    return { sound: this.#chooseSound(this.#server), microphone: isWanted ? [`device:${microphone}`] : [] };
  }

  #chooseSound({ streams, monitor, ofProcesses }: SoundServerState): readonly SoundStream[] {
    const { sound } = this.#deps.settings();
    if (sound === "off") return [];
    if (sound === "game" && this.#endedTimer !== undefined) return [];
    const game = this.#game;
    const isOfAll = sound === "system" || game === undefined || typeof ofProcesses === "object";
    if (isOfAll) return monitor === null ? [] : [`device:${monitor}`];
    if (ofProcesses) return [`stream:${game}`];
    const processes = this.#deps.processesOf(game);
    return streams
      .filter(({ pid }) => pid !== null && processes.has(pid))
      .slice(-streamsMax)
      .map(({ id }): SoundStream => `stream:${id}`);
  }

  #chooseMessages(tracks: SoundTracks): readonly Message[] {
    const { sound, microphone } = this.#deps.settings();
    if (this.#following === undefined && this.#lost === undefined) return [];
    if (this.#lost !== undefined) return [message("sound.gone", { why: this.#lost })];
    if (this.#server === undefined) return [];
    const hasNoGame = sound === "game" && this.#game === undefined && this.#endedTimer === undefined;
    const { ofProcesses } = this.#server;
    const isOfGame = sound === "game" && this.#game !== undefined;
    const isSilent = isOfGame && ofProcesses === undefined && tracks.sound.length === 0;
    return [
      ...(isOfGame && typeof ofProcesses === "object" ? [ofProcesses] : []),
      ...(isSilent ? [message("sound.game_silent")] : []),
      ...(hasNoGame ? [message("sound.of_all_programs")] : []),
      ...(microphone && this.#server.microphone === null ? [message("sound.no_microphone")] : []),
    ];
  }
}
