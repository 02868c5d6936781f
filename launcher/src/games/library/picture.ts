// Checks pictures for covers. Only their first bytes decide the type, because a name or a header may be wrong. Pure.

import { createHash } from "node:crypto";
import { coverBytesMax, coverSideMax, rejectField } from "@kit/contract";
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

type Size = { readonly width: number; readonly height: number };

/** Finds the frame header of a JPEG behind its other segments. */
function jpegSize(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    // A fill byte.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // C4, C8 and CC are in the range of frame headers, and are none.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function webpSize(bytes: Buffer): Size | undefined {
  const chunk = bytes.toString("latin1", 12, 16);
  if (chunk === "VP8X" && bytes.length >= 30)
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (chunk === "VP8 " && bytes.length >= 30)
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (chunk !== "VP8L" || bytes.length < 25) return undefined;
  const packed = bytes.readUInt32LE(21);
  return { width: (packed & 0x3fff) + 1, height: ((packed >> 14) & 0x3fff) + 1 };
}

/** Reads the size from the header. Undefined if the picture is cut before it. */
function pictureSize(bytes: Buffer, type: string): Size | undefined {
  if (type === "image/jpeg") return jpegSize(bytes);
  if (type === "image/webp") return webpSize(bytes);
  return bytes.length < 24 ? undefined : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** A few bytes can stand for a picture that takes gigabytes when a browser decodes it. */
function assertReasonableSize(bytes: Buffer, type: string): void {
  const { width, height } = pictureSize(bytes, type) ?? { width: 0, height: 0 };
  if (Math.max(width, height) > coverSideMax)
    rejectField("/picture", message("cover.too_many_pixels", { width, height, most: coverSideMax }));
}

/** Returns a digest of the bytes, which changes when they do. */
export const pictureVersion = (bytes: Buffer): string =>
  createHash("sha256").update(bytes).digest("base64url").slice(0, 22);

/** Throws KitError payload_invalid if the bytes are no supported picture, more than `coverBytesMax`, or more than `coverSideMax` pixels wide or high. */
export function parsePicture(bytes: Buffer): CoverPicture {
  const type = detectImageType(bytes);
  if (type === undefined) rejectField("/picture", message("cover.not_a_picture"));
  if (bytes.length > coverBytesMax)
    rejectField("/picture", message("cover.too_large", { bytes: bytes.length, most: coverBytesMax }));
  assertReasonableSize(bytes, type);
  return { type, version: pictureVersion(bytes), base64: bytes.toString("base64") };
}

/** Like `parsePicture`, for bytes in base64. */
export function decodePicture(text: string): CoverPicture {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    rejectField("/picture", message("cover.not_base64"));
  return parsePicture(Buffer.from(text, "base64"));
}
