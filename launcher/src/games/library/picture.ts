// A cover as a person gives it: what it is, is read from its first bytes, never from what is said of it. Pure.
import { createHash } from "node:crypto";
import { coverBytesMax, KitError } from "@kit/contract";

export type Picture = { readonly type: string; readonly version: string; readonly base64: string };

const starts = (bytes: Buffer, at: number, ...expected: readonly number[]) =>
  expected.every((byte, index) => bytes[at + index] === byte);

export function imageTypeOf(bytes: Buffer): string | undefined {
  if (starts(bytes, 0, 0xff, 0xd8, 0xff)) return "image/jpeg";
  if (starts(bytes, 0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "image/png";
  return starts(bytes, 0, 0x52, 0x49, 0x46, 0x46) && starts(bytes, 8, 0x57, 0x45, 0x42, 0x50)
    ? "image/webp"
    : undefined;
}

/** Another for other bytes. */
export const versionOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("base64url").slice(0, 22);

const refused = (says: string) =>
  new KitError("payload_invalid", `/picture ${says}.`, [{ path: "/picture", message: says }]);

/** Throws KitError payload_invalid. */
export function pictureFrom(bytes: Buffer): Picture {
  const type = imageTypeOf(bytes);
  if (type === undefined) throw refused("is no JPEG, PNG or WebP");
  if (bytes.length > coverBytesMax) throw refused(`has ${bytes.length} bytes and may have ${coverBytesMax}`);
  return { type, version: versionOf(bytes), base64: bytes.toString("base64") };
}

/** The same of its base64 text. */
export function pictureIn(text: string): Picture {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw refused("is not base64");
  return pictureFrom(Buffer.from(text, "base64"));
}
