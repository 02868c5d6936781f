// The composition root: creates every object of the launcher and connects them, on one screen. wiring/ has the details.

import type { Config } from "./config.ts";
import { createEventAssignment } from "./games/event-assignment.ts";
import { loadGames } from "./games/game-store.ts";
import { GameRegistry } from "./games/games.ts";
import { watchPrograms } from "./games/program-watch.ts";
import { createHttp } from "./http/http.ts";
import { releaseWhenIdle } from "./idle-memory.ts";
import { startDispatcher } from "./inbox/dispatcher.ts";
import { createFeed } from "./inbox/feed.ts";
import { createInbox } from "./inbox/inbox.ts";
import { createInboxStore, updateEventSender } from "./inbox/inbox-store.ts";
import { startRetention } from "./inbox/retention.ts";
import { inboxRoutes } from "./inbox/routes.ts";
import { log } from "./log.ts";
import { writeRunningFile } from "./running-file.ts";
import { ensureSecret } from "./secret.ts";
import { dataDirAt, ensureDataDir } from "./storage/data-dir.ts";
import { refuseUnknownData } from "./storage/schema-version.ts";
import { wireAutostart } from "./wiring/autostart.ts";
import { wireData } from "./wiring/data.ts";
import { wireDemo } from "./wiring/demo.ts";
import { wireGameRoutes } from "./wiring/game-routes.ts";
import { gamesChanged, gamesSeen, loadGamesFirst, wireSources } from "./wiring/games.ts";
import { wireMonitor } from "./wiring/monitor.ts";
import { openDataDir } from "./wiring/open-data-dir.ts";
import { wireRecording } from "./wiring/recording.ts";
import { wireSecrets } from "./wiring/secrets.ts";
import { wireSessions } from "./wiring/sessions.ts";
import { wireSocial } from "./wiring/social.ts";

/** Slightly more than an idle launcher needs. */
const heapBytesMax = 18 * 1024 * 1024;

export type Launcher = {
  readonly addresses: readonly string[];
  /** A one-time ticket for the dashboard. */
  createTicket(): string;
  storage(): { readonly failing: string | null };
  /** Resolves when the launcher must be stopped and started again, with planned work done in between. */
  readonly reopening: Promise<void>;
  /** Stops accepting events, commits waiting writes, and closes the files. */
  stop(): Promise<void>;
};

/** Starts the launcher. Rejects with DataDirInUse, UnknownSchema, or EADDRINUSE when the port is taken. */
export async function startLauncher(config: Config): Promise<Launcher> {
  // Closes everything opened so far in reverse order, on failure or at the end.
  await using resources = new AsyncDisposableStack();
  const stopAtEnd = <T extends { stop(): void | Promise<void> }>(part: T) =>
    resources.adopt(part, ({ stop }) => stop());
  const now = Date.now;
  const dir = dataDirAt(config.dataDir);
  refuseUnknownData(dir, config.migrations);
  ensureDataDir(dir);
  const { secret, restore: restoreSecret } = stopAtEnd(ensureSecret(dir.secret));
  const storage = await openDataDir({ config, dir, now });
  const { write, onReopened } = resources.adopt(storage, ({ close }) => close());
  onReopened(restoreSecret);
  const onSeen = () => gamesSeen([assignment.senders, sessions], recording, feed);
  const onChanged = () => gamesChanged(onSeen, monitor);
  const games = new GameRegistry({ load: () => loadGames(storage), write, now, onChanged, onSeen });
  const httpEvents = { onRefused: () => feed.wake(), onOriginsChanged: () => feed.notifyChange("origins") };
  const http = createHttp({
    ...config,
    ...httpEvents,
    secret,
    storage,
    now,
    eventsRemoved: () => retention.removedCount(),
  });
  const assignment = createEventAssignment({
    ...config,
    storage,
    now,
    games,
    senderFound: updateEventSender,
    onChanged,
  });
  const sources = wireSources({ storage, now, feed: () => feed });
  const journal = createInboxStore(storage, assignment.gameOf);
  const noteActivity = releaseWhenIdle(heapBytesMax);
  const feed = createFeed({ journal, refusalsSince: http.refusalsSince, onFollowerLeft: noteActivity });
  const clipsChanged = () => social.onFootageChanged();
  const recording = stopAtEnd(wireRecording({ config, storage, dir, now, games, feed, clipsChanged }));
  const secrets = wireSecrets(config, dir);
  const monitor = stopAtEnd(wireMonitor({ config, storage, now, recording, journal, sources, secrets, feed }));
  const social = stopAtEnd(wireSocial({ storage, now, games, recording, secrets, feed }));
  const sessions = stopAtEnd(wireSessions({ ...assignment, storage, now, games, inbox: () => inbox, feed }));
  const demo = stopAtEnd(wireDemo({ config, storage, now, games, feed }));
  const data = stopAtEnd(wireData({ config, storage, dir, now, games, assignment, journal, feed }));
  const programs = stopAtEnd(watchPrograms({ ...assignment, ...recording, storage, now }));

  const loadFirst = () => loadGamesFirst(games, recording, programs);
  const slices = [recording, monitor, social, sessions, demo, data];
  await storage.load(
    loadFirst,
    () => assignment.senders.load(),
    sources.load,
    ...slices.map(({ load }) => load),
    ...http.loaders,
  );
  const dispatcherDeps = { journal, write, onDispatched: feed.wake, onFailure: log.sliceFailed };
  const dispatcher = stopAtEnd(
    startDispatcher([recording, { ...monitor, ready: assignment.waitForSenders }, social], dispatcherDeps),
  );
  const retention = stopAtEnd(startRetention({ ...storage, journal, onFailure: log.operationFailed }));
  const inboxEvents = { onArrival: noteActivity, onStored: [dispatcher.wake, feed.wake, sessions.wake] };
  const inbox = createInbox({
    ...assignment,
    ...inboxEvents,
    write,
    onGameEvent: programs.noteGameEvent,
    floodLimiter: monitor.rateLimiter,
    now,
  });
  const gameOperations = wireGameRoutes({ config, storage, now, games, sources, recording, sessions, feed });
  const ownRoutes = [
    ...inboxRoutes({ ...assignment, inbox, journal, feed }),
    ...gameOperations,
    ...wireAutostart(config),
  ];
  const listeners = await http.listen([...ownRoutes, ...slices.flatMap(({ routes }) => routes)]);
  for (const close of [listeners.close, feed.close, writeRunningFile(dir.running, config, onReopened)])
    resources.defer(close);
  log.started(listeners.addresses);

  const running = resources.move();
  const stop = () => running.disposeAsync().then(log.stopped);
  const { createTicket } = http;
  return { addresses: listeners.addresses, createTicket, storage: storage.state, reopening: data.reopening, stop };
}
