// Shows a clip's file in the file manager of this machine.
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { KitError } from "@kit/contract";
import { withUmask } from "../../umask.ts";
import type { Library } from "./library.ts";
import { type RevealCommand, revealCommands } from "./reveal-commands.ts";

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
