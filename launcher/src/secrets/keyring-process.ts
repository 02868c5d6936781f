// A process that performs one keyring operation: receives a request, sends the reply, and exits. Started by ./keyring.ts.
import { createRequire } from "node:module";
import type { AsyncEntry } from "@napi-rs/keyring";

export type KeyringRequest =
  | { readonly action: "read" | "remove"; readonly account: string }
  | { readonly action: "write"; readonly account: string; readonly value: string };
export type KeyringReply = { readonly value: string | null } | { readonly failed: string };

/** Service name that a keyring's window shows beside the account. */
const keyringName = "Kit";

/** Loads the native library at run time, so that a system without it only fails here. */
function openEntry(account: string): AsyncEntry {
  const library = createRequire(import.meta.url)("@napi-rs/keyring") as { AsyncEntry: typeof AsyncEntry };
  // By default, the library falls back to the kernel keyring, which is lost after a restart.
  return new library.AsyncEntry(keyringName, account, { linux: { store: "secret-service" } });
}

async function answer(request: KeyringRequest): Promise<KeyringReply> {
  try {
    const entry = openEntry(request.account);
    if (request.action === "read") return { value: (await entry.getPassword()) ?? null };
    if (request.action === "write") await entry.setPassword(request.value);
    else await entry.deleteCredential();
    return { value: null };
  } catch (error) {
    return { failed: (error as Error).message };
  }
}

process.once("message", async (request: KeyringRequest) => {
  process.send?.(await answer(request), () => process.disconnect?.());
});
