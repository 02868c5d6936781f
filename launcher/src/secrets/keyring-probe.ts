// Where secrets lie and would go, for `kit doctor`. Reads no secret and writes nothing.
import { basename } from "node:path";
import type { Keyring } from "./keyring.ts";
import { readStoredSecrets } from "./record.ts";

export type SecretsReport = { readonly ok: boolean; readonly detail: string; readonly fix: string };

/** No secret is kept under it. */
const nobody = "nobody";

/** Why the keyring does not answer; undefined when it does. */
async function silenceOf(keyring: Keyring): Promise<string | undefined> {
  try {
    await keyring.read(nobody);
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
  const silence = keyring === undefined ? "KIT_SECRETS is file" : await silenceOf(keyring);
  const said = [
    ...(inKeyring > 0 ? [`${inKeyring} in the system's keyring`] : []),
    ...(sealed > 0 ? [`${sealed} sealed in ${folder}, beside the key: who reads both reads them`] : []),
    ...(places.length === 0 ? ["none are kept"] : []),
    silence === undefined
      ? "for new ones the system's keyring is asked first, and it answers"
      : `new ones are sealed in a file (${silence.replace(/\.$/, "")})`,
  ];
  const detail = said.join("; ");
  if (damaged.length > 0) {
    const names = damaged.map((path) => basename(path)).join(", ");
    return {
      ok: false,
      detail: `${damaged.length} damaged and set aside: ${names}; ${detail}`,
      fix: "Enter them again.",
    };
  }
  if (inKeyring > 0 && silence !== undefined) {
    return { ok: false, detail, fix: "Unlock the system's keyring, or enter the secrets again." };
  }
  return { ok: true, detail, fix: "" };
}
