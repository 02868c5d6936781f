// What every slice receives.
import type { Config } from "../config.ts";
import type { Storage } from "../storage/storage.ts";

export type Core = { readonly config: Config; readonly storage: Storage; readonly now: () => number };
