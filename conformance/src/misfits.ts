// Where a value does not fit its schema, in a person's words: the place and what is wrong there.
import type { TSchema } from "typebox";
import { Value } from "typebox/value";

export function misfits(schema: TSchema, value: unknown): string[] {
  return Value.Errors(schema, value).map(({ instancePath, message }) => {
    // What a schema that allows no further members says of one.
    return `${instancePath}: ${message === "schema is false" ? "nobody knows this member" : message}`;
  });
}

/** The file's text as JSON. Throws with its name when it is none. */
export function parsedJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is no JSON: ${(error as Error).message}`, { cause: error });
  }
}
