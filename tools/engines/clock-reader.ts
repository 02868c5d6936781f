// Decodes the clock window in every frame of a video, with the ffmpeg of the tests.
import { type ReadFrame, readClock as readClockWith } from "../../launcher/src/selftest/clock/clock-reader.ts";
import { pathOf } from "./locate.ts";

export type { ReadFrame } from "../../launcher/src/selftest/clock/clock-reader.ts";

/** Returns all frames in presentation order. The clock window must fill the width. Rejects if ffmpeg fails. */
export const readClock = (file: string): Promise<ReadFrame[]> => readClockWith(pathOf("ffmpeg"), file);
