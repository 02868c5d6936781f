// Starts Bluesky's server with test accounts.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export type PdsWish = {
  /** The server's public URL. */
  readonly publicUrl: string;
  readonly folder: string;
  readonly blobBytesMax: number;
  readonly accounts: readonly { readonly handle: string; readonly isConfirmed: boolean }[];
};

export type PdsAccount = {
  readonly handle: string;
  readonly did: string;
  /** Password of the account. */
  readonly password: string;
  readonly appPassword: string;
};

export type PdsServer = {
  /** Port on 127.0.0.1, without TLS. */
  readonly port: number;
  readonly accounts: readonly PdsAccount[];
  [Symbol.asyncDispose](): Promise<void>;
};

export async function startPds(wish: Omit<PdsWish, "folder">): Promise<PdsServer> {
  const folder = mkdtempSync(join(tmpdir(), "kit-pds-"));
  const program = join(import.meta.dirname, "pds-process.ts");
  const child = spawn(process.execPath, [program, JSON.stringify({ ...wish, folder } satisfies PdsWish)], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, LOG_ENABLED: "false", NODE_NO_WARNINGS: "1" },
  });
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.stdin.end();
      await once(child, "exit");
    }
    rmSync(folder, { recursive: true, force: true });
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const { port, accounts } = JSON.parse(line) as Pick<PdsServer, "port" | "accounts">;
    return { port, accounts, [Symbol.asyncDispose]: end };
  }
  await end();
  throw new Error("Bluesky's server did not start; what it said is above");
}
