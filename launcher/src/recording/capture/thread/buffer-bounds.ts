// How much footage is kept in memory, by the settings.
import type { RecorderSettings } from "@kit/contract";
import type { BufferBounds } from "./messages.ts";

/** The encoder is held to 8 Mbit/s; sound and the container come on top. */
const bytesASecond = 1_250_000;

/** Keyframes are a second apart: whole groups of pictures need a little more than was asked for. */
export const boundsOf = ({ bufferSeconds }: RecorderSettings): BufferBounds => ({
  secondsMax: bufferSeconds + 2,
  bytesMax: (bufferSeconds + 2) * bytesASecond,
});
