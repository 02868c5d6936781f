// Skips tests that need the default port if a launcher uses it.
import { once } from "node:events";
import { createServer } from "node:net";
import { defaultPort } from "@kit/contract";
import { enginesRequired } from "../../tools/engines/locate.ts";

async function isFree(host: string): Promise<boolean> {
  const server = createServer().listen(defaultPort, host);
  const failure = await once(server, "listening").then(
    () => undefined,
    ({ code }: NodeJS.ErrnoException) => code,
  );
  server.close();
  return failure !== "EADDRINUSE";
}

/** Value for a test's `skip` option. If engines are required, the test runs and fails instead. */
export async function skipWithoutDefaultPort(): Promise<boolean> {
  const free = (await isFree("127.0.0.1")) && (await isFree("::1"));
  return !free && !enginesRequired;
}
