// What recording knows of the ffmpeg it uses: where it is, which one it is, and who said so.
export type FfmpegVersion = {
  /** 0 for a build of no release: its features are asked of the program itself. */
  readonly major: number;
  readonly minor: number;
  /** As the program says it, e.g. 5.1.9-0+deb12u1. */
  readonly text: string;
};

export type Ffmpeg = {
  /** Absolute. */
  readonly path: string;
  readonly version: FfmpegVersion;
  readonly from: "setting" | "path" | "package";
  /** When it was built or last mended; undefined where it does not say. */
  readonly year?: number | undefined;
  /** Takes -fps_mode; an older one takes -vsync, which newer ones refuse. */
  readonly fpsMode: boolean;
};
