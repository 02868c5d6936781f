// Says in one sentence, with one thing to do, why Windows took the screen or the window away from ffmpeg.
import { hasCode, type Message } from "@kit/contract/message";
import { message } from "@kit/contract/messages";

/** What ffmpeg's ddagrab, gfxcapture and gdigrab print. The numbers are those of DXGI and of Windows. */
const faults: readonly (readonly [printed: RegExp, why: Message])[] = [
  [/887a0028/i, message("windows.session_disconnected")],
  // While the secure desktop is shown, access is denied, and the desktop of the user has no picture.
  [/Desktop duplication access denied|Failed to capture image \(error [56]\)/, message("windows.screen_locked")],
  [/887a000[567]|887a0020/i, message("windows.driver_restarted")],
  [/887a0026|Output parameters changed/i, message("windows.screen_changed")],
  [/Too many open duplication sessions/, message("windows.too_many_recorders")],
  [/Selected output not supported/, message("windows.other_graphics_chip")],
  [/Failed to enumerate DXGI output/, message("windows.no_monitor")],
  [/graphics capture (?:session|for (?:window|monitor)) \(0x80070005\)/i, message("windows.capture_forbidden")],
  [/Failed to setup graphics capture for window/, message("windows.window_refused")],
  // The handle is no monitor's any more. Other numbers have other causes.
  [/Failed to setup graphics capture for monitor \(0x80070057\)/i, message("windows.monitor_gone")],
  // gfxcapture needs libraries that came with Windows 10.
  [/gfxcapture.*Failed (?:opening "\w+\.dll"|loading \w+)/, message("windows.too_old_for_capture")],
  // 1400: Windows knows no window with this handle.
  [/Can't find window|window device context \(error 1400\)/, message("windows.window_closed")],
  [/Capture area .* extends outside window area/, message("windows.screen_changed")],
];

/** Returns undefined if what ffmpeg printed names none of these causes. */
export const explainWindowsFault = (stderr: string): Message | undefined =>
  faults.find(([printed]) => printed.test(stderr))?.[1];

/** When what gfxcapture shows is closed, ffmpeg ends without an error, and says nothing at the level of Kit's commands. */
export function explainWindowsEnd(args: readonly string[], exitCode: number | null): Message | undefined {
  const [, target] = /(?:^|\s)gfxcapture=(\w+)/.exec(args.join(" ")) ?? [];
  if (exitCode !== 0 || target === undefined) return undefined;
  return target.includes("monitor") ? message("windows.monitor_gone") : message("windows.window_closed");
}

/** True if the message already says what to do. */
export const isWindowsFault = (why: Message): boolean => faults.some(([, { code }]) => hasCode(why, code ?? ""));
