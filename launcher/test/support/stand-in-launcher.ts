// A server that commands take for the launcher of a data directory.
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { readConfig } from "../../src/config.ts";
import { listenerProof } from "../../src/own-files.ts";
import { dataDirAt, isLockFree, takeDataDirLock } from "../../src/storage/data-dir.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const secret = "a".repeat(64);

/** `proof` is the response by which a command knows its launcher; undefined for any other request. */
type Respond = (request: IncomingMessage, response: ServerResponse, proof: string | undefined) => void;

/** Leaves what a launcher leaves for commands: a listening port, its data in use, its secret, and the file that names it. */
export async function startStandIn(respond: Respond) {
  const dir = dataDirAt(temporaryFolder("stand-in"));
  mkdirSync(dir.path, { recursive: true });
  const lock = takeDataDirLock(dir.lock);
  let port = 0;
  const server = createServer((request, response) => {
    const challenge = /\?challenge=(\w{32})$/.exec(request.url ?? "")?.[1];
    const proof = challenge && JSON.stringify({ product: "kit", proof: listenerProof(secret, port, challenge) });
    respond(request, response, proof);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    if (!isLockFree(dir.lock)) lock.close();
  });
  port = (server.address() as { port: number }).port;
  writeFileSync(dir.running, JSON.stringify({ pid: process.pid, port, version: "0" }));
  writeFileSync(dir.secret, secret);
  const config = { ...readConfig({ dataDir: dir.path }), answerWithinMs: 100, watchEveryMs: 10 };
  return { config, port, dataDir: dir.path, lock };
}
