// Follows the windows of Windows, and notices changed monitors. Windows keeps the pixels of each window apart, so it is enough to
// know which window.

import { reasonOf } from "@kit/contract/messages";
import {
  type CapturedWindow,
  type DesktopWindow,
  type FollowWindow,
  type ListWindows,
  type MonitorWatch,
  type WindowEvents,
  type WindowsDesktop,
  type WindowWish,
  windowSideMin,
} from "./window.ts";

/** Each list takes a question to another process, and a millisecond there. */
const lookEveryMs = 500;
const monitorsEveryMs = 1_000;
/** After so many failures in a row, the window counts as lost. */
const failuresMax = 5;

export const area = ({ width, height }: DesktopWindow) => width * height;
export const isLarge = ({ width, height }: DesktopWindow) => Math.min(width, height) >= windowSideMin;

/** Returns the largest visible window that fits; of equally large ones, the one in front. */
function largest(windows: readonly DesktopWindow[], fits: (window: DesktopWindow) => boolean) {
  return windows
    .filter((window) => window.isShown && isLarge(window) && fits(window))
    .reduce<DesktopWindow | undefined>((best, next) => (best && area(best) >= area(next) ? best : next), undefined);
}

/** Returns the largest visible window whose title contains the text in any case. */
export function findDesktopWindow(windows: readonly DesktopWindow[], part: string): DesktopWindow | undefined {
  const wanted = part.trim().toLowerCase();
  return largest(windows, ({ title }) => title.toLowerCase().includes(wanted));
}

function findWished(windows: readonly DesktopWindow[], wish: WindowWish): DesktopWindow | undefined {
  if ("title" in wish) return findDesktopWindow(windows, wish.title);
  const processes = wish.processes();
  return largest(windows, ({ pid }) => processes.has(pid));
}

class DesktopFollower {
  readonly #list: ListWindows;
  readonly #wish: WindowWish;
  readonly #events: WindowEvents;
  #window: CapturedWindow | undefined;
  #hasReported = false;
  #failures = 0;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(list: ListWindows, wish: WindowWish, events: WindowEvents) {
    this.#list = list;
    this.#wish = wish;
    this.#events = events;
    void this.#look();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    try {
      const windows = await this.#list();
      if (this.#isStopped) return;
      this.#failures = 0;
      this.#report(windows);
    } catch (error) {
      if (this.#isStopped) return;
      this.#failures += 1;
      if (this.#failures === failuresMax) {
        this.stop();
        return this.#events.onLost(reasonOf(error));
      }
    }
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#look(), lookEveryMs).unref();
  }

  /** A minimised window is kept, because it comes back. */
  #report(windows: readonly DesktopWindow[]): void {
    const found = windows.find(({ id }) => id === this.#window?.id) ?? findWished(windows, this.#wish);
    const { id, title, pid, width, height, isShown } = found ?? {};
    // A minimised window has no size.
    const size = isShown ? { width, height } : { width: this.#window?.width, height: this.#window?.height };
    const next = found === undefined ? undefined : ({ id, title, pid, ...size, isShown } as CapturedWindow);
    if (this.#hasReported && JSON.stringify(next) === JSON.stringify(this.#window)) return;
    this.#window = next;
    this.#hasReported = true;
    this.#events.onWindow(next);
  }
}

export const createDesktopFollower =
  (list: ListWindows): FollowWindow =>
  (wish, events) =>
    new DesktopFollower(list, wish, events);

type MonitorWatchDeps = Pick<WindowsDesktop, "listMonitors"> & MonitorWatch;

/**
 * Calls `onChanged` after the monitors were rearranged, or one got another resolution. GDI would go on with the old area, and cut off
 * the rest or show nothing there.
 */
export function watchMonitors({ listMonitors, isNeeded, onChanged }: MonitorWatchDeps): { stop(): void } {
  let last: string | undefined;
  let isLooking = false;
  let isStopped = false;
  const look = async () => {
    if (isLooking || !isNeeded()) return;
    isLooking = true;
    const monitors = await listMonitors().catch(() => undefined);
    isLooking = false;
    // While monitors are rearranged, Windows has none for a moment.
    if (isStopped || monitors === undefined || monitors.length === 0) return;
    const next = JSON.stringify(monitors);
    const hasChanged = last !== undefined && next !== last;
    last = next;
    if (hasChanged && isNeeded()) onChanged();
  };
  const timer = setInterval(() => void look(), monitorsEveryMs).unref();
  void look();
  return {
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
