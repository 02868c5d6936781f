// The window to capture, on any system. Each system follows windows in its own way, behind `FollowWindow`.
import type { Message } from "@kit/contract";
import type { ClipboardCopy } from "../../process/windows-clipboard.ts";
import type { Area } from "../x11/screen.ts";
import type { Size } from "./probe/commands.ts";

export type CapturedWindow = Size & {
  readonly id: number;
  readonly title: string;
  /** The process that it belongs to, where that is known. */
  readonly pid?: number | undefined;
  /** False while the window has no pixels, usually because it is minimised. */
  readonly isShown: boolean;
};

/** A window of Windows, with its process and where its content is on the screen. */
export type DesktopWindow = CapturedWindow & { readonly pid: number; readonly x: number; readonly y: number };

/** Lists the windows of Windows, the one in front first. Rejects if they are not known at present. */
export type ListWindows = () => Promise<readonly DesktopWindow[]>;

export type MonitorWatch = {
  /** False while it does not matter, so that nothing is asked. */
  readonly isNeeded: () => boolean;
  readonly onChanged: () => void;
};

/** A monitor of Windows. Its handle `id` may be another one after the monitors were rearranged. */
export type DesktopMonitor = Area & { readonly id: number; readonly name: string; readonly isPrimary: boolean };

export type WindowsDesktop = {
  readonly listWindows: ListWindows;
  /** Rejects if they are not known at present. */
  readonly listMonitors: () => Promise<readonly DesktopMonitor[]>;
  /** Resolves to whether a program fills the screen; null if that is not known. Rejects if it is not known at present. */
  readonly isScreenFilled: () => Promise<boolean | null>;
  /** Puts files on the clipboard. Rejects if it is not known whether Windows took them. */
  readonly copyFiles: (paths: readonly string[]) => Promise<ClipboardCopy>;
};

/** Smaller windows are no games: tooltips and tray icons have titles, too. */
export const windowSideMin = 64;

/** Which window: one whose title contains a text, or one of these processes. The largest, if there are several. */
export type WindowWish = { readonly title: string } | { readonly processes: () => ReadonlySet<number> };

export type WindowEvents = {
  /** Called after the first search, and after each change. Undefined if there is no such window. */
  readonly onWindow: (window: CapturedWindow | undefined) => void;
  /** Called once, if the windows cannot be followed, or no longer. Nothing protects the captured window from then on. */
  readonly onLost: (why: Message) => void;
};

/**
 * Follows a window through moves, new sizes and full screen, and to the next window when it closes. As long as it does, the
 * pixels of the window are its own, even where other windows cover it.
 */
export type FollowWindow = (wish: WindowWish, events: WindowEvents) => { stop(): void };
