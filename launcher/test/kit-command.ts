// Runs `kit` as a person or a script does: a process of its own, the words given, nothing else in its environment.
import { execFile } from "node:child_process";
import { kitCommand } from "./launcher-process.ts";
import { patienceMs } from "./until.ts";

export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string; json<T>(): T };

/** Runs `kit` with these words and no others. */
export function kit(...words: readonly string[]): Promise<Ran> {
  const [program, ...start] = kitCommand(...words);
  const env = { ...process.env, CI: "1", KIT_SECRETS: "file", KIT_PORT: "", KIT_DATA_DIR: "", NO_COLOR: "" };
  const clean = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  return new Promise((resolve) => {
    execFile(program, start, { env: clean, timeout: patienceMs }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, stdout, stderr, json: <T>() => JSON.parse(stdout) as T });
    });
  });
}
