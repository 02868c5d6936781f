// The system's keyring, used from a separate process: the library blocks while a keyring is locked or a session bus hangs,
// and must not block the launcher or its exit.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { MessageError, type MessageOrText } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { KeyringReply, KeyringRequest } from "./keyring-process.ts";

/** Each method rejects with KeyringFailed on failure or timeout. */
export type Keyring = {
  read(account: string): Promise<string | undefined>;
  write(account: string, value: string): Promise<void>;
  remove(account: string): Promise<void>;
};

/** The message explains the failure to a person. It never contains a secret. */
export class KeyringFailed extends MessageError {
  override name = "KeyringFailed";
}

export type KeyringOptions = {
  /** Maximum time of an operation. By default shorter than a keyring waits for a password. */
  readonly timeoutMs?: number;
  /** Environment of the process; the default is the launcher's own. */
  readonly env?: NodeJS.ProcessEnv;
};

const programFile = () => {
  const file = import.meta.url.endsWith(".ts") ? "./keyring-process.ts" : "./keyring-process.js";
  return fileURLToPath(new URL(file, import.meta.url));
};

export function createKeyring({ timeoutMs = 3_000, env }: KeyringOptions = {}): Keyring {
  const ask = (request: KeyringRequest) =>
    new Promise<string | undefined>((resolve, reject) => {
      const fail = (why: MessageOrText) => reject(new KeyringFailed(message("keyring.failed", { why })));
      // Secrets are sent over IPC, because other programs can see arguments and environment.
      const child = fork(programFile(), [], {
        stdio: ["ignore", "ignore", "ignore", "ipc"],
        execArgv: ["--disable-warning=ExperimentalWarning"],
        windowsHide: true,
        ...(env && { env }),
      });
      const late = setTimeout(() => {
        child.kill("SIGKILL");
        fail(message("keyring.no_answer", { seconds: timeoutMs / 1_000 }));
      }, timeoutMs);
      child.once("message", (answer: KeyringReply) => {
        if ("failed" in answer) fail(answer.failed);
        else resolve(answer.value ?? undefined);
      });
      child.once("error", (error) => fail(error.message));
      child.once("close", () => {
        clearTimeout(late);
        fail(message("keyring.ended"));
      });
      child.send(request, () => undefined); // A failed send is reported by the exit of the child.
    });
  return {
    read: (account) => ask({ action: "read", account }),
    write: (account, value) => ask({ action: "write", account, value }).then(() => undefined),
    remove: (account) => ask({ action: "remove", account }).then(() => undefined),
  };
}
