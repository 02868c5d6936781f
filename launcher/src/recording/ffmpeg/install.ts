// Installs ffmpeg with the package manager of the system, and tests what came of it.
import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FfmpegInstall, KitError, type Message } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type Ffmpeg, type FoundFfmpeg, findProgram, installMessage } from "./find.ts";
import { runFfmpeg } from "./run.ts";

export type Installer = { readonly command: readonly string[]; readonly asksPassword: boolean };

type Manager = { readonly program: string; readonly words: readonly string[] };

const managers: Partial<Record<NodeJS.Platform, readonly Manager[]>> = {
  win32: [
    {
      program: "winget",
      words: [
        ...["install", "--id", "Gyan.FFmpeg", "--exact", "--source", "winget", "--disable-interactivity"],
        ...["--accept-package-agreements", "--accept-source-agreements"],
      ],
    },
  ],
  darwin: [{ program: "brew", words: ["install", "ffmpeg"] }],
  linux: [
    { program: "apt-get", words: ["install", "--yes", "ffmpeg"] },
    // Fedora's own build. It encodes H.264 with OpenH264.
    { program: "dnf", words: ["install", "--assumeyes", "ffmpeg-free"] },
    { program: "pacman", words: ["-S", "--noconfirm", "ffmpeg"] },
  ],
};

export type InstallerSearch = {
  /** The ffmpeg that a person set, and beside which Kit uses no other. */
  readonly chosen?: string | undefined;
  readonly searchPath: string;
  readonly platform?: NodeJS.Platform;
  readonly isAdministrator?: boolean;
};

/** Finds the command, or says what a person can do instead. Searches anew with each call. */
export function findInstaller(search: InstallerSearch): Installer | { readonly instead: Message } {
  const { searchPath, platform = process.platform, isAdministrator = process.getuid?.() === 0 } = search;
  if (search.chosen) return { instead: message("ffmpeg.install_chosen") };
  const manager = managers[platform]?.find(({ program }) => findProgram(program, searchPath, platform) !== undefined);
  if (manager === undefined)
    return { instead: message("ffmpeg.install_no_manager", { how: installMessage(platform) }) };
  const command = [manager.program, ...manager.words];
  if (platform !== "linux" || isAdministrator) return { command, asksPassword: false };
  // It asks for the password of an administrator on the desktop.
  if (findProgram("pkexec", searchPath) !== undefined) return { command: ["pkexec", ...command], asksPassword: true };
  return { instead: message("ffmpeg.install_as_administrator", { command: command.join(" ") }) };
}

/** Returns what will happen, for a person who has to agree. */
export const offerMessage = ({ command, asksPassword }: Installer): Message =>
  message(asksPassword ? "ffmpeg.install_offer_password" : "ffmpeg.install_offer", { command: command.join(" ") });

/** Encodes a second of a synthetic picture with the encoder that ffmpeg itself prefers for H.264. */
const encodesH264 = (ffmpeg: Ffmpeg): Promise<boolean> =>
  runFfmpeg(
    ffmpeg,
    [
      ...["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=30", "-frames:v", "30"],
      ...["-pix_fmt", "yuv420p", "-c:v", "h264", "-f", "null", "-"],
    ],
    { outBytesMax: 4_096 },
  ).then(
    () => true,
    () => false,
  );

export type InstallResult = { readonly ok: boolean; readonly says: Message };

/** What Kit says if it finds no ffmpeg, by the code with which winget says that one is already installed. */
const notFoundMessages = new Map<number, `ffmpeg.install_${"present" | "other_version" | "newer_version"}_not_found`>([
  // It is installed, has no update, or its update is not newer.
  [0x8a150061, "ffmpeg.install_present_not_found"],
  [0x8a15002b, "ffmpeg.install_present_not_found"],
  [0x8a15004f, "ffmpeg.install_present_not_found"],
  [0x8a15010d, "ffmpeg.install_other_version_not_found"],
  [0x8a15010e, "ffmpeg.install_newer_version_not_found"],
]);

