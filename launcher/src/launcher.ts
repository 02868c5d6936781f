// The composition root: creates every object of the launcher and connects them, on one screen. wiring/ has the details.

import type { MessageOrText } from "@kit/contract";
import type { Config } from "./config.ts";
import { createEventAssignment, createSourceFolders, GameRegistry, ProgramWatcher } from "./games/index.ts";
import { createHttpLayer } from "./http/http.ts";
import {
  createFeed,
  createInbox,
  createInboxStore,
  inboxRoutes,
  startDispatcher,
  startJournalRetention,
  updateEventSender,
} from "./inbox/index.ts";
import { log } from "./log.ts";
import { ensureInstallSecret, writeRunningFile } from "./own-files.ts";
import { languageOf, sayIn } from "./reader-language.ts";
import { dataDirAt, ensureDataDir } from "./storage/data-dir.ts";
import { refuseUnknownData } from "./storage/schema.ts";
import { wireData } from "./wiring/data.ts";
import { openDataDir } from "./wiring/open-data-dir.ts";
import {
  openSecrets,
  type SharedDeps,
  wireAutostart,
  wireGameRoutes,
  wireMonitor,
  wireRecording,
  wireSessions,
  wireSocial,
} from "./wiring/slices.ts";

export type Launcher = {
  readonly addresses: readonly string[];
  /** Creates a ticket that signs a browser in to the dashboard, once. */
  createTicket(): string;
  storage(): { readonly failing: MessageOrText | null };
  /** Resolves when the launcher must be stopped and started again, with planned work done in between. */
  readonly reopening: Promise<void>;
  /** Resolves when a person asked the launcher to end. */
  readonly stopRequested: Promise<void>;
  /** Stops accepting events, commits waiting writes, and closes the files. */
  stop(): Promise<void>;
};

type LauncherOptions = {
  readonly now?: () => number;
  /** Called at each event, and when a reader of the feed leaves. */
  readonly noteActivity?: () => void;
};

/** Starts the launcher. Rejects with DataDirInUse, UnknownSchema, or EADDRINUSE when the port is taken. */
export async function startLauncher(
  config: Config,
  { now = Date.now, noteActivity = () => undefined }: LauncherOptions = {},
): Promise<Launcher> {
  // Closes everything opened so far in reverse order, on failure or at the end.
  await using resources = new AsyncDisposableStack();
  const stopAtEnd = <T extends { stop(): void | Promise<void> }>(part: T) => resources.adopt(part, () => part.stop());
  const dir = dataDirAt(config.dataDir);
  refuseUnknownData(dir, config.migrations);
  ensureDataDir(dir);
  const { secret, restore: restoreSecret } = stopAtEnd(ensureInstallSecret(dir.secret));
  const openedAtMs = now();
  const storage = await openDataDir({ config, dir, now });
  const { damaged, onReopened } = resources.adopt(storage, ({ close }) => close());
  onReopened(restoreSecret);
  /** Applies changes of games and switches at once instead of at the next event. */
  const onSeen = () => {
    senders.onGamesChanged();
    sessions.onGamesChanged();
    recording.applySwitches();
    feed.notifyChange("games");
  };
  const onChanged = () => {
    onSeen();
    monitor.onSwitchChanged();
  };
  const onClipsChanged = () => {
    social.onFootageChanged();
    monitor.onClipsChanged();
  };
  const { promise: stopRequested, resolve: onStopRequested } = Promise.withResolvers<void>();
  const games = new GameRegistry({ storage, now, onChanged, onSeen });
  const http = createHttpLayer({
    ...config,
    secret,
    storage,
    now,
    eventsRemoved: () => retention.removedCount(),
    sliceNotices: () => dispatcher.failing(),
    onRefused: () => feed.wake(),
    onOriginsChanged: () => feed.notifyChange("origins"),
    onSessionEnded: () => feed.disconnect(),
    onStopRequested,
  });
  const { assignment, senders, processes, processesOf, life, windowsDesktop, ready } = stopAtEnd(
    createEventAssignment({
      findSenders: config.findSenders,
      storage,
      now,
      games,
      senderFound: updateEventSender,
      onAssigned: onChanged,
    }),
  );
  const journal = createInboxStore(storage, assignment.gameOf);
  const feed = createFeed({ journal, refusalsSince: http.refusalsSince, onFollowerLeft: noteActivity });
  const sources = createSourceFolders({
    storage,
    now,
    onChanged() {
      feed.notifyChange("games");
      // Issues are loaded again too, because their frames link to the source files.
      feed.notifyChange("issues");
    },
  });
  const secrets = openSecrets(config, dir);
  const say = await sayIn(languageOf(config.locale));
  const shared: SharedDeps = { config, dir, storage, now, say, secrets, games, assignment, senders, journal, feed };
  const ofRecording = { ...shared, windowsDesktop, processesOf, stopKit: onStopRequested };
  const recording = stopAtEnd(wireRecording(ofRecording, onClipsChanged));
  const monitor = stopAtEnd(wireMonitor(shared, { recording, sources }));
  const social = stopAtEnd(wireSocial(shared, recording));
  const sessions = stopAtEnd(wireSessions(shared, { life, recording, inbox: () => inbox }));
  const data = stopAtEnd(wireData(shared, openedAtMs));
  const { gameSeen, gameRuns, gameEnded } = recording;
  const programs = stopAtEnd(new ProgramWatcher({ processes, senders, storage, now, gameSeen, gameRuns, gameEnded }));

  // Running games are detected only after the switches are loaded, which decide whether they are recorded.
  const loadFirst = async () => {
    await games.load();
    recording.applySwitches();
    await programs.load();
  };
  const slices = [recording, monitor, social, sessions, data];
  await storage.load(loadFirst, () => senders.load(), sources.load, ...slices.map(({ load }) => load), ...http.loaders);
  const consumers = [recording, { ...monitor, ready: () => assignment.waitForSenders() }, social];
  const dispatcher = stopAtEnd(
    startDispatcher(consumers, { journal, storage, onDispatched: feed.wake, onFailure: log.sliceFailed }),
  );
  const retention = stopAtEnd(startJournalRetention({ storage, journal, onFailure: log.operationFailed }));
  const inbox = createInbox({
    storage,
    assignment,
    now,
    floodLimiter: monitor.rateLimiter,
    onArrival: noteActivity,
    onGameEvent: programs.noteGameEvent,
    onStored: [dispatcher.wake, feed.wake, sessions.wake],
  });
  const ownRoutes = [
    ...inboxRoutes({ inbox, journal, feed, assignment }),
    ...wireGameRoutes(shared, { recording, sessions, sources, programs }),
    ...wireAutostart(config),
  ];
  await ready();
  const listeners = await http.listen([...ownRoutes, ...slices.flatMap(({ routes }) => routes)]);
  for (const close of [listeners.close, feed.close, writeRunningFile(dir.running, config, onReopened)])
    resources.defer(close);
  log.started(listeners.addresses);

  const running = resources.move();
  const stop = () => running.disposeAsync().then(log.stopped);
  const { createTicket } = http;
  const { addresses } = listeners;
  const reopening = Promise.race([data.reopening, damaged]);
  return { addresses, createTicket, storage: storage.state, reopening, stopRequested, stop };
}
