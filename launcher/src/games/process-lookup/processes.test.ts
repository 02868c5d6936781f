// Tests of the process lookup on a real Linux: the process at the other end of a connection.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readlinkSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { cannot } from "../../../../tools/engines/cannot.ts";
import { until } from "../../../test/support/until.ts";
import { createProcessTable, createSocketClaimer, findProcessTree, type ProcessTable, tryRead } from "./processes.ts";
import { createSocketFinder, findSocketsInTables, openSockDiag } from "./sockets.ts";

/** Starts a process that connects from `host` and runs `also`; `use` gets its connection. */
async function withPeer(
  { host = "127.0.0.1", also = "", marks = [] as readonly string[] },
  use: (processes: ProcessTable, socket: Socket, name: string, pid: number | undefined) => Promise<void>,
): Promise<void> {
  const server = createServer().listen(0, host === "127.0.0.1" ? host : "::");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const connect = `require("net").connect(${port}, ${JSON.stringify(host)}); setInterval(() => {}, 1000);`;
  const script = also === "" ? connect : `${also}(${JSON.stringify(connect)})`;
  const child = spawn(process.execPath, ["-e", script, ...marks], { stdio: "ignore", cwd: tmpdir() });
  try {
    const [socket] = (await once(server, "connection")) as [Socket];
    const processes = createProcessTable();
    assert.ok(processes);
    const names = [await findSocketsInTables([socket]), await createSocketFinder()([socket])].map((found) =>
      found.get(socket),
    );
    assert.ok(names[0]);
    assert.equal(names[1], names[0], "the kernel and its tables name the same socket");
    await use(processes, socket, names[0], child.pid);
    socket.destroy();
  } finally {
    child.kill("SIGKILL");
    server.close();
  }
}

test("Linux names the process at the other end of a connection, also of IPv4 over IPv6", {
  skip: cannot.readProc,
}, async () => {
  for (const host of ["127.0.0.1", "::ffff:127.0.0.1"]) {
    await withPeer({ host }, async (processes, _socket, name, pid) => {
      const found = await processes.findHolders(new Set([name]));
      const peer = found.get(name)?.peer;
      assert.equal(peer?.pid, pid);
      assert.ok(peer?.command.includes("net"));
      assert.equal(peer?.folder, tmpdir());
      assert.deepEqual(processes.findHoldersAmong([process.pid, pid ?? 0], new Set([name, "socket:[1]"])), found);
      assert.deepEqual(processes.findHoldersAmong([process.pid], new Set([name])), new Map());
      const running = (await processes.findRunning(new Set([peer?.path ?? ""]))).find((program) => program.pid === pid);
      assert.deepEqual(running, { pid, path: peer?.path, command: peer?.command });
      assert.deepEqual(await processes.find(pid ?? 0), peer);
    });
  }
});

test("a search yields to other work every two milliseconds", { skip: cannot.readProc }, async () => {
  /** Searches once, as if each look at a process took `ms`. Returns how often other work had its turn. */
  const turnsAt = async (ms: number) => {
    let elapsedMs = 0;
    let looks = 0;
    let turns = 0;
    const processes = createProcessTable(() => {
      looks += 1;
      elapsedMs += ms;
      return elapsedMs;
    });
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await processes?.findHolders(new Set(["socket:[1]"]));
    isDone = true;
    return turns / looks;
  };
  assert.ok((await turnsAt(1)) > 0.2);
  assert.ok((await turnsAt(0)) === 0);
});

test("a program with its connections in a child process, as Chromium has them, is found as the parent", {
  skip: cannot.readProc,
}, async () => {
  // The child ends with its parent, however that ends, because the pipe between them breaks.
  const also =
    '(connect => require("child_process").spawn(process.execPath, ["-e", `process.stdin.on("close", () => process.exit()).resume(); ${connect}`, "--", "--type=utility"], { stdio: ["pipe", "ignore", "ignore"] }) && setInterval(() => {}, 1000))';
  await withPeer({ also, marks: ["game"] }, async (processes, socket, name, pid) => {
    const holder = (await processes.findHolders(new Set([name]))).get(name);
    assert.equal(holder?.peer.pid, pid);
    assert.notEqual(holder?.pid, pid);
    socket.destroy();
  });
});

