// What the slices share. Each wire function creates one slice, from these objects and from the slices it needs.
import type { Config } from "../config.ts";
import type { EventAssignment, GameRegistry, SenderRegistry } from "../games/index.ts";
import type { Feed, InboxStore } from "../inbox/index.ts";
import { log } from "../log.ts";
import { createKeyring, createSecrets, type Secrets } from "../secrets/index.ts";
import type { DataDir } from "../storage/data-dir.ts";
import type { Storage } from "../storage/storage.ts";

export type SharedDeps = {
  readonly config: Config;
  readonly dir: DataDir;
  readonly storage: Storage;
  readonly now: () => number;
  readonly secrets: Secrets;
  readonly games: GameRegistry;
  readonly assignment: EventAssignment;
  readonly senders: SenderRegistry;
  readonly journal: InboxStore;
  readonly feed: Feed;
};

export const openSecrets = ({ useKeyring }: Config, dir: DataDir): Secrets =>
  createSecrets({
    folder: dir.credentials,
    keyring: useKeyring ? createKeyring() : undefined,
    onFailure: log.operationFailed,
  });
