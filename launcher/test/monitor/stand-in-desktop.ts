// A fake notify-send that writes down each notification.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type StandInDesktop = {
  /** For the front of a search path. */
  readonly folder: string;
  /** The arguments of each call, in order. */
  calls(): string[][];
  /** Runs this shell script after each call is recorded. */
  setScript(script: string): void;
  /** Removes the program. */
  remove(): void;
  [Symbol.dispose](): void;
};

export function standInDesktop(): StandInDesktop {
  const folder = mkdtempSync(join(tmpdir(), "kit-desktop-"));
  const program = join(folder, "notify-send");
  const said = join(folder, "said");
  const setScript = (script: string) => {
    // Arguments are never empty here, so an empty one marks the end of a call.
    writeFileSync(program, `#!/bin/sh\nprintf '%s\\0' "$@" '' >> '${said}'\n${script}\n`);
    chmodSync(program, 0o755);
  };
  setScript("");
  return {
    folder,
    calls: () =>
      existsSync(said)
        ? readFileSync(said, "utf8")
            .split("\0\0")
            .slice(0, -1)
            .map((call) => call.split("\0"))
        : [],
    setScript,
    remove: () => rmSync(program),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
