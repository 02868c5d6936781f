// Starts Prometheus for a test: it scrapes nothing, and takes what it is sent.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathOf } from "./locate.ts";

export type PrometheusServer = AsyncDisposable & { readonly address: string };

export async function startPrometheus(): Promise<PrometheusServer> {
  const folder = mkdtempSync(join(tmpdir(), "kit-prometheus-"));
  const settings = join(folder, "prometheus.yml");
  writeFileSync(settings, "global: {}\n");
  const words = [
    `--config.file=${settings}`,
    `--storage.tsdb.path=${join(folder, "data")}`,
    "--web.listen-address=127.0.0.1:0",
    "--web.enable-remote-write-receiver",
  ];
  const server = spawn(pathOf("Prometheus"), words, { stdio: ["ignore", "ignore", "pipe"], windowsHide: true });
  const ended = once(server, "exit");
  const end = async () => {
    server.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  let port: string | undefined;
  let said = "";
  for await (const line of createInterface({ input: server.stderr })) {
    said += `${line}\n`;
    port ??= /msg="Listening on".* address=127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    // Either line comes first.
    if (port === undefined || !said.includes("Server is ready")) continue;
    server.stderr.resume();
    return { address: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: end };
  }
  await end();
  throw new Error(`Prometheus did not start:\n${said}`);
}
