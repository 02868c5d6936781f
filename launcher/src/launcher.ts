// The composition root: every object of the launcher and every arrow between them, on one screen.
import type { Config } from "./config.ts";
import { loadGames } from "./games/game-store.ts";
import { createGames, type Games } from "./games/games.ts";
import { createProcesses } from "./games/processes.ts";
import { loadPrograms } from "./games/program-store.ts";
import { createPrograms } from "./games/programs.ts";
import { gameRoutes } from "./games/routes.ts";
import { releaseWhenIdle } from "./idle-memory.ts";
import { createFeed, type Feed } from "./inbox/feed.ts";
import { startHandOver } from "./inbox/hand-over.ts";
import { createInbox } from "./inbox/inbox.ts";
import { createInboxStore, type InboxStore, stateReached } from "./inbox/inbox-store.ts";
import { startRetention } from "./inbox/retention.ts";
import { inboxRoutes } from "./inbox/routes.ts";
import { log } from "./log.ts";
import { createMonitor, type Monitor } from "./monitor/monitor.ts";
import { createRecording, type Recording } from "./recording/recording.ts";
import { markRunning } from "./running.ts";
import { ensureSecret } from "./secret.ts";
import { createSocial } from "./social/social.ts";
import { type DataDir, dataDirAt, ensureDataDir } from "./storage/data-dir.ts";
import { openStorage, type Storage } from "./storage/storage.ts";

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
  const onChanged = () => gamesChanged(recording, feed);
  const games = createGames({ load: () => loadGames(storage), write, now, onChanged });
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
  const recording = createRecordingFor({ config, storage, dir, now, games, feed });
  opened.defer(recording.stop);
  const monitor = opened.adopt(createMonitorFor({ storage, now, recording, journal, feed }), ({ stop }) => stop());
  const programs = watchPrograms({ config, storage, now, recording });
  opened.defer(programs.stop);

  await storage.load(() => loadGamesFirst(games, recording, programs), recording.load, ...http.loaders);
  const toSlices = { journal, write, onPassed: feed.wake, onFailure: log.sliceFailed };
  const handOver = startHandOver([recording, monitor, createSocialFor(now)], toSlices);
  opened.defer(handOver.stop);
  const retention = opened.adopt(startRetention({ journal, write, onFailure: log.notKept }), ({ stop }) => stop());
  const onStored = [handOver.wake, feed.wake, releaseWhenIdle(heapBytesMax)];
  const inbox = createInbox({ write, judge: games.judge, met: programs.met, now, onStored });
  const ofInbox = inboxRoutes({ inbox, journal, feed, eventIdsOf: games.eventIdsOf });
  const listeners = await http.listen([...ofInbox, ...gameRoutes(games), ...recording.routes, ...monitor.routes]);
  opened.defer(listeners.close);
  opened.defer(feed.end);
  opened.defer(markRunning(dir.running, config));
  log.started(listeners.addresses);

  const running = opened.move();
  const stop = () => running.disposeAsync().then(log.stopped);
  return { addresses: listeners.addresses, createTicket: http.createTicket, stop };
}

type Core = { readonly config: Config; readonly storage: Storage; readonly now: () => number };

/** Recording asks games what is switched on and what belongs to which game, and tells the feed what changed. */
function createRecordingFor({
  config,
  games,
  feed,
  ...core
}: Core & { readonly dir: DataDir; readonly games: Games; readonly feed: Feed }): Recording {
  return createRecording({
    ...config,
    ...core,
    stateReached,
    gameOf: games.gameOf,
    knownIds: () => games.idsOf("recording"),
    isOn: (game) => games.isOn("recording", game),
    onChanged: (what) => feed.changed(what),
    onReceipts: feed.wake,
  });
}

/** A switch takes effect at once, not only with the next event. */
function gamesChanged(recording: Recording, feed: Feed): void {
  recording.switched();
  feed.changed("games");
}

/** A game that runs is only noticed once it is known whether it may be recorded. */
async function loadGamesFirst(games: Games, recording: Recording, programs: { load(): Promise<void> }): Promise<void> {
  await games.load();
  recording.switched();
  await programs.load();
}

/** Recording begins when the program of a game does, and ends after it. */
function watchPrograms({ config, storage, now, recording }: Core & { readonly recording: Recording }) {
  const programs = createPrograms({
    processes: createProcesses(config.port),
    load: () => loadPrograms(storage),
    write: storage.write,
    now,
    onRunning: recording.gameSeen,
    onEnded: recording.gameEnded,
    onFailure: (error) => log.notKept("program", error),
  });
  const met = (game: string, peerPort: number | undefined) => {
    recording.gameSeen(game);
    return programs.sent(game, peerPort);
  };
  return { ...programs, met };
}

/** The monitor asks recording for the video of a new error, and the journal for what came before one. */
function createMonitorFor({
  recording,
  journal,
  feed,
  ...core
}: Omit<Core, "config"> & {
  readonly recording: Recording;
  readonly journal: InboxStore;
  readonly feed: Feed;
}): Monitor {
  return createMonitor({
    ...core,
    stateReached,
    requestClip: recording.requestClip,
    sentBefore: journal.sentBefore,
    onChanged: () => feed.changed("issues"),
  });
}

const createSocialFor = (now: () => number) =>
  createSocial({ handedOver: (events, by) => stateReached(events, "handed-over", by, now()) });