/** Looks what the installation has brought. `code` is how the package manager ended; null if it did not start. */
export async function judgeInstall(
  command: string,
  code: number | null,
  find: () => Promise<FoundFfmpeg>,
): Promise<InstallResult> {
  const notFoundThere = code === null ? undefined : notFoundMessages.get(code >>> 0);
  if (code !== 0 && notFoundThere === undefined) {
    const ended = code === null ? message("ffmpeg.install_not_started", { command }) : undefined;
    return { ok: false, says: ended ?? message("ffmpeg.install_failed", { command, code: String(code) }) };
  }
  const { ffmpeg } = await find();
  if (ffmpeg === undefined)
    return { ok: false, says: message(notFoundThere ?? "ffmpeg.install_not_found", { command }) };
  const version = ffmpeg.version.text;
  if (await encodesH264(ffmpeg)) return { ok: true, says: message("ffmpeg.install_done", { version }) };
  return { ok: false, says: message("ffmpeg.install_no_encoder", { version }) };
}

const outputBytesMax = 4_096;
const lineCharsMax = 200;

/** Returns the last line of the output, without control characters. Progress bars overwrite their line. */
export function lastLine(output: string): string {
  const lines = output.split(/[\r\n]+/).map((line) =>
    line
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
      .replaceAll(/\u001b\[[0-9;?]*[A-Za-z]|[\u0000-\u001f\u007f-\u009f]/g, "")
      .trim(),
  );
  return (lines.findLast((line) => /[\p{L}\p{N}]/u.test(line)) ?? "").slice(0, lineCharsMax);
}

type FfmpegInstallDeps = {
  readonly find: () => Promise<FoundFfmpeg>;
  readonly installer: () => Installer | { readonly instead: Message };
  /** Called when an installation has ended. */
  readonly onEnd: () => void;
};

/** Runs at most one installation. It goes on if the launcher ends: half an installation would be worse. */
export function createFfmpegInstaller({ find, installer, onEnd }: FfmpegInstallDeps) {
  let current: { readonly command: string; readonly output: () => string; result?: InstallResult } | undefined;

  const report = (): FfmpegInstall => {
    const found = installer();
    const offered =
      "instead" in found
        ? { command: null, offer: found.instead }
        : { command: found.command.join(" "), offer: offerMessage(found) };
    if (current === undefined) return { ...offered, state: "idle", says: null, progress: "" };
    const { command, output, result } = current;
    const running = message("ffmpeg.install_running", { command });
    const state = result === undefined ? "running" : result.ok ? "installed" : "failed";
    return { ...offered, state, says: result?.says ?? running, progress: lastLine(output()) };
  };
  const run = ({ command }: Installer): void => {
    const folder = mkdtempSync(join(tmpdir(), "kit-install-"));
    const file = join(folder, "output");
    // Not a pipe, whose end would end the package manager.
    const output = openSync(file, "w", 0o600);
    const [program = "", ...words] = command;
    const child = spawn(program, words, {
      stdio: ["ignore", output, output],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    closeSync(output);
    child.unref();
    let said = "";
    const read = () => {
      try {
        said = readFileSync(file, "utf8").slice(-outputBytesMax);
      } catch {
        // It was removed after the end.
      }
      return said;
    };
    const running: typeof current = { command: command.join(" "), output: read };
    current = running;
    const end = async (code: number | null) => {
      read();
      rmSync(folder, { recursive: true, force: true });
      running.result = await judgeInstall(running.command, code, find);
      onEnd();
    };
    child.once("error", () => void end(null));
    child.once("exit", (code) => void end(code ?? 1));
  };
  return {
    report,
    /** Throws KitError if nothing can be installed here. Does nothing while an installation runs. */
    start(): FfmpegInstall {
      if (current !== undefined && current.result === undefined) return report();
      const found = installer();
      if ("instead" in found) throw new KitError("not_found", found.instead);
      run(found);
      return report();
    },
  };
}

export type FfmpegInstaller = ReturnType<typeof createFfmpegInstaller>;
