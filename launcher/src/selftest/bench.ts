// What the checks of the self-test share.
import type { Message } from "@kit/contract";
import type { Config } from "../config.ts";
import type { Ffmpeg } from "../recording/ffmpeg/find.ts";

export type Bench = {
  readonly config: Config;
  /** A folder that is removed at the end. */
  readonly folder: string;
  /** Aborts when a person cancels, or the time is over. */
  readonly signal: AbortSignal;
  /** Undefined if there is none; `noFfmpeg` says what to do. */
  readonly ffmpeg: Ffmpeg | undefined;
  readonly noFfmpeg: Message;
};
