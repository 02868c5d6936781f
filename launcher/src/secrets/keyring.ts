// The system's keyring, asked in a process of its own: the library behind it blocks while a keyring is locked or a session
// bus hangs, and neither may hold up the launcher or its end.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { KeyringAnswer, KeyringAsk } from "./keyring-process.ts";

/** Each rejects with KeyringFailed when the keyring cannot do it, or not in time. */
export type Keyring = {
  read(account: string): Promise<string | undefined>;
  write(account: string, value: string): Promise<void>;
  remove(account: string): Promise<void>;
};

/** Says why, in words for a person. Never holds a secret. */
export class KeyringFailed extends Error {
  override name = "KeyringFailed";
}

export type KeyringNeeds = {
  /** A keyring that waits for a password waits longer than this. */
  readonly timeoutMs?: number;
  /** What the process is told of the session; all of it when left out. */
  readonly env?: NodeJS.ProcessEnv;
};

const programFile = () => {
  const file = import.meta.url.endsWith(".ts") ? "./keyring-process.ts" : "./keyring-process.js";
  return fileURLToPath(new URL(file, import.meta.url));
};

export function createKeyring({ timeoutMs = 3_000, env }: KeyringNeeds = {}): Keyring {
  const ask = (asked: KeyringAsk) =>
    new Promise<string | undefined>((resolve, reject) => {
      const fail = (why: string) => reject(new KeyringFailed(`The system's keyring did not do it: ${why}.`));
      // Secrets go through the channel between the two: arguments and environment can be seen by others.
      const child = fork(programFile(), [], {
        stdio: ["ignore", "ignore", "ignore", "ipc"],
        execArgv: ["--disable-warning=ExperimentalWarning"],
        ...(env && { env }),
      });
      const late = setTimeout(() => {
        child.kill("SIGKILL");
        fail(`it did not answer within ${timeoutMs / 1_000} s; it may be locked`);
      }, timeoutMs);
      child.once("message", (answer: KeyringAnswer) => {
        if ("failed" in answer) fail(answer.failed);
        else resolve(answer.value ?? undefined);
      });
      child.once("error", (error) => fail(error.message));
      child.once("close", () => {
        clearTimeout(late);
        fail("the program that asks it ended without an answer");
      });
      child.send(asked, () => undefined); // Where it could not be sent, the child's end says so.
    });
  return {
    read: (account) => ask({ does: "read", account }),
    write: (account, value) => ask({ does: "write", account, value }).then(() => undefined),
    remove: (account) => ask({ does: "remove", account }).then(() => undefined),
  };
}
