// Starts ffmpeg as a child that never gets in the game's way, and makes what it says fit to be shown.
import { type ChildProcess, spawn } from "node:child_process";
import { constants, homedir, setPriority } from "node:os";

/** Beside a game, yet soon enough for the screen: what the capture runs at. */
export const captureNiceness = 10;
/** Only what nobody else wants: jobs that may take their time. */
export const jobNiceness = 19;

const lineCharsMax = 300;

function lowerPriority(pid: number, niceness: number): void {
  const isWindows = process.platform === "win32";
  const lowest = niceness >= jobNiceness ? constants.priority.PRIORITY_LOW : constants.priority.PRIORITY_BELOW_NORMAL;
  try {
    setPriority(pid, isWindows ? lowest : niceness);
  } catch {
    // It has ended already, which its exit says.
  }
}

/**
 * No shell, no window, low priority before it has a thread of its own. stdout and stderr are pipes that must be read.
 * `-hide_banner -nostdin` are given by this. A program that cannot be started says so by the child's `error` event.
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

/** What ffmpeg says although nothing is wrong: of live input, and of a stream whose times begin at the epoch. */
const harmless =
  /No meaningful edit list|not enough frames to estimate rate|Last message repeated|Thread message queue blocking|deprecated pixel format/;

const home = homedir();

/** The last lines it said, printable, bounded, without the user's home and without what is said every time. */
export function readableSaying(said: string, linesMax = 4): string {
  const lines = said
    .split(/[\r\n]+/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
    .map((line) => line.replaceAll(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, " ").trim())
    .map((line) => (home.length > 1 ? line.replaceAll(home, "~") : line))
    // A device's address in memory says nothing to anybody.
    .map((line) => line.replace(/^\[([^\]]+?) @ (0x)?[0-9a-f]+\]/i, "[$1]").slice(0, lineCharsMax))
    .filter((line) => line !== "" && !harmless.test(line));
  return lines.slice(-linesMax).join(" · ");
}
