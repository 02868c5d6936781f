// Everything one run of the bench of fitting came to.
export const fitSubjects = ["kit", "ffmpeg"] as const;
export type FitSubject = (typeof fitSubjects)[number];

export type FitRun = {
  readonly subject: FitSubject;
  readonly round: number;
  readonly wallMs: number;
  /** Of the processor, all processes of it together. */
  readonly cpuMs: number;
  readonly bytes: number;
};

/** What a browser made of a file. */
export type Played = {
  readonly seconds: number;
  readonly height: number;
  readonly pictures: number;
  readonly reachedEnd: boolean;
};

export type FitResults = {
  readonly machine: string;
  readonly at: string;
  readonly quick: boolean;
  readonly clip: { readonly seconds: number; readonly bytes: number; readonly bytesMax: number };
  readonly runs: readonly FitRun[];
  readonly played: Played | null;
  /** What makes the run worth nothing, in words. */
  readonly invalid: readonly string[];
};

/** What Kit made does not play. */
export function playFaults(played: Played, seconds: number): string[] {
  const { seconds: lasts, pictures, reachedEnd } = played;
  return [
    ...(Math.abs(lasts - seconds) > 0.5 ? [`the browser says it is ${lasts} s long instead of ${seconds} s`] : []),
    ...(reachedEnd && pictures > 0 ? [] : [`the browser showed ${pictures} pictures and did not come to its end`]),
  ];
}
