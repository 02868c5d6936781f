// Opens a virtual X display. Xvfb chooses a free number, so runs cannot collide.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { pathOf } from "./locate.ts";

export type Display = {
  readonly name: string;
  /** The process of the X server. */
  readonly pid: number;
  close(): Promise<void>;
};

/** Opens a display with a screen of `size` pixels, e.g. `1280x720`. */
export async function openDisplay(size = "1024x768"): Promise<Display> {
  const server = spawn(pathOf("Xvfb"), ["-displayfd", "3", "-screen", "0", `${size}x24`, "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const ended = once(server, "exit");
  const numbers = createInterface({ input: server.stdio[3] as Readable });
  const number = await Promise.race([
    once(numbers, "line", { signal: AbortSignal.timeout(20_000) }).then(([line]) => line as string),
    ended.then(([code]) => Promise.reject(new Error(`Xvfb ended with ${code} before it had a display`))),
  ]);
  return {
    name: `:${number}`,
    pid: server.pid as number,
    async close() {
      server.kill();
      await ended;
    },
  };
}
