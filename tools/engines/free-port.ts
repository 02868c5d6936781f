// Finds a free port for a program that a test starts.
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
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

/**
 * Keeps the port from all other tests, until this process ends. A socket of UDP can do that, because no program of the tests uses
 * UDP. Returns false if another test has the port.
 */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket("udp4").unref();
  const reserved = once(socket, "listening").then(
    () => true,
    () => false,
  );
  socket.bind(port, "127.0.0.1");
  if (await reserved) return true;
  socket.close();
  return false;
}

/** Returns a port that is free on both loopback addresses, and that no other test gets before the program listens on it. */
export async function freePort(min = portMin, max = portMax): Promise<number> {
  for (;;) {
    const port = randomInt(min, max + 1);
    if ((await reserve(port)) && (await isFree(port, "127.0.0.1")) && (await isFree(port, "::1"))) return port;
  }
}
