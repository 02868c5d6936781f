// Shows a clip's file in the file manager of this computer.

import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import { KitError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { withUmask } from "../../process/umask.ts";
import type { ClipLibrary } from "./library.ts";

type RevealCommand = {
  readonly program: string;
  readonly args: readonly string[];
  /** True for a Windows program that parses its command line itself, so that Node must not quote it. */
  readonly isVerbatim?: boolean;
  /** True if the exit code means nothing, or the program runs until its window is closed. */
  readonly ignoresExit?: boolean;
};

const fileManager = "org.freedesktop.FileManager1";
const fileManagerPath = "/org/freedesktop/FileManager1";
const showItems = `${fileManager}.ShowItems`;

/** Also escapes commas and apostrophes: in the commands below they would end an item of a list, or a string. */
const fileUrl = (path: string): string =>
  pathToFileURL(path, { windows: false }).href.replaceAll(",", "%2C").replaceAll("'", "%27");

function onLinux(path: string): RevealCommand[] {
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
export function revealCommands(platform: NodeJS.Platform, path: string): RevealCommand[] {
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

/** Maximum wait for the desktop to answer. */
const answerMs = 6_000;
/** A program whose exit does not count has succeeded if it still runs after this time. */
const openedMs = 1_500;

/** Searches anew with each call, because a person may have installed the program since. */
function findProgram(program: string, searchPath: string): string | undefined {
  const folders = searchPath.split(delimiter).filter((folder) => isAbsolute(folder));
  const paths = isAbsolute(program) ? [program] : folders.map((folder) => join(folder, program));
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Resolves to true if the command reports success. Never rejects. */
function runCommand(
  words: readonly string[],
  { isVerbatim = false, ignoresExit = false }: RevealCommand,
): Promise<boolean> {
  return new Promise((resolve) => {
    // Detached, so that a file manager that the command starts stays open when the launcher stops.
    const options = { detached: true, windowsVerbatimArguments: isVerbatim } as const;
    const [program = "", ...args] = words;
    const child = spawn(program, args, { ...options, stdio: "ignore", windowsHide: false });
    const timer = setTimeout(
      () => {
        if (!ignoresExit) child.kill("SIGKILL");
        resolve(ignoresExit);
      },
      ignoresExit ? openedMs : answerMs,
    );
    const end = (isDone: boolean) => {
      clearTimeout(timer);
      resolve(isDone);
    };
    child.once("error", () => end(false));
    child.once("exit", (code) => end(code === 0 || (ignoresExit && process.platform === "win32")));
    child.unref();
  });
}

/** Throws KitError not_found with the path of the file if no program can show it. */
export function createRevealClip({ library, hasDesktop, searchPath, umask, platform = process.platform }: RevealDeps) {
  return async (id: string): Promise<void> => {
    const media = await library.mediaFile(id, "video");
    if (media === undefined) throw new KitError("not_found", message("clip.has_no_file"));
    const { path } = media;
    if (!hasDesktop) throw new KitError("not_found", message("reveal.no_desktop", { path }));
    for (const command of revealCommands(platform, path)) {
      const program = findProgram(command.program, searchPath);
      if (program !== undefined && (await runCommand(withUmask(umask, [program, ...command.args]), command))) return;
    }
    throw new KitError(
      "not_found",
      platform === "linux"
        ? message("reveal.no_file_manager_linux", { path })
        : message("reveal.no_file_manager", { path }),
    );
  };
}
