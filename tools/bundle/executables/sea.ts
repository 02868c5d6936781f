// Builds Node's single executable application: Node, the packed files and the boot code in one file.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeFlags } from "../../../launcher/src/process/node-flags.ts";
import type { Payload } from "./payload.ts";

export type Executable = {
  /** Path of the Node binary to extend. */
  readonly node: string;
  /** Boot code, as CommonJS. */
  readonly boot: string;
  readonly payload: Payload;
  /** Path of the file to write. */
  readonly output: string;
};

export function writeSea({ node, boot, payload, output }: Executable): void {
  const work = mkdtempSync(join(tmpdir(), "kit-sea-"));
  const put = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(work, name), content);
    return join(work, name);
  };
  try {
    const config = {
      main: put("boot.cjs", boot),
      executable: node,
      output,
      disableExperimentalSEAWarning: true,
      // Snapshot and code cache can only be built on the target system.
      useCodeCache: false,
      useSnapshot: false,
      execArgv: nodeFlags,
      // Node options on the command line or in the environment must not affect the launcher.
      execArgvExtension: "none",
      assets: { "files.json": put("files.json", payload.list), "files.zst": put("files.zst", payload.contents) },
    };
    execFileSync(process.execPath, ["--build-sea", put("sea.json", JSON.stringify(config))], { stdio: "pipe" });
    chmodSync(output, 0o755);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
