// Follows the sound devices of Windows with kit-sound.exe, Kit's own program beside its Node.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Message } from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";
import { exitCodeText } from "../../ffmpeg/run.ts";
import type { FollowSoundServer, SoundServerState } from "./pulse.ts";

const soundProgram = join(dirname(process.execPath), "kit-sound.exe");

export const hasSoundProgram = (): boolean => process.platform === "win32" && existsSync(soundProgram);

/** Reads a line that `kit-sound devices` prints; undefined if it is none. `process` is 0, or the error of Windows. */
function parseSoundDevices(line: string): SoundServerState | undefined {
  const [, output, microphone, code = ""] =
    /^output=([01]) microphone=([01]) process=(0x[0-9A-F]{8})\s*$/.exec(line) ?? [];
  if (output === undefined) return undefined;
  return {
    streams: [],
    monitor: output === "1" ? "output" : null,
    microphone: microphone === "1" ? "microphone" : null,
    ofProcesses: Number(code) === 0 ? true : message("sound.not_of_one_program", { code }),
  };
}

export const createWindowsSoundFollower =
  (program = soundProgram): FollowSoundServer =>
  ({ onState, onLost }) => {
    let isStopped = false;
    // It ends when its stdin does, so it ends with the launcher.
    const child = spawn(program, ["devices"], { stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
    const stop = () => {
      isStopped = true;
      child.kill("SIGKILL");
    };
    const lose = (why: Message) => {
      if (isStopped) return;
      stop();
      onLost(why);
    };
    createInterface({ input: child.stdout }).on("line", (line) => {
      const state = parseSoundDevices(line);
      if (state !== undefined && !isStopped) onState(state);
    });
    child.stdin.on("error", () => undefined);
    child.once("error", (error) => lose(reasonOf(error)));
    child.once("close", (code, signal) => lose(message("sound.program_ended", { how: signal ?? exitCodeText(code) })));
    return { stop };
  };

/** Returns the arguments with which kit-sound.exe writes a stream to stdout. */
export const recordOnWindows = (kind: string, name: string): { readonly program: string; readonly args: string[] } => ({
  program: soundProgram,
  args: kind === "stream" ? ["process", name] : [name],
});
