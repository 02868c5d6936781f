// The composition root: every object of the launcher and every arrow between them, on one screen.
import type { Config } from "./config.ts";
import { createConnections } from "./games/connections.ts";
import { createFiling } from "./games/filing.ts";
import { loadGames } from "./games/game-store.ts";
import { createGames, type Games } from "./games/games.ts";
import { createProcesses, type Processes } from "./games/processes.ts";
import { loadPrograms } from "./games/program-store.ts";
import { createPrograms } from "./games/programs.ts";
import { gameRoutes } from "./games/routes.ts";
import { loadSenders } from "./games/sender-store.ts";
import { createSenders, type Senders } from "./games/senders.ts";
import { sourceRoutes } from "./games/source/routes.ts";
import { loadSources } from "./games/source/source-store.ts";
import { createSources, type Sources } from "./games/source/sources.ts";
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
import { createKeyring } from "./secrets/keyring.ts";
import { createSecrets, type Secrets } from "./secrets/secrets.ts";
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
  const onSeen = () => gamesSeen(filing.senders, recording, feed);
  const onChanged = () => {
    onSeen();
    monitor.switched();
  };
  const games = createGames({ load: () => loadGames(storage), write, now, onChanged, onSeen });
  const told = { onRefused: () => feed.wake(), onOriginsChanged: () => feed.changed("origins") };
  const http = createHttp({ ...config, ...told, secret, storage, now, eventsRemoved: () => retention.removed() });
  const filing = createFilingFor({ config, storage, now, games, onChanged });
  const sources = createSourcesFor({ storage, now, feed: () => feed });
  const journal = createInboxStore(storage, filing.gameOf);
  const feed = createFeed({ journal, refusalsSince: http.refusalsSince });
  const recording = createRecordingFor({ config, storage, dir, now, games, feed });
  opened.defer(recording.stop);
  const secrets = createSecretsFor(config, dir);
  const monitor = createMonitorFor({ config, storage, now, recording, journal, sources, secrets, feed });
  opened.defer(monitor.stop);
  const programs = watchPrograms({ ...filing, storage, now, recording });
  opened.defer(programs.stop);

  const loadFirst = () => loadGamesFirst(games, recording, programs);
  await storage.load(loadFirst, filing.senders.load, sources.load, recording.load, monitor.load, ...http.loaders);
  const toSlices = { journal, write, onPassed: feed.wake, onFailure: log.sliceFailed };
  const handOver = startHandOver([recording, monitor, createSocialFor(now)], toSlices);
  opened.defer(handOver.stop);
  const retention = opened.adopt(startRetention({ journal, write, onFailure: log.notKept }), ({ stop }) => stop());
  const onStored = [handOver.wake, feed.wake, releaseWhenIdle(heapBytesMax)];
  const inbox = createInbox({ ...filing, write, met: programs.met, gate: monitor.gate, now, onStored });
  const ofInbox = inboxRoutes({ ...filing, inbox, journal, feed });
  const ofGames = [...gameRoutes(games), ...sourceRoutes(sources)];
  const listeners = await http.listen([...ofInbox, ...ofGames, ...recording.routes, ...monitor.routes]);
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
function gamesSeen(senders: Senders, recording: Recording, feed: Feed): void {
  senders.gamesChanged();
  recording.switched();
  feed.changed("games");
}

/** The frames that are shown now may have other links. */
function createSourcesFor({ storage, now, feed }: Omit<Core, "config"> & { readonly feed: () => Feed }): Sources {
  const onChanged = () => {
    feed().changed("games");
    feed().changed("issues");
  };
  return createSources({ load: () => loadSources(storage), write: storage.write, now, onChanged });
}

/** Triggers are filed by their ids; reports have none, and are filed by who sent them. */
function createFilingFor({ config, games, onChanged, storage, now }: Core & { games: Games; onChanged: () => void }) {
  const processes = createProcesses(config.port);
  const onFailure = (error: unknown) => log.notKept("sender", error);
  const connections = createConnections({ processes, now: () => performance.now(), onFailure });
  const senders = createSenders({ ...games, load: (max) => loadSenders(storage, max), now, onLearnt: onChanged });
  return { ...createFiling({ games, senders, connections }), senders, processes };
}

/** A game that runs is only noticed once it is known whether it may be recorded. */
async function loadGamesFirst(games: Games, recording: Recording, programs: { load(): Promise<void> }): Promise<void> {
  await games.load();
  recording.switched();
  await programs.load();
}

/** Recording begins when the program of a game does, and ends after it. */
function watchPrograms({
  processes,
  senders,
  storage,
  now,
  recording,
}: Omit<Core, "config"> & {
  readonly processes: Processes | undefined;
  readonly senders: Senders;
  readonly recording: Recording;
}) {
  const programs = createPrograms({
    processes,
    load: () => loadPrograms(storage),
    write: storage.write,
    now,
    onRunning: recording.gameSeen,
    onEnded: recording.gameEnded,
    onFailure: (error) => log.notKept("program", error),
  });
  const met = (game: string, sender: number | null) => {
    recording.gameSeen(game);
    const program = senders.peerOf(sender);
    if (program !== undefined) programs.sent(game, program);
  };
  return { ...programs, met };
}

const createSecretsFor = ({ keyring }: Config, dir: DataDir) =>
  createSecrets({ folder: dir.entrusted, keyring: keyring ? createKeyring() : undefined, onTrouble: log.notKept });

/** The monitor asks recording for the video of a new error, and the journal for what came before one. */
function createMonitorFor({
  config,
  recording,
  journal,
  sources,
  feed,
  ...core
}: Core & {
  readonly recording: Recording;
  readonly journal: InboxStore;
  readonly sources: Sources;
  readonly secrets: Secrets;
  readonly feed: Feed;
}): Monitor {
  return createMonitor({
    ...core,
    stateReached,
    requestClip: recording.requestClip,
    sentBefore: journal.sentBefore,
    sourcesOf: sources.sourcesOf,
    searchPath: config.searchPath,
    onChanged: () => feed.changed("issues"),
    onNotices: () => feed.changed("notices"),
  });
}

const createSocialFor = (now: () => number) =>
  createSocial({ handedOver: (events, by) => stateReached(events, "handed-over", by, now()) });
