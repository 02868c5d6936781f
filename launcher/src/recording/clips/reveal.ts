// Shows a clip's file in the file manager of this computer.

import { posix } from "node:path";
import { pathToFileURL } from "node:url";
import { KitError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type DesktopCommand, runDesktopCommand } from "./desktop-command.ts";
import type { ClipLibrary } from "./library.ts";

const fileManager = "org.freedesktop.FileManager1";
const fileManagerPath = "/org/freedesktop/FileManager1";
const showItems = `${fileManager}.ShowItems`;

/** Also escapes commas and apostrophes: in the commands below they would end an item of a list, or a string. */
const fileUrl = (path: string): string =>
  pathToFileURL(path, { windows: false }).href.replaceAll(",", "%2C").replaceAll("'", "%27");

function onLinux(path: string): DesktopCommand[] {
  const address = fileUrl(path);
  return [
    {
      program: "dbus-send",
      args: [
        ...["--session", "--print-reply", "--reply-timeout=5000", `--dest=${fileManager}`, fileManagerPath, showItems],
        ...[`array:string:${address}`, "string:"],
      ],
    },
    {
      program: "gdbus",
      args: [
        ...["call", "--session", "--timeout", "5", "--dest", fileManager, "--object-path", fileManagerPath],
        ...["--method", showItems, `['${address}']`, ""],
      ],
    },
    { program: "xdg-open", args: [posix.dirname(path)], ignoresExit: true },
  ];
}

/** Returns the commands that show a file, in the order in which to try them. They run without a shell. */
export function revealCommands(platform: NodeJS.Platform, path: string): DesktopCommand[] {
  if (platform === "darwin") return [{ program: "/usr/bin/open", args: ["-R", path] }];
  // Explorer always exits with 1, even after a success.
  if (platform === "win32") {
    return [{ program: "explorer.exe", args: [`/select,"${path}"`], isVerbatim: true, ignoresExit: true }];
  }
  return onLinux(path);
}

type RevealDeps = {
  readonly library: Pick<ClipLibrary, "mediaFile">;
  /** True if the launcher runs in a desktop session. */
  readonly hasDesktop: boolean;
  readonly searchPath: string;
  /** The user's umask, for a file manager that Kit starts. */
  readonly umask: number;
  readonly platform?: NodeJS.Platform;
};

export type RevealClip = ReturnType<typeof createRevealClip>;

/** Throws KitError not_found with the path of the file if no program can show it. */
export function createRevealClip({ library, hasDesktop, searchPath, umask, platform = process.platform }: RevealDeps) {
  return async (id: string): Promise<void> => {
    const media = await library.mediaFile(id, "video");
    if (media === undefined) throw new KitError("not_found", message("clip.has_no_file"));
    const { path } = media;
    if (!hasDesktop) throw new KitError("not_found", message("reveal.no_desktop", { path }));
    for (const command of revealCommands(platform, path)) {
      if ((await runDesktopCommand(command, { searchPath, umask })) === "done") return;
    }
    throw new KitError(
      "not_found",
      platform === "linux"
        ? message("reveal.no_file_manager_linux", { path })
        : message("reveal.no_file_manager", { path }),
    );
  };
}
