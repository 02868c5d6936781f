// Installs the newest ffmpeg beside the system's, so that recording is tested with old and new versions.
import { provideFromForky } from "./forky.ts";

export function provideFfmpegNew(): void {
  provideFromForky({
    name: "ffmpeg",
    title: "the newest ffmpeg",
    packages: ["ffmpeg"],
    programs: ["usr/bin/ffmpeg"],
    // Graphics drivers, and data for unused filters.
    needless:
      /^(libllvm|libz3-|mesa-|fonts-|xkb-data|libc-gconv-|pocketsphinx-|.*-data$|.*-common$|iso-codes|hicolor-)/,
    size: "60 MB",
  });
}
