// Reports to `kit doctor` where secrets are stored. Reads no secret and writes nothing.
import { basename } from "node:path";
import type { Keyring } from "./keyring.ts";
import { readStoredSecrets } from "./secret-files.ts";

export type SecretsReport = { readonly ok: boolean; readonly detail: string; readonly fix: string };

/** A name that no secret has. */
const unusedName = "nobody";

/** Returns why the keyring does not answer, or undefined. */
async function keyringFailure(keyring: Keyring): Promise<string | undefined> {
  try {
    await keyring.read(unusedName);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

export async function probeSecrets(folder: string, keyring: Keyring | undefined): Promise<SecretsReport> {
  const { secrets, damaged } = readStoredSecrets(folder);
  const places = [...secrets.values()];
  const inKeyring = places.filter((place) => place === "keyring").length;
  const sealed = places.length - inKeyring;
  const failure = keyring === undefined ? "KIT_SECRETS is file" : await keyringFailure(keyring);
  const parts = [
    ...(inKeyring > 0 ? [`${inKeyring} in the system's keyring`] : []),
    ...(sealed > 0
      ? [`${sealed} encrypted in ${folder}, beside the key: whoever can read both files can read them`]
      : []),
    ...(places.length === 0 ? ["none are stored"] : []),
    failure === undefined
      ? "new ones go to the system's keyring, which answers"
      : `new ones are encrypted in a file (${failure.replace(/\.$/, "")})`,
  ];
  const detail = parts.join("; ");
  if (damaged.length > 0) {
    const names = damaged.map((path) => basename(path)).join(", ");
    return {
      ok: false,
      detail: `${damaged.length} damaged and set aside: ${names}; ${detail}`,
      fix: "Enter them again.",
    };
  }
  if (inKeyring > 0 && failure !== undefined) {
    return { ok: false, detail, fix: "Unlock the system's keyring, or enter the secrets again." };
  }
  return { ok: true, detail, fix: "" };
}
