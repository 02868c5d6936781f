// Which ffmpeg `kit doctor` finds, where, and what to do about none or an old one.
import type { Config } from "../config.ts";
import type { Ffmpeg } from "../recording/ffmpeg/ffmpeg.ts";
import { bad, type Check, good } from "./check.ts";

/** Older builds have had no fixes for years. */
const yearMin = 2021;

/** What to do about one that is too old; undefined for any other. */
export function howToRenew({ year, from }: Pick<Ffmpeg, "year" | "from">, install: string): string | undefined {
  if (year === undefined || year >= yearMin) return undefined;
  const what = `It is of ${year}: what was found wrong in it since is not mended.`;
  if (from === "setting") return `${what} Have KIT_FFMPEG name a newer one, or unset it and ${install}.`;
  return `${what} For a newer one, ${install}; Kit prefers any on PATH to the packaged one.`;
}

export async function checkFfmpeg({ ffmpeg: chosen, searchPath }: Config): Promise<Check> {
  const { findFfmpeg, installOn } = await import("../recording/ffmpeg/find.ts");
  const { ffmpeg, says } = await findFfmpeg({ chosen, searchPath });
  if (ffmpeg === undefined) return bad("ffmpeg", "none runs here: moments are kept as markers, without video", says);
  const detail = `${says} (${ffmpeg.path})`;
  const renew = howToRenew(ffmpeg, installOn());
  return renew === undefined ? good("ffmpeg", detail) : bad("ffmpeg", detail, renew);
}
