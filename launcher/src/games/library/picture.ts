// Checks pictures for covers. Only their first bytes decide the type, because a name or a header may be wrong. Pure.

import { createHash } from "node:crypto";
import { coverBytesMax, rejectField } from "@kit/contract";
import { message } from "@kit/contract/messages";

export type CoverPicture = { readonly type: string; readonly version: string; readonly base64: string };

const hasBytesAt = (bytes: Buffer, at: number, ...expected: readonly number[]) =>
  expected.every((byte, index) => bytes[at + index] === byte);

export function detectImageType(bytes: Buffer): string | undefined {
  if (hasBytesAt(bytes, 0, 0xff, 0xd8, 0xff)) return "image/jpeg";
  if (hasBytesAt(bytes, 0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "image/png";
  return hasBytesAt(bytes, 0, 0x52, 0x49, 0x46, 0x46) && hasBytesAt(bytes, 8, 0x57, 0x45, 0x42, 0x50)
    ? "image/webp"
    : undefined;
}

/** Returns a digest of the bytes, which changes when they do. */
export const pictureVersion = (bytes: Buffer): string =>
  createHash("sha256").update(bytes).digest("base64url").slice(0, 22);

/** Throws KitError payload_invalid if the bytes are no supported picture, or more than `coverBytesMax`. */
export function parsePicture(bytes: Buffer): CoverPicture {
  const type = detectImageType(bytes);
  if (type === undefined) rejectField("/picture", message("cover.not_a_picture"));
  if (bytes.length > coverBytesMax)
    rejectField("/picture", message("cover.too_large", { bytes: bytes.length, most: coverBytesMax }));
  return { type, version: pictureVersion(bytes), base64: bytes.toString("base64") };
}

/** Like `parsePicture`, for bytes in base64. */
export function decodePicture(text: string): CoverPicture {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    rejectField("/picture", message("cover.not_base64"));
  return parsePicture(Buffer.from(text, "base64"));
}
