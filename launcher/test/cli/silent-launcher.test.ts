// Tests of commands while the launcher of their data runs and does not respond: they end, and name its process.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { getReceipt } from "@kit/contract";
import { onTestFinished, test } from "vitest";
import { checkPort } from "../../src/cli/commands/doctor/port.ts";
import { connectToLauncher, identifyLauncher, Unreachable } from "../../src/cli/connection.ts";
import { readConfig } from "../../src/config.ts";
import { listenerProof } from "../../src/own-files.ts";
import { dataDirAt, isLockFree, takeDataDirLock } from "../../src/storage/data-dir.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const secret = "a".repeat(64);

/** What a launcher leaves for commands: a listening port, its data in use, its secret, and the file that names it. */
async function standIn(respond: RequestListener) {
  const dir = dataDirAt(temporaryFolder("silent"));
  mkdirSync(dir.path, { recursive: true });
  const lock = takeDataDirLock(dir.lock);
  const server = createServer(respond).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    if (!isLockFree(dir.lock)) lock.close();
  });
  const { port } = server.address() as { port: number };
  writeFileSync(dir.running, JSON.stringify({ pid: process.pid, port, version: "0" }));
  writeFileSync(dir.secret, secret);
  const config = { ...readConfig({ dataDir: dir.path }), answerWithinMs: 100, watchEveryMs: 10 };
  return { config, port, lock };
}

const namesThisProcess = (error: unknown) =>
  error instanceof Unreachable && error.message.startsWith(`Kit runs (process ${process.pid}) but does not respond`);

test("a command names the process of a launcher that does not respond, and so does kit doctor", async () => {
  const { config, port, lock } = await standIn(() => undefined);
  await assert.rejects(connectToLauncher(config), namesThisProcess);
  const { ok, detail, fix } = await checkPort(await identifyLauncher(config));
  assert.deepEqual([ok, detail], [false, `Kit runs (process ${process.pid}) but does not respond on port ${port}`]);
  assert.match(fix, new RegExp(`end process ${process.pid} and start Kit again`));
  lock.close();
  assert.equal((await identifyLauncher(config)).who, "stranger", "a later process may have the launcher's id");
});

test("a call takes as long as the launcher responds to anything, and ends when it does not", async () => {
  let healthLeft = 4;
  let portNow = 0;
  const { config, port } = await standIn(({ url = "" }, response) => {
    const challenge = /\?challenge=(\w+)$/.exec(url)?.[1];
    if (challenge === undefined || healthLeft === 0) return;
    healthLeft -= 1;
    response.end(JSON.stringify({ product: "kit", proof: listenerProof(secret, portNow, challenge) }));
  });
  portNow = port;
  const { client } = await connectToLauncher(config);
  await assert.rejects(client.call(getReceipt, { params: { id: "x" } }), namesThisProcess);
  assert.equal(healthLeft, 0, "the call went on while the launcher responded");
});