test("the server of Wine, which holds a copy of every socket of its games, is not taken for the game", {
  skip: cannot.readProc,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "kit-wine-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const serverName of ["wineserver", "wineserver64"]) {
    const server = join(folder, serverName);
    copyFileSync("/bin/cat", server);
    // Newer than the game, as the server that a game starts itself. It ends with the game, because the pipe between them breaks.
    const also = `(connect => eval(connect.split(";")[0]).once("connect", function () {
      require("child_process").spawn(${JSON.stringify(server)}, { stdio: ["pipe", "ignore", "ignore", this] });
      setInterval(() => {}, 1000);
    }))`;
    await withPeer({ also }, async (processes, _socket, name, pid = 0) => {
      const isServer = (each: number) => each !== pid && tryRead(() => readlinkSync(`/proc/${each}/exe`)) === server;
      const serverPid = await until("the server runs", () => [...findProcessTree(pid)].find(isServer));
      assert.deepEqual(createSocketClaimer()(String(serverPid), new Set([name])), [name]);
      const found = await processes.findHolders(new Set([name]));
      assert.equal(found.get(name)?.peer.pid, pid);
      assert.deepEqual(processes.findHoldersAmong([serverPid, pid], new Set([name])), found);
      assert.deepEqual(processes.findHoldersAmong([serverPid], new Set([name])), new Map());
    });
  }
});

test("a closed connection and one that never existed have no socket", { skip: cannot.readProc }, async () => {
  const sockDiag = openSockDiag();
  assert.ok(sockDiag, "this Node can ask the kernel");
  await withPeer({}, async (_processes, socket, name) => {
    const { remoteAddress, remotePort, localAddress, localPort } = socket;
    const connection = { remoteAddress, remotePort, localAddress, localPort };
    assert.equal(sockDiag(connection), name);
    // The launcher's own port has a listening socket, which belongs to no connection.
    assert.equal(sockDiag({ ...connection, remotePort: localPort, localPort: 9 }), undefined);
    assert.equal(sockDiag({ ...connection, remotePort: 9 }), undefined);
    socket.destroy();
    assert.equal(sockDiag(socket), undefined);
  });
  for (const host of ["127.0.0.1", "::1"])
    await withPeer({ host }, async (_processes, socket, name) => assert.equal(sockDiag(socket), name));
});

test("the sockets that a process holds are found, whichever connections were opened and closed before", {
  skip: cannot.readProc,
}, async () => {
  const takeHeld = createSocketClaimer();
  for (let connection = 0; connection < 3; connection += 1)
    await withPeer({}, async (_processes, _socket, name, pid) => {
      for (let again = 0; again < 2; again += 1)
        assert.deepEqual(takeHeld(String(pid), new Set([name, "socket:[1]"])), [name]);
      assert.deepEqual(takeHeld(String(pid), new Set(["socket:[1]"])), []);
      assert.deepEqual(takeHeld(String(process.pid), new Set([name])), []);
    });
});

test("a program that starts is found among the new processes, and the processes that it starts belong to it", {
  skip: cannot.readProc,
}, async (t) => {
  const processes = createProcessTable();
  assert.ok(processes);
  const paths = new Set([process.execPath]);
  assert.deepEqual(await processes.findStarted(paths), [], "what runs already has not started");
  const script = 'require("child_process").spawn("sleep", ["60"]).once("spawn", () => console.log("started"))';
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "ignore"] });
  t.onTestFinished(() => {
    for (const pid of findProcessTree(child.pid ?? 0)) process.kill(pid, "SIGKILL");
  });
  await once(child.stdout, "data");
  const started = (await processes.findStarted(paths)).find(({ pid }) => pid === child.pid);
  assert.equal(started?.path, process.execPath);
  assert.ok(started && (await processes.isRunning(started)));
  assert.equal(findProcessTree(child.pid ?? 0).size, 2);
});
