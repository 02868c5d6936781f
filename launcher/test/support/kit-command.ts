// Runs `kit` as its own process with the given arguments and a clean environment.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { kitCommand } from "./launcher-process.ts";
import { patienceMs } from "./until.ts";

export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string; json<T>(): T };

/** Runs `kit` with exactly these arguments, this standard input and this language. */
function runKit(words: readonly string[], input = "", language = "en_GB.UTF-8"): Promise<Ran> {
  const [program, ...start] = kitCommand(...words);
  const env = {
    ...process.env,
    LC_ALL: language,
    CI: "1",
    KIT_SECRETS: "file",
    KIT_PORT: "",
    KIT_DATA_DIR: "",
    NO_COLOR: "",
  };
  const clean = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  return new Promise((resolve) => {
    const child = execFile(program, start, { env: clean, timeout: patienceMs }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, stdout, stderr, json: <T>() => JSON.parse(stdout) as T });
    });
    child.stdin?.end(input);
  });
}

/** Runs `kit` with exactly these arguments. */
export const kit = (...words: readonly string[]): Promise<Ran> => runKit(words);

type Place = { readonly port: number; readonly dataDir: string };

/** The options with which a command finds a launcher. */
export const placeOf = ({ port, dataDir }: Place): readonly string[] => ["--port", String(port), "--data-dir", dataDir];

/** Runs `kit` on a launcher, with `input` on standard input and in this `language`. */
export function kitOn(launcher: Place, input?: string, language?: string) {
  const run = (...words: readonly string[]) => {
    // Arguments after `--` belong to another program.
    const end = words.includes("--") ? words.indexOf("--") : words.length;
    return runKit([...words.slice(0, end), ...placeOf(launcher), ...words.slice(end)], input, language);
  };
  return {
    run,
    /** Fails unless the command succeeds. */
    async succeeds(...words: readonly string[]): Promise<Ran> {
      const ran = await run(...words);
      assert.equal(ran.code, exitCodes.ok, `kit ${words.join(" ")}: ${ran.stderr}`);
      return ran;
    },
  };
}
