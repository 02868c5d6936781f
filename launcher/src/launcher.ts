// The composition root: every object of the launcher and every arrow between them, on one screen.
import type { Config } from "./config.ts";
import { loadGames } from "./games/game-store.ts";
import { createGames } from "./games/games.ts";
import { gameRoutes } from "./games/routes.ts";
import { releaseWhenIdle } from "./idle-memory.ts";
import { createFeed } from "./inbox/feed.ts";
import { startHandOver } from "./inbox/hand-over.ts";
import { createInbox } from "./inbox/inbox.ts";
import { createInboxStore, stateReached } from "./inbox/inbox-store.ts";
import { startRetention } from "./inbox/retention.ts";
import { inboxRoutes } from "./inbox/routes.ts";
import { log } from "./log.ts";
import { createMonitor } from "./monitor/monitor.ts";
import { createRecording } from "./recording/recording.ts";
import { markRunning } from "./running.ts";
import { ensureSecret } from "./secret.ts";
import { createSocial } from "./social/social.ts";
import { dataDirAt, ensureDataDir } from "./storage/data-dir.ts";
import { openStorage } from "./storage/storage.ts";

/** A quiet launcher needs a third of this. */
const heapBytesMax = 32 * 1024 * 1024;

export type Launcher = {
  readonly addresses: readonly string[];
  /** A one-time ticket for the dashboard. */
  createTicket(): string;
  /** Takes nothing new in, commits what waits, and closes the files cleanly. */
  stop(): Promise<void>;
};

/** Starts the launcher. Rejects with DataDirInUse, NewerDatabase, or EADDRINUSE when the port is taken. */
export async function startLauncher(config: Config): Promise<Launcher> {
  // Whatever was opened is closed again, in reverse order: when a later step fails, or at the end.
  await using opened = new AsyncDisposableStack();
  const now = Date.now;
  const dir = dataDirAt(config.dataDir);
  ensureDataDir(dir);
  const secret = ensureSecret(dir.secret);
  // The database opens in its threads while the HTTP library loads in this one.
  const opening = openStorage(dir, config.migrations, log.storageNotice);
  const [storage, { createHttp }] = await Promise.all([opening, import("./http/http.ts")]);
  opened.defer(storage.close);
  const { write } = storage;
  const games = createGames({ load: () => loadGames(storage), write, now, onChanged: () => feed.changed("games") });
  const http = createHttp({
    ...config,
    secret,
    storage,
    now,
    eventsRemoved: () => retention.removed(),
    onRefused: () => feed.wake(),
    onOriginsChanged: () => feed.changed("origins"),
  });
  const journal = createInboxStore(storage, games.gameOf);
  const feed = createFeed({ journal, refusalsSince: http.refusalsSince });

  const handedOver = (events: readonly { seq: number }[], by: string) => stateReached(events, "handed-over", by, now());
  const slices = [createRecording({ handedOver }), createMonitor({ handedOver }), createSocial({ handedOver })];
  const handOver = startHandOver(slices, { journal, write, onPassed: feed.wake, onFailure: log.sliceFailed });
  opened.defer(handOver.stop);
  const retention = startRetention({ journal, write, onFailure: log.notKept });
  opened.defer(retention.stop);
  const onStored = [handOver.wake, feed.wake, releaseWhenIdle(heapBytesMax)];
  const inbox = createInbox({ write, judge: games.judge, now, onStored });

  await storage.load(games.load, ...http.loaders);
  const { eventIdsOf } = games;
  const listeners = await http.listen([...inboxRoutes({ inbox, journal, feed, eventIdsOf }), ...gameRoutes(games)]);
  opened.defer(listeners.close);
  opened.defer(feed.end);
  opened.defer(markRunning(dir.running, config));
  log.started(listeners.addresses);

  const running = opened.move();
  const stop = () => running.disposeAsync().then(log.stopped);
  return { addresses: listeners.addresses, createTicket: http.createTicket, stop };
}
