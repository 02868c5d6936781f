// Starts ffmpeg at low priority, so that it does not slow the game down, and cleans up its messages for display.
import { type ChildProcess, spawn } from "node:child_process";
import { constants, homedir, setPriority } from "node:os";

/** Niceness of the capture: below a game, but high enough to capture every frame. */
export const captureNiceness = 10;
/** Niceness of jobs that may take any time. */
export const jobNiceness = 19;

const lineCharsMax = 300;

function lowerPriority(pid: number, niceness: number): void {
  const isWindows = process.platform === "win32";
  const lowest = niceness >= jobNiceness ? constants.priority.PRIORITY_LOW : constants.priority.PRIORITY_BELOW_NORMAL;
  try {
    setPriority(pid, isWindows ? lowest : niceness);
  } catch {
    // The process has already ended; its exit is handled elsewhere.
  }
}

/**
 * Starts ffmpeg without a shell or window, and lowers its priority before it creates threads. Adds `-hide_banner -nostdin`.
 * The caller must read the pipes of stdout and stderr. A failed start emits the child's `error` event.
 */
export function startFfmpeg(
  ffmpeg: { readonly path: string },
  args: readonly string[],
  options: { readonly stdin?: "ignore" | "pipe"; readonly niceness?: number } = {},
): ChildProcess {
  const child = spawn(ffmpeg.path, ["-hide_banner", "-nostdin", ...args], {
    shell: false,
    windowsHide: true,
    stdio: [options.stdin ?? "ignore", "pipe", "pipe"],
  });
  if (child.pid !== undefined) lowerPriority(child.pid, options.niceness ?? captureNiceness);
  return child;
}

/** Messages that ffmpeg prints for every live input and for streams with epoch times. */
const harmlessMessages =
  /No meaningful edit list|not enough frames to estimate rate|Last message repeated|Thread message queue blocking|deprecated pixel format/;

const home = homedir();

/** Returns the last lines: printable, shortened, without the home folder's path and without harmless messages. */
export function readableStderr(stderr: string, linesMax = 4): string {
  const lines = stderr
    .split(/[\r\n]+/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
    .map((line) => line.replaceAll(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, " ").trim())
    .map((line) => (home.length > 1 ? line.replaceAll(home, "~") : line))
    // Removes memory addresses of devices.
    .map((line) => line.replace(/^\[([^\]]+?) @ (0x)?[0-9a-f]+\]/i, "[$1]").slice(0, lineCharsMax))
    .filter((line) => line !== "" && !harmlessMessages.test(line));
  return lines.slice(-linesMax).join(" · ");
}
