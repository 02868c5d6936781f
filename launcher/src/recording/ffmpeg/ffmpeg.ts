// The ffmpeg that recording uses.
export type FfmpegVersion = {
  /** 0 for a build between releases, whose features are tested by running it. */
  readonly major: number;
  readonly minor: number;
  /** As the program prints it, e.g. 5.1.9-0+deb12u1. */
  readonly text: string;
};

export type Ffmpeg = {
  /** Absolute path. */
  readonly path: string;
  readonly version: FfmpegVersion;
  readonly origin: "setting" | "path" | "package";
  /** Year of the build; undefined if unknown. */
  readonly year?: number | undefined;
  /** True if it supports -fps_mode. Older versions use -vsync, which newer ones reject. */
  readonly hasFpsMode: boolean;
};
