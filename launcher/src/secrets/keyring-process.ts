// Asks the keyring one thing and ends: is sent what, and sends back the answer. Started by ./keyring.ts.
import { createRequire } from "node:module";
import type { AsyncEntry } from "@napi-rs/keyring";

export type KeyringAsk =
  | { readonly does: "read" | "remove"; readonly account: string }
  | { readonly does: "write"; readonly account: string; readonly value: string };
export type KeyringAnswer = { readonly value: string | null } | { readonly failed: string };

/** What a keyring's own window shows beside the account. */
const keyringName = "Kit";

/** Built for each system; asked for at run time only, so that a system without it fails here and nowhere else. */
function entryOf(account: string): AsyncEntry {
  const library = createRequire(import.meta.url)("@napi-rs/keyring") as { AsyncEntry: typeof AsyncEntry };
  // Left to itself it takes the kernel's memory where no keyring answers, and what is there is gone after a restart.
  return new library.AsyncEntry(keyringName, account, { linux: { store: "secret-service" } });
}

async function answer(asked: KeyringAsk): Promise<KeyringAnswer> {
  try {
    const entry = entryOf(asked.account);
    if (asked.does === "read") return { value: (await entry.getPassword()) ?? null };
    if (asked.does === "write") await entry.setPassword(asked.value);
    else await entry.deleteCredential();
    return { value: null };
  } catch (error) {
    return { failed: (error as Error).message };
  }
}

process.once("message", async (asked: KeyringAsk) => {
  process.send?.(await answer(asked), () => process.disconnect?.());
});
