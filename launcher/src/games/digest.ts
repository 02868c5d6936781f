// Digests of texts that must be comparable without being stored.
import { createHash } from "node:crypto";

/** Returns a short digest of the texts, for example of a command line, which may contain secrets. */
export const digestOf = (...texts: readonly (string | null)[]): string =>
  createHash("sha256").update(JSON.stringify(texts)).digest("base64url").slice(0, 22);
