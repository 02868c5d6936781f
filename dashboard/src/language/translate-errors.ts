// Wraps the client so that errors contain translated messages, including those of single fields.
import { type Client, KitError, messageOf } from "@kit/contract";
import { translateMessage } from "./language.ts";

export function translateError(error: unknown): unknown {
  if (!(error instanceof KitError)) return error;
  const errors = error.errors.map(({ path, message, ...code }) => ({
    path,
    message: translateMessage(messageOf(message, code)),
  }));
  return new KitError(error.code, translateMessage(error.detail), errors, { cause: error });
}

const rethrow = (error: unknown): never => {
  throw translateError(error);
};

export const withTranslatedErrors = (client: Client): Client => ({
  call: (declared, given) => client.call(declared, given).catch(rethrow),
  open: (declared, given, init) => client.open(declared, given, init).catch(rethrow),
});
