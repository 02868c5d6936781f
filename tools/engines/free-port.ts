// A port for a program that a test starts, and that is told where to listen.
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below those that systems give out by themselves: one of those could go to any connection of this machine before the program
 * listens there, or while it is started anew.
 */
const portMin = 20_000;
const portMax = 32_767;

async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer().listen(port, host);
  const failure = await once(server, "listening").then(
    () => undefined,
    ({ code }: NodeJS.ErrnoException) => code,
  );
  if (failure === undefined) await once(server.close(), "close");
  // Whatever else it is, a machine without IPv6 for example, nobody listens there.
  return failure !== "EADDRINUSE" && failure !== "EACCES";
}

/** One that was free on both loopback addresses a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(portMin, portMax + 1);
    if ((await isFree(port, "127.0.0.1")) && (await isFree(port, "::1"))) return port;
  }
}
