// Reads which ffmpeg answers, from the many ways in which builds say it.
import type { FfmpegVersion } from "./ffmpeg.ts";

const textCharsMax = 60;

/**
 * Undefined when it is no ffmpeg. A build between releases (`N-47683-g0e8eb07980`, `2024-05-02-git-…`) has no number
 * that says what it can do, so it gets 0 and is asked.
 */
export function readVersion(printed: string): FfmpegVersion | undefined {
  const text = /^ffmpeg version (\S+)/m
    .exec(printed)?.[1]
    ?.replaceAll(/[^\x21-\x7e]/g, "")
    .slice(0, textCharsMax);
  if (text === undefined) return undefined;
  // Distributions put an epoch before it (`7:5.1.9-0+deb12u1`), others an n (`n7.1`).
  const release = /^(?:\d+:)?n?(\d{1,2})\.(\d{1,3})(?![\d])/.exec(text);
  return { major: Number(release?.[1] ?? 0), minor: Number(release?.[2] ?? 0), text };
}

/** The newest year that its copyright names: when it was built, or last mended. Undefined where it names none. */
export function readYear(printed: string): number | undefined {
  const year = /^ffmpeg version .*Copyright \(c\) (?:\d{4}-)?(\d{4}) /m.exec(printed)?.[1];
  return year === undefined ? undefined : Number(year);
}
