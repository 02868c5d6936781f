// Tests of Kit on a computer whose environment names proxies.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "vitest";
import { checkProxy } from "../../src/cli/commands/doctor/port.ts";
import { placeOf } from "../support/kit-command.ts";
import { kitCommand } from "../support/launcher-process.ts";
import { launcherOfFile } from "../support/own-launcher.ts";

const launcher = await launcherOfFile();

/** Runs a program whose environment sends everything to a proxy. Returns how often the proxy was asked. */
async function runBehindProxy([program = "", ...words]: readonly string[]) {
  let asked = 0;
  const proxy = createServer(() => undefined).listen(0, "127.0.0.1");
  proxy.on("connection", (socket) => {
    asked += 1;
    socket.destroy();
  });
  await once(proxy, "listening");
  const { port } = proxy.address() as { port: number };
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
  const proxies = Object.fromEntries(names.map((name) => [name, `http://127.0.0.1:${port}`]));
  const { NO_PROXY: _upper, no_proxy: _lower, ...rest } = process.env;
  const env = { ...rest, ...proxies, NODE_USE_ENV_PROXY: "1", CI: "1" };
  const child = spawn(program, words, { env, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err, [code]] = await Promise.all([child.stdout.toArray(), child.stderr.toArray(), once(child, "close")]);
  proxy.close();
  return { code, asked, printed: Buffer.concat([...out, ...err]).toString() };
}

test("a command reaches the launcher directly although the environment names proxies", async () => {
  const { code, asked, printed } = await runBehindProxy(kitCommand("api", "getHealth", ...placeOf(launcher)));
  assert.deepEqual([code, asked], [0, 0], printed);
});

test("a process that ignores proxies connects directly, by fetch and by the client that reaches OBS", async () => {
  const source = pathToFileURL(join(import.meta.dirname, "../../src/process/proxy.ts")).href;
  const address = JSON.stringify(`http://127.0.0.1:${launcher.port}/api/health`);
  const script = `
    import http from "node:http";
    const { ignoreProxies } = await import(${JSON.stringify(source)});
    await ignoreProxies(process.env, process.execArgv);
    const fetched = (await fetch(${address})).status;
    http.get(${address}, ({ statusCode }) => { console.log(fetched, statusCode); process.exit(); });`;
  const { asked, printed } = await runBehindProxy([process.execPath, "--input-type=module", "-e", script]);
  assert.deepEqual([printed.trim(), asked], ["200 200", 0]);
});

test("kit doctor says that Kit does not use the proxies that the environment names, and why", () => {
  const check = checkProxy({
    https_proxy: "http://proxy.example",
    ALL_PROXY: "socks5://proxy.example",
    HTTP_PROXY: "",
  });
  assert.equal(check?.ok, true);
  assert.match(check?.detail ?? "", /^https_proxy and ALL_PROXY are set, but Kit connects directly/);
  assert.equal(checkProxy({}), undefined);
});
