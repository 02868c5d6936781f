// Where secrets are kept.
import type { Config } from "../config.ts";
import { log } from "../log.ts";
import { createKeyring } from "../secrets/keyring.ts";
import { createSecrets } from "../secrets/secrets.ts";
import type { DataDir } from "../storage/data-dir.ts";

export const createSecretsFor = ({ keyring }: Config, dir: DataDir) =>
  createSecrets({ folder: dir.entrusted, keyring: keyring ? createKeyring() : undefined, onTrouble: log.notKept });
