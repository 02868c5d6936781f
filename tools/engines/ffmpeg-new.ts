// Brings the newest ffmpeg beside the system's, so that recording is run on both ends of what it supports.
import { provideFromForky } from "./forky.ts";

export function provideFfmpegNew(): void {
  provideFromForky({
    name: "ffmpeg",
    title: "the newest ffmpeg",
    packages: ["ffmpeg"],
    programs: ["usr/bin/ffmpeg"],
    // What draws on graphics cards, and data for filters that recording does not use.
    needless:
      /^(libllvm|libz3-|mesa-|fonts-|xkb-data|libc-gconv-|pocketsphinx-|.*-data$|.*-common$|iso-codes|hicolor-)/,
    size: "60 MB",
  });
}
