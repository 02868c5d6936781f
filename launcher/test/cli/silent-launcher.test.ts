// Tests of commands while the launcher of their data runs and does not respond: they end, and name its process.
import assert from "node:assert/strict";
import { getReceipt } from "@kit/contract";
import { test } from "vitest";
import { checkPort } from "../../src/cli/commands/doctor/port.ts";
import { connectToLauncher, identifyLauncher, Unreachable } from "../../src/cli/connection.ts";
import { startStandIn } from "../support/stand-in-launcher.ts";

const namesThisProcess = (error: unknown) =>
  error instanceof Unreachable && error.message.startsWith(`Kit runs (process ${process.pid}) but does not respond`);

test("a command names the process of a launcher that does not respond, and so does kit doctor", async () => {
  const { config, port, lock } = await startStandIn(() => undefined);
  await assert.rejects(connectToLauncher(config), namesThisProcess);
  const { ok, detail, fix } = await checkPort(await identifyLauncher(config));
  assert.deepEqual([ok, detail], [false, `Kit runs (process ${process.pid}) but does not respond on port ${port}`]);
  assert.match(fix, new RegExp(`end process ${process.pid} and start Kit again`));
  lock.close();
  assert.equal((await identifyLauncher(config)).who, "stranger", "a later process may have the launcher's id");
});

test("a call takes as long as the launcher responds to anything, and ends when it does not", async () => {
  let healthLeft = 4;
  const { config } = await startStandIn((_request, response, proof) => {
    if (proof === undefined || healthLeft === 0) return;
    healthLeft -= 1;
    response.end(proof);
  });
  const { client } = await connectToLauncher(config);
  await assert.rejects(client.call(getReceipt, { params: { id: "x" } }), namesThisProcess);
  assert.equal(healthLeft, 0, "the call went on while the launcher responded");
});
