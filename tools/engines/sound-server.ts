// Starts a private PulseAudio server for a test, with a null output that can be recorded.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathOf } from "./locate.ts";

/** `address` is the value for PULSE_SERVER. */
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

const microphone = [
  "module-null-sink sink_name=voice",
  "module-remap-source master=voice.monitor source_name=microphone",
];

/**
 * Starts the server without sound card or session bus, with its files in a temporary folder. What is played to the output `voice`
 * comes from its microphone. `address` is that of a server that was closed.
 */
export async function openSoundServer(address?: string): Promise<SoundServer> {
  const home =
    address === undefined ? mkdtempSync(join(tmpdir(), "kit-sound-")) : dirname(address.slice("unix:".length));
  mkdirSync(home, { recursive: true });
  const socket = join(home, "socket");
  const modules = [
    `module-native-protocol-unix socket=${socket} auth-anonymous=1`,
    "module-null-sink sink_name=speakers",
    ...microphone,
  ];
  const options = ["-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes"];
  const server = spawn(pathOf("PulseAudio"), [...options, ...modules.flatMap((each) => ["-L", each])], {
    stdio: "ignore",
    env: { PATH: process.env.PATH, HOME: home, PULSE_RUNTIME_PATH: home, PULSE_STATE_PATH: home },
  });
  const ended = once(server, "exit");
  const deadlineMs = performance.now() + 20_000;
  while (!(await answers(socket))) {
    if (server.exitCode !== null) throw new Error(`PulseAudio ended with ${server.exitCode}`);
    if (performance.now() > deadlineMs) throw new Error("PulseAudio did not open its socket");
    await setTimeout(50);
  }
  return {
    address: `unix:${socket}`,
    async close() {
      server.kill();
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
