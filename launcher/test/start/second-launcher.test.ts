// Tests of two launchers, or another program on the port: exactly one writes, the message names the other process, and `kit stop` ends
// the right one.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { freePort } from "../../../tools/engines/free-port.ts";
import { openRunningOrExplain, waitForOtherKit } from "../../src/cli/running-launcher.ts";
import { readConfig } from "../../src/config.ts";
import { DataDirInUse } from "../../src/storage/failure.ts";
import { kit, placeOf } from "../support/kit-command.ts";
import { launcherCommand } from "../support/launcher-process.ts";
import { launcherProcessOfFile } from "../support/own-launcher.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { patienceMs } from "../support/until.ts";

const launcher = await launcherProcessOfFile();
const other = temporaryFolder("second");

type Ended = { code: number | null; printed: string };

/** Starts a second launcher and waits for its end. */
async function startSecond(port: number, dataDir: string, ...flags: string[]): Promise<Ended> {
  const [program = "", ...words] = launcherCommand(port, dataDir);
  const child = spawn(program, [...words, ...flags], {
    env: { ...process.env, CI: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const output of [child.stdout, child.stderr])
    output.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const late = setTimeout(() => child.kill("SIGKILL"), patienceMs);
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(late);
  assert.doesNotMatch(printed, /\n\s+at /, "the output for a person contains no stack");
  return { code, printed };
}

async function assertStillWrites(): Promise<void> {
  const id = await launcher.trigger("saga_boss", "social");
  assert.equal((await launcher.receipt(id)).event.eventId, "saga_boss");
}

test("a second start with the same data and port shows the dashboard of the first", async () => {
  const { code, printed } = await startSecond(launcher.port, launcher.dataDir);
  assert.equal(code, 0, printed);
  assert.match(printed, new RegExp(`already runs on port ${launcher.port}`));
  assert.match(printed, new RegExp(`http://127\\.0\\.0\\.1:${launcher.port}/#t=[A-Za-z0-9_-]{43}`));
  await assertStillWrites();
});

test("a second start reports the same as JSON", async () => {
  const { code, printed } = await startSecond(launcher.port, launcher.dataDir, "--json");
  assert.equal(code, 0, printed);
  const answer = JSON.parse(printed.trim().split("\n").at(-1) ?? "") as Record<string, unknown>;
  assert.equal(answer.alreadyRunning, true);
});

test("a second start with the same data on another port names the first, and never writes", async () => {
  const { printed } = await startSecond(await freePort(), launcher.dataDir);
  assert.match(printed, new RegExp(`port ${launcher.port}`));
  await assertStillWrites();
});

test("the message names another Kit on the port, says that it may be another user's, and shows nothing of its data", async () => {
  const { code, printed } = await startSecond(launcher.port, other);
  assert.equal(code, 1, printed);
  assert.match(printed, /possibly of another user of this computer/);
  assert.match(printed, /\. If you cannot close it, start Kit with --port N and set the same address in the game\.$/m);
  assert.ok(!printed.includes("#t=") && !printed.includes(launcher.secret()), printed);
  assert.match(printed, new RegExp(`Port ${launcher.port} is used by a Kit with another data directory`));
  assert.match(printed, new RegExp(`process ${launcher.process().pid}`));
  assert.match(printed, /--port/);
});

for (const [says, host] of [
  ["127.0.0.1", "127.0.0.1"],
  ["[::1], where IPv4 is still free", "::1"],
] as const) {
  test(`the message names another program on ${says} with its process`, async () => {
    const port = await freePort();
    const program = `require("net").createServer(s => s.end("hello")).listen(${port}, "${host}", () => console.log("listens"))`;
    const stranger = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "ignore"] });
    const ended = once(stranger, "exit");
    await once(stranger.stdout, "data");
    const { code, printed } = await startSecond(port, other);
    stranger.kill("SIGKILL");
    await ended;
    assert.equal(code, 1, printed);
    assert.match(printed, new RegExp(`Port ${port} is used by .*node.*\\(process ${stranger.pid}\\)`));
    assert.match(printed, /Close it, or start Kit with --port/);
  });
}

test("the message names a launcher that does not answer, and its data stay untouched", async () => {
  const place = { port: String(await freePort()), dataDir: launcher.dataDir };
  const config = { ...readConfig(place), answerWithinMs: 200 };
  process.kill(launcher.process().pid, "SIGSTOP");
  try {
    assert.equal(await waitForOtherKit(config, Number.POSITIVE_INFINITY, () => undefined), "stays");
    await assert.rejects(
      openRunningOrExplain(config, new DataDirInUse("in use"), false, false),
      new RegExp(`process ${launcher.process().pid}\\) but does not respond on port ${launcher.port}`),
    );
  } finally {
    process.kill(launcher.process().pid, "SIGCONT");
  }
  await assertStillWrites();
});

test("a port above 65535 is invalid usage", () => {
  const [program = "", ...words] = launcherCommand(70_000, other);
  const { status, stderr } = spawnSync(program, words, { encoding: "utf8" });
  assert.equal(status, 2);
  assert.match(stderr, /--port is "70000"; give a port from 1 to 65535/);
});

test("after a kill the lock is free at once", async () => {
  await launcher.restart("SIGKILL");
  await assertStillWrites();
});

test("only 127.0.0.1 and ::1 are bound, no other address of this computer", async () => {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const others = addresses.filter(({ internal, scopeid }) => !internal && !scopeid).map(({ address }) => address);
  // On Linux all of 127.0.0.0/8 is this computer, so a server bound to every address answers there too.
  if (process.platform === "linux") others.push("127.0.0.2");
  for (const address of others) {
    const socket = connect(launcher.port, address);
    const outcome = await Promise.race([
      once(socket, "connect").then(() => "answers"),
      once(socket, "error").then(([error]) => (error as NodeJS.ErrnoException).code),
    ]).catch((error: NodeJS.ErrnoException) => error.code);
    socket.destroy();
    assert.equal(outcome, "ECONNREFUSED", address);
  }
});

test("kit stop refuses a launcher of other data, and ends its own cleanly, with everything stored", async () => {
  const foreign = await kit("stop", ...placeOf({ port: launcher.port, dataDir: other }));
  assert.equal(foreign.code, 3, foreign.stdout);
  const id = await launcher.trigger("saga_boss", "social");
  const { pid } = launcher.process();
  const stopped = await kit("stop", "--json", ...placeOf(launcher));
  assert.deepEqual([stopped.code, stopped.json()], [0, { stopped: true, pid }], stopped.stderr);
  assert.ok(!existsSync(join(launcher.dataDir, "open")), "the database was closed");
  const again = await kit("stop", ...placeOf(launcher));
  assert.deepEqual([again.code, again.stdout], [0, "Kit does not run.\n"]);
  await launcher.restart();
  assert.equal((await launcher.receipt(id)).event.eventId, "saga_boss");
});
