// A client whose refusals speak the page's language: with every message that is drawn, the fields' included, told once.
import { type Client, KitError } from "@kit/contract";
import { told } from "./language.ts";

export function toldError(error: unknown): unknown {
  if (!(error instanceof KitError)) return error;
  const errors = error.errors.map(({ path, message }) => ({ path, message: told(message) }));
  return new KitError(error.code, told(error.message), errors, { cause: error });
}

const rethrow = (error: unknown): never => {
  throw toldError(error);
};

export const withToldErrors = (client: Client): Client => ({
  call: (declared, given) => client.call(declared, given).catch(rethrow),
  open: (declared, given, init) => client.open(declared, given, init).catch(rethrow),
});
