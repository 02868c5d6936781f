// Tests under Wine of two users of one computer, each with Kit for Windows and data of their own: their computers share
// 127.0.0.1, as two users of one Windows do.
import assert from "node:assert/strict";
import { once } from "node:events";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { type Acknowledgement, ingestOperations } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { until } from "../../../launcher/test/support/until.ts";
import { freePort } from "../../engines/free-port.ts";
import { skipWithout } from "../../engines/locate.ts";
import { openWindows, type WindowsComputer, type WindowsProgram } from "../../engines/windows-computer.ts";
import { type OwnWindows, openOwnWindows, startKit } from "./own-windows.ts";

const skip = skipWithout("Wine", "Node.js for Windows");
let first: OwnWindows;
let second: WindowsComputer;
beforeAll(async () => {
  if (skip !== false) return;
  first = await openOwnWindows();
  second = openWindows();
  cpSync(join(first.drive, "kit"), join(second.drive, "kit"), { recursive: true });
  await first.begin();
});
afterAll(() => {
  first?.close();
  second?.close();
});

/** Starts Kit of the second user, whose data are where Kit puts them by default. */
const start = (port: number | undefined, ...words: string[]): WindowsProgram => {
  const added = port === undefined ? {} : { KIT_PORT: String(port) };
  return startKit(second, words, { KIT_SECRETS: "file", CI: "1", ...added });
};
async function kit(port: number | undefined, ...words: string[]) {
  const run = start(port, ...words);
  return { code: await run.ended, output: run.output().trim() };
}
async function startOnOwnPort(port: number): Promise<WindowsProgram> {
  const launcher = start(port, "start", "--no-open");
  await until(
    () => `the second Kit starts; it says ${launcher.output()}`,
    () => launcher.output().includes("Stop with Ctrl-C"),
  );
  return launcher;
}

const secretIn = (folder: string) => readFileSync(join(folder, "secret"), "utf8").trim();
const secrets = () => {
  const [user = ""] = readdirSync(join(second.drive, "users")).filter((name) => name !== "Public");
  const usualFolder = join(second.drive, "users", user, "AppData/Local/kit/Data");
  return [secretIn(join(first.drive, "data")), secretIn(usualFolder)];
};
const otherUsers = (port: number) =>
  `ort ${port} is used by a Kit with another data directory, possibly of another user of this computer`;

test("Kit of the second user says in one sentence that another user's may have the port, and what to do", {
  skip,
}, async () => {
  for (const words of [["start"], ["start", "--json"], ["start", "--from-menu"]]) {
    const { code, output } = await kit(first.port, ...words);
    assert.equal(code, 1, output);
    const remedy = "If you cannot close it, start Kit with --port N and set the same address in the game.";
    assert.equal(output.replace(/: [^:]+ \(process \d+\)/, ""), `P${otherUsers(first.port)}. ${remedy}`);
  }
});

test("both work at once, each on its own port with its own events", { skip }, async () => {
  const port = await freePort();
  await startOnOwnPort(port);
  const sent = await fetch(`http://127.0.0.1:${port}${ingestOperations.recording.path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ eventId: "of_second", timestamp: new Date().toISOString() }),
  });
  const { id: ofSecond } = (await sent.json()) as Acknowledgement;
  const { id: ofFirst } = (await (await first.trigger("of_first")).json()) as Acknowledgement;
  // Without a port, a command finds the launcher of its user.
  const listed = await kit(undefined, "api", "listEvents");
  assert.equal(listed.code, 0, listed.output);
  assert.ok(listed.output.includes(ofSecond) && !listed.output.includes(ofFirst), listed.output);
  assert.deepEqual([...(await first.storedIds())], [ofFirst]);
});

/** Passes requests on to the first user's launcher, and keeps what was sent. The launcher answers only those for its own port. */
async function listenBeforeFirst() {
  let sent = "";
  const port = await freePort();
  const server = createServer((socket) => {
    const onward = connect(first.port, "127.0.0.1");
    socket.on("data", (bytes) => {
      const text = bytes.toString("latin1");
      sent += text;
      onward.write(text.replace(`127.0.0.1:${port}`, `127.0.0.1:${first.port}`), "latin1");
    });
    socket.once("close", () => onward.destroy());
    socket.on("error", () => onward.destroy());
    onward.on("error", () => socket.destroy()).pipe(socket);
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return { port, sent: () => sent, close: () => server.close() };
}

test("no command of the second user takes the first's launcher for its own, ends it, opens it, or sends a secret to it", {
  skip,
}, async (t) => {
  const passing = await listenBeforeFirst();
  t.onTestFinished(() => void passing.close());
  for (const [command, expected] of [
    ["start", 1],
    ["open", 3],
    ["stop", 3],
    ["api", 3],
    ["doctor", 5],
  ] as const) {
    const asked = passing.sent().length;
    const more = { start: ["--data-dir", "C:\\third"], api: ["listEvents"], open: [], stop: [], doctor: [] };
    const words = [command, ...more[command]];
    const { code, output } = await kit(passing.port, ...words);
    assert.equal(code, expected, output);
    assert.ok(output.includes(otherUsers(passing.port)), output);
    assert.match(output, /--port N/);
    for (const hidden of [...secrets(), "#t="]) assert.ok(!output.includes(hidden), command);
    assert.ok(passing.sent().length > asked, `${command} asks who answers`);
  }
  for (const secret of secrets()) assert.ok(!passing.sent().includes(secret));
  assert.doesNotMatch(passing.sent(), /authorization|cookie/i);
  assert.equal(first.launcher()?.child.exitCode, null);
});

test("the port that the second user's Kit recorded before it was killed is not its own when the first's has it", {
  skip,
}, async () => {
  second.endAll();
  await first.kill();
  await startOnOwnPort(first.port);
  assert.equal((await kit(undefined, "api", "getHealth")).code, 0);
  second.endAll();
  await first.begin();
  const { code, output } = await kit(undefined, "api", "getHealth");
  assert.equal(code, 3, output);
  assert.ok(output.includes(otherUsers(first.port)), output);
});
