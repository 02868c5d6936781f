// Shows a clip's file in the file manager of this machine.
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import { KitError } from "@kit/contract";
import { withUmask } from "../../umask.ts";
import type { Library } from "./library.ts";

type RevealCommand = {
  readonly program: string;
  readonly args: readonly string[];
  /** Windows: the program reads its line by itself, with quotes where it wants them. */
  readonly isVerbatim?: boolean;
  /** What it ends with says nothing, or it ends only with the window it opened. */
  readonly endsAnyhow?: boolean;
};

const fileManager = "org.freedesktop.FileManager1";
const fileManagerPath = "/org/freedesktop/FileManager1";
const showItems = `${fileManager}.ShowItems`;

/** Nothing in it means something to the programs that take it: a comma parts a list, an apostrophe ends a text. */
const addressOf = (path: string): string =>
  pathToFileURL(path, { windows: false }).href.replaceAll(",", "%2C").replaceAll("'", "%27");

function onLinux(path: string): RevealCommand[] {
  const address = addressOf(path);
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
    { program: "xdg-open", args: [posix.dirname(path)], endsAnyhow: true },
  ];
}

/**
 * Which programs show a file in the file manager, first to be tried first. Pure; no shell is between us and them.
 */
export function revealCommands(platform: NodeJS.Platform, path: string): RevealCommand[] {
  if (platform === "darwin") return [{ program: "/usr/bin/open", args: ["-R", path] }];
  // Explorer ends with 1 whatever it did.
  if (platform === "win32") {
    return [{ program: "explorer.exe", args: [`/select,"${path}"`], isVerbatim: true, endsAnyhow: true }];
  }
  return onLinux(path);
}

type RevealNeeds = {
  readonly library: Pick<Library, "media">;
  /** A person can be shown a window here. */
  readonly hasDesktop: boolean;
  readonly searchPath: string;
  /** The user's: a file manager that is started makes folders and copies with it. */
  readonly umask: number;
  readonly platform?: NodeJS.Platform;
};

export type Reveal = ReturnType<typeof createReveal>;

/** A desktop that does not answer is not waited for. */
const answerMs = 6_000;
const openedMs = 1_500;

/** Looked for each time: it may have been installed meanwhile. */
function found(program: string, searchPath: string): string | undefined {
  const places = searchPath.split(delimiter).filter((folder) => isAbsolute(folder));
  const paths = isAbsolute(program) ? [program] : places.map((folder) => join(folder, program));
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Whether it did what it was asked, as far as it says. Never rejects. */
function ran(words: readonly string[], { isVerbatim = false, endsAnyhow = false }: RevealCommand): Promise<boolean> {
  return new Promise((resolve) => {
    // Apart from the launcher: the file manager it may start stays when the launcher ends.
    const options = { detached: true, windowsVerbatimArguments: isVerbatim } as const;
    const [program = "", ...args] = words;
    const child = spawn(program, args, { ...options, stdio: "ignore", windowsHide: false });
    const timer = setTimeout(
      () => {
        if (!endsAnyhow) child.kill("SIGKILL");
        resolve(endsAnyhow);
      },
      endsAnyhow ? openedMs : answerMs,
    );
    const end = (isDone: boolean) => {
      clearTimeout(timer);
      resolve(isDone);
    };
    child.once("error", () => end(false));
    child.once("exit", (code) => end(code === 0 || (endsAnyhow && process.platform === "win32")));
    child.unref();
  });
}

/** Throws KitError not_found, which says where the file is when nothing here can show it. */
export function createReveal({ library, hasDesktop, searchPath, umask, platform = process.platform }: RevealNeeds) {
  return async (id: string): Promise<void> => {
    const media = await library.media(id, "video");
    if (media === undefined) throw new KitError("not_found", "The clip has no file in the clips folder.");
    const where = `The file is ${media.path}`;
    if (!hasDesktop) {
      throw new KitError("not_found", `The launcher runs where no desktop is shown. ${where}`);
    }
    for (const command of revealCommands(platform, media.path)) {
      const program = found(command.program, searchPath);
      if (program !== undefined && (await ran(withUmask(umask, [program, ...command.args]), command))) return;
    }
    const advice = platform === "linux" ? "Install a file manager, or xdg-utils. " : "";
    throw new KitError("not_found", `No file manager could be opened. ${advice}${where}`);
  };
}
