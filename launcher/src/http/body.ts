// Reads a request body and parses it as JSON. Runs in linear time; checks limits before it parses.

import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { bodyBytesMax, bodyDepthMax, fieldError, KitError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { bodyTooLargeError } from "./problem.ts";

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/** Counts nesting depth and top-level members without parsing, because parsing deeply nested JSON is slow. */
function scan(bytes: Uint8Array): { depth: number; members: number } {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    if (inString) {
      if (byte === backslash) index += 1;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === colon && depth === 1) members += 1;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return { depth: deepest, members };
}

/** Decodes UTF-8 and drops a byte order mark, which some encoders write first. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

export type ParsedBody = {
  readonly value: unknown;
  /** True if a member of the top-level object occurs more than once; the last one wins. */
  readonly repeated: boolean;
};

/** Parses a body. Throws KitError not_json or payload_invalid. */
export function parseBody(bytes: Buffer): ParsedBody {
  if (bytes.length === 0) throw new KitError("not_json", message("body.empty"));
  const { depth, members } = scan(bytes);
  if (depth > bodyDepthMax) {
    throw new KitError("payload_invalid", message("body.too_deep", { levels: depth, most: bodyDepthMax }), [
      fieldError("", message("field.too_deep", { most: bodyDepthMax })),
    ]);
  }
  if (!isUtf8(bytes)) throw new KitError("not_json", message("body.not_utf8"));
  try {
    const value: unknown = JSON.parse(textOf(bytes));
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return { value, repeated: isObject && Object.keys(value).length < members };
  } catch (error) {
    throw new KitError("not_json", message("body.not_json", { problem: (error as Error).message }));
  }
}

/** Reads the whole body. Rejects if the announced or actual size exceeds the limit, or if the connection breaks. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers["content-length"]) > bodyBytesMax) return reject(bodyTooLargeError());
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= bodyBytesMax) return;
      // Further data is discarded until the connection closes.
      request.off("data", take);
      reject(bodyTooLargeError());
    };
    request.on("data", take);
    request.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on("error", reject);
  });
}
