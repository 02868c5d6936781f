// Describes schema violations with their paths.
import type { TSchema } from "typebox";
import { Value } from "typebox/value";

export function misfits(schema: TSchema, value: unknown): string[] {
  return Value.Errors(schema, value).map(({ instancePath, message }) => {
    // TypeBox's message for an unknown member.
    return `${instancePath}: ${message === "schema is false" ? "nobody knows this member" : message}`;
  });
}

/** Parses JSON. Throws an error with the file's name. */
export function parsedJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is no JSON: ${(error as Error).message}`, { cause: error });
  }
}
