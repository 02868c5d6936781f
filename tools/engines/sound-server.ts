// Starts a private PulseAudio or PipeWire for a test, with a null output that can be recorded.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathOf } from "./locate.ts";
import { patienceMs } from "./patience.ts";
import { openPrivateBus } from "./private-bus.ts";

/** `address` is the value for PULSE_SERVER. Its folder is the XDG_RUNTIME_DIR of programs that play by PipeWire itself. */
export type SoundServer = { readonly address: string; close(): Promise<void> };

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket, () => {
      connection.destroy();
      resolve(true);
    });
    connection.on("error", () => resolve(false));
  });
}

async function succeeds(env: NodeJS.ProcessEnv, ...words: readonly string[]): Promise<boolean> {
  const [code] = await once(spawn("pactl", words, { env, stdio: "ignore" }), "exit");
  return code === 0;
}

/** Waits until a program does what it was started for. */
async function started(program: ChildProcess, name: string, isReady: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + patienceMs;
  while (!(await isReady())) {
    if (program.exitCode !== null) throw new Error(`${name} ended with ${program.exitCode}`);
    if (performance.now() > deadlineMs) throw new Error(`${name} did not start`);
    await setTimeout(50);
  }
}

/** What is played to the output `voice` comes from the microphone. */
const modules = [
  "module-null-sink sink_name=speakers",
  "module-null-sink sink_name=voice",
  "module-remap-source master=voice.monitor source_name=microphone",
];

type Started = { readonly programs: readonly ChildProcess[]; readonly close?: () => Promise<void> };

async function startPulseAudio(socket: string, env: NodeJS.ProcessEnv): Promise<Started> {
  const loaded = [`module-native-protocol-unix socket=${socket} auth-anonymous=1`, ...modules];
  const options = ["-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes"];
  const words = [...options, ...loaded.flatMap((each) => ["-L", each])];
  const server = spawn(pathOf("PulseAudio"), words, { stdio: "ignore", env });
  await started(server, "PulseAudio", () => answers(socket));
  return { programs: [server] };
}

/** Keeps WirePlumber away from the sound cards of this computer. */
function leaveHardware(home: string): void {
  const folder = join(home, "wireplumber");
  mkdirSync(join(folder, "main.lua.d"), { recursive: true });
  writeFileSync(join(folder, "main.lua.d/51-kit.lua"), "alsa_monitor.enabled = false\n");
  mkdirSync(join(folder, "wireplumber.conf.d"));
  const profile = "wireplumber.profiles = { main = { hardware.audio = disabled } }\n"; // since WirePlumber 0.5
  writeFileSync(join(folder, "wireplumber.conf.d/51-kit.conf"), profile);
}

/** As a desktop starts it. WirePlumber connects programs with outputs, and ends without a session bus. */
async function startPipeWire(socket: string, own: NodeJS.ProcessEnv): Promise<Started> {
  const home = dirname(socket);
  leaveHardware(home);
  const bus = await openPrivateBus(home, own);
  const env = { ...own, DBUS_SESSION_BUS_ADDRESS: bus.address, PULSE_SERVER: `unix:${socket}` };
  const start = (program: string) => spawn(program, { stdio: "ignore", env });
  const server = start("pipewire");
  await started(server, "PipeWire", () => answers(join(home, "pipewire-0")));
  const programs = [server, start("wireplumber"), start(pathOf("PipeWire"))];
  await started(server, "pipewire-pulse", () => answers(socket));
  for (const each of modules) {
    await started(server, "pipewire-pulse", () => succeeds(env, "load-module", ...each.split(" ")));
  }
  await started(server, "WirePlumber", () => succeeds(env, "set-default-sink", "speakers"));
  await started(server, "WirePlumber", () => succeeds(env, "set-default-source", "microphone"));
  return { programs, close: bus.close };
}

const starts = { PulseAudio: startPulseAudio, PipeWire: startPipeWire } as const;

/** Starts the server without sound card, with its files in a temporary folder. `address` is that of a server that was closed. */
export async function openSoundServer(
  kind: keyof typeof starts = "PulseAudio",
  address?: string,
): Promise<SoundServer> {
  const home =
    address === undefined ? mkdtempSync(join(tmpdir(), "kit-sound-")) : dirname(address.slice("unix:".length));
  mkdirSync(home, { recursive: true });
  const socket = join(home, "native");
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_RUNTIME_DIR: home,
    XDG_CONFIG_HOME: home,
    PULSE_RUNTIME_PATH: home,
    PULSE_STATE_PATH: home,
  };
  const { programs, close } = await starts[kind](socket, env);
  return {
    address: `unix:${socket}`,
    async close() {
      const ends = programs.filter(({ exitCode }) => exitCode === null).map((program) => once(program, "exit"));
      for (const program of programs) program.kill();
      await Promise.all(ends);
      await close?.();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
