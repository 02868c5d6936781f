// Opens the data directory: first another database takes the place it was given, and what is due of wipes is done, before anything
// of the launcher is there. What is a game's is what each slice says.

import { type Leaving, openWiped } from "../data/wiping.ts";
import { createGameExportStore } from "../games/game-export-store.ts";
import { loadGames } from "../games/game-store.ts";
import { createGames } from "../games/games.ts";
import { loadLabels } from "../games/labels/label-store.ts";
import { loadSenders } from "../games/sender-store.ts";
import { createSenders } from "../games/senders.ts";
import { createEventExportStore, type GameOf } from "../inbox/event-export-store.ts";
import { log } from "../log.ts";
import { createIssueExportStore } from "../monitor/issue-export-store.ts";
import { createClipExportStore } from "../recording/clips/clip-export-store.ts";
import { loadRules } from "../recording/moments/rule-store.ts";
import { secretOf } from "../social/accounts/access.ts";
import { createPostExportStore } from "../social/posts/post-export-store.ts";
import { createRuleStore } from "../social/rules/rule-store.ts";
import type { DataDir } from "../storage/data-dir.ts";
import { carryOut, isReopeningPlanned } from "../storage/reopening.ts";
import { openStorage, type Storage } from "../storage/storage.ts";
import type { Core } from "./core.ts";
import { createSecretsFor } from "./secrets.ts";

const nothing = () => undefined;

/** As the launcher files what it keeps. */
async function filingIn(storage: Storage, now: () => number) {
  const games = createGames({
    load: () => loadGames(storage),
    write: storage.write,
    now,
    onChanged: nothing,
    onSeen: nothing,
  });
  await games.load();
  const load = (max: number) => loadSenders(storage, max);
  const senders = createSenders({ ...games, load, now, onLearnt: nothing });
  await senders.load();
  const gameOf: GameOf = (kind, eventId, sender) =>
    eventId === null ? senders.gameOf(sender) : games.gameOf(kind, eventId);
  return { games, senders, gameOf };
}

async function leavingOf(storage: Storage, game: string | null, now: () => number): Promise<Leaving> {
  const { games, senders, gameOf } = await filingIn(storage, now);
  const [looks, recordingRules, postRules] = await Promise.all([
    loadLabels(storage),
    loadRules(storage),
    createRuleStore(storage).all(),
  ]);
  const known = [
    ...games.list().rules.map(({ kind, eventId }) => [kind, eventId] as const),
    ...[...looks, ...recordingRules].map(({ eventId }) => ["recording", eventId] as const),
  ];
  const ids = known.filter(([kind, eventId]) => gameOf(kind, eventId, null) === game);
  // A pattern is a game's where the part before its first star is. Of what belongs to none, only an id itself can be.
  const rules = postRules.filter(({ pattern }) => {
    const [before = ""] = pattern.split("*", 1);
    return games.gameOf("social", before) === game && (game !== null || before === pattern);
  });
  const by = game === null ? [] : senders.filedUnder(game);
  const events = createEventExportStore(storage, gameOf);
  const clips = createClipExportStore(storage);
  const issues = createIssueExportStore(storage);
  const posts = createPostExportStore(storage);
  const ruleIds = rules.map(({ id }) => id);
  const accounts = await posts.accountsOf(game, ruleIds);
  return {
    statements: [
      ...(await events.wiped(game, by)),
      ...clips.wiped(game, ids),
      ...issues.wiped(game),
      ...posts.wiped(game, ruleIds, accounts),
      ...createGameExportStore(storage).wiped(game, ids, by),
    ],
    files: await clips.filesOf(game),
    secrets: [...(await issues.targetsOf(game)).map((id) => `forward-${id}`), ...accounts.map(secretOf)],
  };
}

/** What was planned when the launcher closed, or was killed. Where a step of it failed, all is as it was. */
async function takePlace(dir: DataDir): Promise<string[]> {
  if (!isReopeningPlanned(dir)) return [];
  const { takeLock } = await import("../storage/lock.ts");
  const lock = takeLock(dir.lock);
  try {
    const { failed, says } = carryOut(dir);
    if (failed === undefined) return says === undefined ? [] : [says];
    const notice = `What was to be restored was not: all is as it was. ${(failed as Error).message}`;
    log.storageNotice(notice);
    return [notice];
  } finally {
    lock.close();
  }
}

const withNotices = (state: ReturnType<Storage["state"]>, said: readonly string[]) =>
  said.length === 0 ? state : { ...state, notices: [...said, ...state.notices] };

/** Rejects with DataDirInUse or UnknownSchema. */
export async function openDataDir({
  config,
  dir,
  now,
}: Omit<Core, "storage"> & { readonly dir: DataDir }): Promise<Storage> {
  const said = await takePlace(dir);
  const storage = await openWiped({
    dir,
    now,
    clipsDir: config.clipsDir,
    open: () => openStorage(dir, config.migrations, log.storageNotice, log.storageFailing),
    leaving: (storage, game) => leavingOf(storage, game, now),
    removeSecret: (name) => createSecretsFor(config, dir).remove(name),
    onFailure: log.bug,
  });
  return { ...storage, state: () => withNotices(storage.state(), said) };
}
