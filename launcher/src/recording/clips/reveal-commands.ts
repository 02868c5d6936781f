// Which programs show a file in the file manager, first to be tried first. Pure; no shell is between us and them.
import { posix } from "node:path";
import { pathToFileURL } from "node:url";

export type RevealCommand = {
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

export function revealCommands(platform: NodeJS.Platform, path: string): RevealCommand[] {
  if (platform === "darwin") return [{ program: "/usr/bin/open", args: ["-R", path] }];
  // Explorer ends with 1 whatever it did.
  if (platform === "win32") {
    return [{ program: "explorer.exe", args: [`/select,"${path}"`], isVerbatim: true, endsAnyhow: true }];
  }
  return onLinux(path);
}
