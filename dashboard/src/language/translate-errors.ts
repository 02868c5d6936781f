// Wraps the API client so that the messages of its errors, and of single fields, are in the page's language.
import { type Client, KitError } from "@kit/contract";
import { translateFieldError, translateMessage } from "./language.ts";

export function translateError(error: unknown): unknown {
  if (!(error instanceof KitError)) return error;
  const errors = error.errors.map((each) => ({ path: each.path, message: translateFieldError(each) }));
  // For several errors, the launcher's own sentence lists them in English, so their translations are joined here
  // instead.
  const detail =
    errors.length > 1
      ? errors.map(({ path, message }) => `${path || "body"}: ${message}`).join("; ")
      : translateMessage(error.detail);
  return new KitError(error.code, detail, errors, { cause: error });
}

const rethrow = (error: unknown): never => {
  throw translateError(error);
};

export const withTranslatedErrors = (client: Client): Client => ({
  call: (declared, given) => client.call(declared, given).catch(rethrow),
  open: (declared, given, init) => client.open(declared, given, init).catch(rethrow),
});
