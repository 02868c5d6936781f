// Finds a free port for a program that a test starts.
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ephemeral port range, whose ports the system could give to another connection before the program listens or while
 * it restarts.
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
  // Any other error, e.g. without IPv6, means that nobody listens there.
  return failure !== "EADDRINUSE" && failure !== "EACCES";
}

/** Returns a port that is free on both loopback addresses. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(portMin, portMax + 1);
    if ((await isFree(port, "127.0.0.1")) && (await isFree(port, "::1"))) return port;
  }
}
