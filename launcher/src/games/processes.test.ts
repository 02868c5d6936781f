// Who holds the other end of a connection, asked of a real Linux.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { createProcesses, type Processes } from "./processes.ts";

const isLinux = process.platform === "linux";

/** A process of its own that connects from `host` and runs `also`; `use` gets its connection here. */
async function withPeer(
  { host = "127.0.0.1", also = "", marks = [] as readonly string[] },
  use: (processes: Processes, socket: Socket, pid: number | undefined) => Promise<void>,
): Promise<void> {
  const server = createServer().listen(0, host === "127.0.0.1" ? host : "::");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const connect = `require("net").connect(${port}, ${JSON.stringify(host)}); setInterval(() => {}, 1000);`;
  const script = also === "" ? connect : `${also}(${JSON.stringify(connect)})`;
  const child = spawn(process.execPath, ["-e", script, ...marks], { stdio: "ignore", cwd: tmpdir() });
  try {
    const [socket] = (await once(server, "connection")) as [Socket];
    const processes = createProcesses(port);
    assert.ok(processes);
    await use(processes, socket, child.pid);
    socket.destroy();
  } finally {
    child.kill("SIGKILL");
    server.close();
  }
}

test("Linux names the process at the other end of a connection, also where IPv6 speaks IPv4", async (t) => {
  if (!isLinux) return t.skip("only Linux shows connections in /proc");
  for (const host of ["127.0.0.1", "::ffff:127.0.0.1"]) {
    await withPeer({ host }, async (processes, socket, pid) => {
      const port = socket.remotePort ?? 0;
      const peer = (await processes.holders(new Set([port]))).get(port);
      assert.equal(peer?.pid, pid);
      assert.ok(peer?.command.includes("net"));
      assert.equal(peer?.folder, tmpdir());
      assert.deepEqual(
        await processes.holdersAmong([process.pid, pid ?? 0], new Set([port, 1])),
        new Map([[port, peer]]),
      );
      assert.deepEqual(await processes.holdersAmong([process.pid], new Set([port])), new Map());
      const running = processes.runningFrom(new Set([peer?.path ?? ""])).find((program) => program.pid === pid);
      assert.deepEqual(running, { pid, path: peer?.path, command: peer?.command });
    });
  }
});

test("a program that has its connections in a process of its own, as Chromium does, is the program", async (t) => {
  if (!isLinux) return t.skip("only Linux shows connections in /proc");
  // It leaves when its parent has, however that ended: the pipe between them breaks.
  const also =
    '(connect => require("child_process").spawn(process.execPath, ["-e", `process.stdin.on("close", () => process.exit()).resume(); ${connect}`, "--", "--type=utility"], { stdio: ["pipe", "ignore", "ignore"] }) && setInterval(() => {}, 1000))';
  await withPeer({ also, marks: ["game"] }, async (processes, socket, pid) => {
    const port = socket.remotePort ?? 0;
    const peer = (await processes.holders(new Set([port]))).get(port);
    assert.equal(peer?.pid, pid);
    socket.destroy();
  });
});
