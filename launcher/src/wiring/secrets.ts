// Creates the store for secrets.
import type { Config } from "../config.ts";
import { log } from "../log.ts";
import { createKeyring } from "../secrets/keyring.ts";
import { createSecrets } from "../secrets/secrets.ts";
import type { DataDir } from "../storage/data-dir.ts";

export const wireSecrets = ({ useKeyring }: Config, dir: DataDir) =>
  createSecrets({
    folder: dir.credentials,
    keyring: useKeyring ? createKeyring() : undefined,
    onFailure: log.operationFailed,
  });
