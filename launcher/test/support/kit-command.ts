// Runs `kit` in the process of the test, with the given arguments and a clean environment. `kitCommand` starts a real one.
import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { runProgram } from "../../src/cli/program.ts";

export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string; json<T>(): T };

/** Runs `kit` with exactly these arguments, this standard input and this language. */
async function runKit(words: readonly string[], input = "", language = "en_GB.UTF-8"): Promise<Ran> {
  const { KIT_PORT: _port, KIT_DATA_DIR: _dataDir, NO_COLOR: _noColour, ...rest } = process.env;
  const env = { ...rest, LC_ALL: language, CI: "1", KIT_SECRETS: "file" };
  const streams = { stdin: Readable.from([Buffer.from(input)]), stdout: new PassThrough(), stderr: new PassThrough() };
  const printed = Promise.all([text(streams.stdout), text(streams.stderr)]);
  const code = await runProgram(words, { env, ...streams });
  streams.stdout.end();
  streams.stderr.end();
  const [stdout, stderr] = await printed;
  return { code, stdout, stderr, json: <T>() => JSON.parse(stdout) as T };
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
