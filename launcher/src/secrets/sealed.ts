// Encrypts secrets with AES-256-GCM. A changed byte, or a text moved to another name, makes the secret unreadable.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

export const keyBytes = 32;
const cipherName = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts the value and binds it to the name. */
export function seal(key: Buffer, name: string, value: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(cipherName, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(name));
  const sealed = [nonce, cipher.update(value, "utf8"), cipher.final()];
  return Buffer.concat([...sealed, cipher.getAuthTag()]).toString("base64");
}

/** Throws if the text was not sealed with this key and name. */
export function unseal(key: Buffer, name: string, sealed: string): string {
  const bytes = Buffer.from(sealed, "base64");
  const tagAt = bytes.length - tagBytes;
  const nonce = bytes.subarray(0, nonceBytes);
  const opener = createDecipheriv(cipherName, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(name));
  opener.setAuthTag(bytes.subarray(tagAt));
  return Buffer.concat([opener.update(bytes.subarray(nonceBytes, tagAt)), opener.final()]).toString("utf8");
}
