// Opens the data folder: finishes a planned restore and due wipes before the launcher is created. Each slice supplies the
// statements that wipe its own data.

import { detailOf, type MessageOrText } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type GameData, openAfterWipes } from "../data/index.ts";
import { createGameDataStore, createGameLookup, GameRegistry, loadLabels, SenderRegistry } from "../games/index.ts";
import { createEventExportStore } from "../inbox/index.ts";
import { log } from "../log.ts";
import { createIssueExportStore } from "../monitor/issues/issue-export-store.ts";
import { createClipDataStore } from "../recording/clips/clip-data-store.ts";
import { loadRecordingRules } from "../recording/plans/rule-store.ts";
import { secretNameOf } from "../social/accounts/credentials.ts";
import { createPostExportStore } from "../social/posts/posts-for-others-store.ts";
import { createPostRuleStore } from "../social/rules/rule-store.ts";
import type { DataDir } from "../storage/data-dir.ts";
import { executeDataSwap, isSwapPlanned } from "../storage/data-swap.ts";
import { openStorage, type Storage } from "../storage/storage.ts";
import { openSecrets, type SharedDeps } from "./slices.ts";

const doNothing = () => undefined;

/** Finds the game of events in the same way as the running launcher. */
async function loadGamesAndSenders(storage: Storage, now: () => number) {
  const games = new GameRegistry({ storage, now, onChanged: doNothing, onSeen: doNothing });
  await games.load();
  const senders = new SenderRegistry({ games, storage, now, onGameChanged: doNothing });
  await senders.load();
  return { games, senders, gameOf: createGameLookup(games, senders) };
}

async function planWipe(storage: Storage, game: string | null, now: () => number): Promise<GameData> {
  const { games, senders, gameOf } = await loadGamesAndSenders(storage, now);
  const [looks, recordingRules, postRules] = await Promise.all([
    loadLabels(storage),
    loadRecordingRules(storage),
    createPostRuleStore(storage).all(),
  ]);
  const knownIds = [
    ...games.list().rules.map(({ kind, eventId }) => [kind, eventId] as const),
    ...[...looks, ...recordingRules].map(({ eventId }) => ["recording", eventId] as const),
  ];
  const ids = knownIds.filter(([kind, eventId]) => gameOf(kind, eventId, null) === game);
  // The part of a pattern before its first star decides its game. Without a game, only exact ids count.
  const rules = postRules.filter(({ pattern }) => {
    const [before = ""] = pattern.split("*", 1);
    return games.gameOf("social", before) === game && (game !== null || before === pattern);
  });
  const by = game === null ? [] : senders.sendersOfGame(game);
  const events = createEventExportStore(storage, gameOf);
  const clips = createClipDataStore(storage);
  const issues = createIssueExportStore(storage);
  const posts = createPostExportStore(storage);
  const ruleIds = rules.map(({ id }) => id);
  const accounts = await posts.accountsOf(game);
  return {
    statements: [
      ...(await events.wipeStatements(game, by)),
      ...clips.deleteGame(game, ids),
      ...issues.deleteGame(game),
      ...posts.wiped(game, ruleIds, accounts),
      ...createGameDataStore(storage).wipeStatements(game, ids, by),
    ],
    files: await clips.filesOfGame(game),
    secrets: [...(await issues.forwardingTargetsOf(game)).map((id) => `forward-${id}`), ...accounts.map(secretNameOf)],
  };
}

/** Carries out a restore that was planned before the launcher closed or was killed. If a step fails, all changes are undone. */
async function carryOutRestore(dir: DataDir): Promise<MessageOrText[]> {
  if (!isSwapPlanned(dir)) return [];
  const { takeDataDirLock } = await import("../storage/data-dir.ts");
  const lock = takeDataDirLock(dir.lock);
  try {
    const { failed, says } = executeDataSwap(dir);
    if (failed === undefined) return says === undefined ? [] : [says];
    const notice = message("restore.failed", { problem: detailOf(failed) });
    log.storageNotice(notice);
    return [notice];
  } finally {
    lock.close();
  }
}

const withNotices = (state: ReturnType<Storage["state"]>, restoreNotices: readonly MessageOrText[]) =>
  restoreNotices.length === 0 ? state : { ...state, notices: [...restoreNotices, ...state.notices] };

/** Rejects with DataDirInUse or UnknownSchema. */
export async function openDataDir({ config, dir, now }: Pick<SharedDeps, "config" | "dir" | "now">): Promise<Storage> {
  const restoreNotices = await carryOutRestore(dir);
  const storage = await openAfterWipes({
    dir,
    now,
    clipsDir: config.clipsDir,
    open: () => openStorage(dir, config.migrations, log.storageNotice, log.storageFailing),
    collectGameData: (storage, game) => planWipe(storage, game, now),
    removeSecret: (name) => openSecrets(config, dir).remove(name),
    onFailure: log.bug,
  });
  return { ...storage, state: () => withNotices(storage.state(), restoreNotices) };
}
