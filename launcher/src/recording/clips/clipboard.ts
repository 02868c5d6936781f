// Puts the files of clips on the clipboard of this computer, so that a person can paste them into a chat, an email or a folder.

import { pathToFileURL } from "node:url";
import { KitError, type Message } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { createSerialQueue } from "../../async.ts";
import type { WindowsDesktop } from "../capture/window.ts";
import { type DesktopCommand, runDesktopCommand } from "./desktop-command.ts";
import type { ClipLibrary } from "./library.ts";
import { type ClipboardFormats, offerOnX11 } from "./x11-clipboard.ts";

const fileUrl = (path: string): string => pathToFileURL(path, { windows: false }).href;
const uriList = (paths: readonly string[]) => paths.map((path) => `${fileUrl(path)}\r\n`).join("");

/** The formats of file managers and browsers on Linux. The last two paste the paths into a text field or a terminal. */
export function clipboardFormats(paths: readonly string[]): ClipboardFormats {
  const text = paths.join("\n");
  return {
    "text/uri-list": uriList(paths),
    "x-special/gnome-copied-files": ["copy", ...paths.map(fileUrl)].join("\n"),
    "text/plain;charset=utf-8": text,
    UTF8_STRING: text,
  };
}

const toPasteboard = `
ObjC.import("AppKit");
function run(paths) {
  const board = $.NSPasteboard.generalPasteboard;
  board.clearContents;
  const urls = $.NSMutableArray.array;
  for (const path of paths) urls.addObject($.NSURL.fileURLWithPath(path));
  if (!board.writeObjects(urls)) throw new Error("The pasteboard refused the files.");
}`;

/** Returns the command that puts files on the clipboard. No path becomes code: each is an argument, or input. */
export function copyCommand(platform: NodeJS.Platform, paths: readonly string[]): DesktopCommand {
  if (platform === "darwin") {
    return { program: "/usr/bin/osascript", args: ["-l", "JavaScript", "-e", toPasteboard, ...paths] };
  }
  return { program: "wl-copy", args: ["--type", "text/uri-list"], input: uriList(paths) };
}

type ClipboardDeps = {
  readonly library: Pick<ClipLibrary, "mediaFile">;
  readonly display: string | undefined;
  readonly isWayland: boolean;
  /** True if the launcher runs in a desktop session. */
  readonly hasDesktop: boolean;
  readonly windowsDesktop?: Pick<WindowsDesktop, "copyFiles"> | undefined;
  readonly searchPath: string;
  readonly umask: number;
  readonly platform?: NodeJS.Platform;
};

export type Clipboard = ReturnType<typeof createClipboard>;

const refuse = (why: Message) => new KitError("not_found", why);

export function createClipboard(deps: ClipboardDeps) {
  const { display = "", isWayland, hasDesktop, windowsDesktop, platform = process.platform } = deps;
  const serialize = createSerialQueue();
  let endOffer: () => void = () => undefined;

  const copyOnX11 = async (paths: readonly string[]) => {
    const end = await offerOnX11(display, clipboardFormats(paths)).catch(() => {
      throw refuse(message("copy.display_refused", { display }));
    });
    endOffer();
    endOffer = end;
  };
  const copyByCommand = async (paths: readonly string[]) => {
    const outcome = await runDesktopCommand(copyCommand(platform, paths), deps);
    if (outcome === "done") return;
    if (platform === "linux" && outcome === "missing") throw refuse(message("copy.no_wl_copy"));
    throw refuse(message("copy.failed"));
  };
  const copyOnWindows = async (paths: readonly string[]) => {
    const outcome = await windowsDesktop?.copyFiles(paths).catch(() => undefined);
    if (outcome !== "taken") throw refuse(message(outcome === "busy" ? "copy.clipboard_busy" : "copy.failed"));
  };
  const findFile = async (id: string): Promise<string> => {
    const media = await deps.library.mediaFile(id, "video");
    if (media === undefined) throw refuse(message("clip.has_no_file"));
    return media.path;
  };
  return {
    /** Resolves when the files of these clips can be pasted. Throws KitError not_found with one thing to do. */
    copy: (ids: readonly string[]): Promise<void> =>
      serialize(async () => {
        if (!hasDesktop) throw refuse(message("copy.no_desktop"));
        const paths = await Promise.all(ids.map(findFile));
        if (platform === "win32") return copyOnWindows(paths);
        const usesX11 = platform === "linux" && !isWayland && display !== "";
        await (usesX11 ? copyOnX11(paths) : copyByCommand(paths));
      }),
    /** On X11, the clipboard is empty afterwards. */
    stop: () => serialize(async () => endOffer()),
  };
}
