// Node's own single executable: the program, the files it carries and what unpacks them, in one file of that system's form.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeFlags } from "../../../launcher/src/node-flags.ts";
import type { Payload } from "./payload.ts";

export type Executable = {
  /** Path of the Node it becomes. */
  readonly node: string;
  /** CommonJS: what runs first. */
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
      // Both would have to be made on the system itself.
      useCodeCache: false,
      useSnapshot: false,
      execArgv: nodeFlags,
      // The command line is the launcher's own, and no variable of somebody's shell changes how it runs.
      execArgvExtension: "none",
      assets: { "files.json": put("files.json", payload.list), "files.zst": put("files.zst", payload.contents) },
    };
    execFileSync(process.execPath, ["--build-sea", put("sea.json", JSON.stringify(config))], { stdio: "pipe" });
    chmodSync(output, 0o755);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
