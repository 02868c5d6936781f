// `kit ffmpeg`: shows which ffmpeg Kit uses, and installs one with the package manager of the system.
import { spawn } from "node:child_process";
import { KitError } from "@kit/contract";
import { findFfmpeg } from "../../recording/ffmpeg/find.ts";
import { findInstaller, judgeInstall, offerMessage } from "../../recording/ffmpeg/install.ts";
import { answer, command, confirmedFlag } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { escapeInvisible, print, say } from "../output.ts";
import { askConfirmation } from "../prompt.ts";

/** Runs the package manager in this terminal, where it shows its progress and asks. With `--json`, it prints to stderr. */
function runInTerminal([program = "", ...words]: readonly string[], json: boolean): Promise<number | null> {
  // The package manager may ask something in this window.
  const child = spawn(program, words, { stdio: ["inherit", json ? 2 : "inherit", "inherit"], windowsHide: false });
  return new Promise((resolve) => {
    child.once("error", () => resolve(null));
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

const install = command("install", "Install ffmpeg with the package manager of this system, and test it", {
  flags: { yes: confirmedFlag() },
  async run({ config, flags, json }) {
    const find = () => findFfmpeg({ chosen: config.ffmpeg, searchPath: config.searchPath });
    const { ffmpeg, says } = await find();
    if (ffmpeg !== undefined && ffmpeg.origin !== "package")
      return answer({ installed: true, says: say(says) }, () => print(escapeInvisible(say(says))));
    const installer = findInstaller({ chosen: config.ffmpeg, searchPath: config.searchPath, asksIn: "terminal" });
    if ("instead" in installer) throw new KitError("not_found", installer.instead);
    await askConfirmation([say(offerMessage(installer))], flags.yes);
    const code = await runInTerminal(installer.command, json);
    const result = await judgeInstall(installer.command.join(" "), code, find);
    if (!result.ok) process.exitCode = exitCodes.failed;
    return answer({ installed: result.ok, says: say(result.says) }, (found) => print(escapeInvisible(found.says)));
  },
});

export const ffmpegCommand = command("ffmpeg", "Show which ffmpeg Kit uses, or install one", {
  group: "players",
  subcommands: [install],
  async run({ config }) {
    const { ffmpeg, says } = await findFfmpeg({ chosen: config.ffmpeg, searchPath: config.searchPath });
    if (ffmpeg === undefined) process.exitCode = exitCodes.unwell;
    return answer({ path: ffmpeg?.path ?? null, says: say(says) }, (found) => {
      print(escapeInvisible(found.says));
      if (found.path !== null) print(escapeInvisible(found.path));
    });
  },
});
