// Support: the process of sound-program.ts. Plays tones, each as a stream of its own, and sends events like a game.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathOf } from "../../../tools/engines/locate.ts";
import type { SoundCommand } from "./sound-program.ts";

const rate = 48_000;
const feedEveryMs = 10;
const lateFramesMax = 0.04 * rate;
const beepMs = 200;
const settleMs = 500;

type Voice = { readonly player: ChildProcess; readonly timer?: NodeJS.Timeout };
const voices = new Map<number, Voice>();

/** Writes the tone as time passes. Beeps sound at the start of each second of the wall clock. */
async function play({ hertz, beeps = false, device }: Extract<SoundCommand, { do: "play" }>): Promise<void> {
  const format = ["--raw", "--format=s16le", `--rate=${rate}`, "--channels=1", "--latency-msec=30"];
  const args = ["--playback", ...format, ...(device === undefined ? [] : [`--device=${device}`])];
  const pacat = spawn("pacat", args, { stdio: ["pipe", "ignore", "inherit"] });
  pacat.stdin?.on("error", () => undefined);
  // Connected by then, so that what is written is heard at once.
  await setTimeout(settleMs);
  const startMs = Date.now();
  let written = 0;
  const timer = setInterval(() => {
    const until = Math.round(((Date.now() - startMs) * rate) / 1_000);
    // What a busy machine made late is left out: otherwise all that follows would be late, too.
    if (until - written > lateFramesMax) written = until - lateFramesMax / 4;
    const samples = new Int16Array(until - written);
    for (let i = 0; i < samples.length; i += 1) {
      const atMs = startMs + ((written + i) * 1_000) / rate;
      const isHeard = !beeps || atMs % 1_000 < beepMs;
      samples[i] = isHeard ? Math.round(8_000 * Math.sin((2 * Math.PI * hertz * (written + i)) / rate)) : 0;
    }
    written = until;
    pacat.stdin?.write(Buffer.from(samples.buffer));
  }, feedEveryMs);
  voices.set(hertz, { player: pacat, timer });
}

/** pw-play reads files only. */
function playByPipewire(hertz: number): void {
  const file = join(process.env.XDG_RUNTIME_DIR ?? "", `${hertz}.wav`);
  const tone = ["-f", "lavfi", "-i", `sine=${hertz}:r=${rate}:d=60`, "-af", "volume=2"];
  execFileSync(pathOf("ffmpeg"), ["-v", "error", "-y", ...tone, file]);
  voices.set(hertz, { player: spawn("pw-play", [file], { stdio: ["ignore", "ignore", "inherit"] }) });
}

function stop(hertz: number): void {
  const voice = voices.get(hertz);
  if (voice === undefined) return;
  clearInterval(voice.timer);
  voice.player.kill();
  voices.delete(hertz);
}

async function send({ url, eventId }: Extract<SoundCommand, { do: "send" }>): Promise<string> {
  const body = JSON.stringify({ eventId, timestamp: new Date().toISOString() });
  const reply = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  return ((await reply.json()) as { id: string }).id;
}

process.on("message", async (command: SoundCommand) => {
  let answer = "";
  if (command.do === "play") await play(command);
  else if (command.do === "play-by-pipewire") playByPipewire(command.hertz);
  else if (command.do === "stop") stop(command.hertz);
  else answer = await send(command);
  process.send?.(answer);
});
const end = () => {
  for (const hertz of [...voices.keys()]) stop(hertz);
  process.exit(0);
};
process.on("SIGTERM", end);
process.on("disconnect", end);
process.send?.("ready");
