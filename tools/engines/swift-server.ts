// Starts OpenStack Swift with its S3 API for a test: a real S3 store, in a folder of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathOf } from "./locate.ts";

export type SwiftServer = { readonly port: number; close(): Promise<void> };

/** The keys that the server accepts. */
export const swiftKeys = { accessKey: "kit:tester", secretKey: "testing", region: "us-east-1" };

export async function openSwift(): Promise<SwiftServer> {
  const folder = mkdtempSync(join(tmpdir(), "kit-swift-"));
  const program = join(import.meta.dirname, "swift/server.py");
  // It ends when its input ends, also if this process is killed.
  const server = spawn(pathOf("Swift"), [program, folder], { stdio: ["pipe", "pipe", "inherit"], windowsHide: true });
  const ended = once(server, "exit");
  const close = async () => {
    server.stdin.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const [line] = await Promise.race([once(server.stdout, "data"), ended.then(() => [])]);
  const port = Number(line);
  if (!(port > 0)) {
    await close();
    throw new Error(`Swift did not start: ${server.exitCode}`);
  }
  return { port, close };
}
