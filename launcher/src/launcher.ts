// The composition root: every object of the launcher and every arrow between them, on one screen.
import type { Config } from "./config.ts";
import { fileBySender } from "./games/file-by-sender.ts";
import { loadGames } from "./games/game-store.ts";
import { createGames, type Games } from "./games/games.ts";
import { watchPrograms } from "./games/program-watch.ts";
import { gameRoutes } from "./games/routes.ts";
import type { Senders } from "./games/senders.ts";
import type { ProcessLife } from "./games/sessions/process-life.ts";
import { createSessions, type Sessions } from "./games/sessions/sessions.ts";
import { sourceRoutes } from "./games/source/routes.ts";
import { loadSources } from "./games/source/source-store.ts";
import { createSources, type Sources } from "./games/source/sources.ts";
import { releaseWhenIdle } from "./idle-memory.ts";
import { createFeed, type Feed } from "./inbox/feed.ts";
import { startHandOver } from "./inbox/hand-over.ts";
import { createInbox, type Inbox } from "./inbox/inbox.ts";
import { createInboxStore, type InboxStore, stateReached, stateSaid } from "./inbox/inbox-store.ts";
import { startRetention } from "./inbox/retention.ts";
import { inboxRoutes } from "./inbox/routes.ts";
import { log } from "./log.ts";
import { createEventIssueStore } from "./monitor/event-issue-store.ts";
import { createMonitor, type Monitor } from "./monitor/monitor.ts";
import { createReach } from "./reach/reach.ts";
import { createClipSpanStore } from "./recording/clips/clip-span-store.ts";
import { createRecording, type Recording } from "./recording/recording.ts";
import { markRunning } from "./running.ts";
import { ensureSecret } from "./secret.ts";
import { createKeyring } from "./secrets/keyring.ts";
import { createSecrets, type Secrets } from "./secrets/secrets.ts";
import { createEventPostStore } from "./social/posts/event-post-store.ts";
import { createSocial, type Social } from "./social/social.ts";
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
  const stopped = <T extends { stop(): void | Promise<void> }>(part: T) => opened.adopt(part, ({ stop }) => stop());
  const now = Date.now;
  const dir = dataDirAt(config.dataDir);
  ensureDataDir(dir);
  const secret = ensureSecret(dir.secret);
  // The database opens in its threads while the HTTP library loads in this one.
  const opening = openStorage(dir, config.migrations, log.storageNotice);
  const [storage, { createHttp }] = await Promise.all([opening, import("./http/http.ts")]);
  opened.defer(storage.close);
  const { write } = storage;
  const onSeen = () => gamesSeen([filing.senders, sessions], recording, feed);
  const onChanged = () => {
    onSeen();
    monitor.switched();
  };
  const games = createGames({ load: () => loadGames(storage), write, now, onChanged, onSeen });
  const told = { onRefused: () => feed.wake(), onOriginsChanged: () => feed.changed("origins") };
  const http = createHttp({ ...config, ...told, secret, storage, now, eventsRemoved: () => retention.removed() });
  const filing = fileBySender({ ...config, storage, now, games, onChanged });
  const sources = createSourcesFor({ storage, now, feed: () => feed });
  const journal = createInboxStore(storage, filing.gameOf);
  const feed = createFeed({ journal, refusalsSince: http.refusalsSince });
  const clipsChanged = () => social.footageChanged();
  const recording = stopped(createRecordingFor({ config, storage, dir, now, games, feed, clipsChanged }));
  const secrets = createSecretsFor(config, dir);
  const monitor = stopped(createMonitorFor({ config, storage, now, recording, journal, sources, secrets, feed }));
  const social = stopped(createSocialFor({ storage, now, games, recording, secrets, feed }));
  const sessions = stopped(createSessionsFor({ ...filing, storage, now, games, inbox: () => inbox, feed }));
  const programs = stopped(watchPrograms({ ...filing, ...recording, storage, now }));

  const loadFirst = () => loadGamesFirst(games, recording, programs);
  const parts = [recording, monitor, social, sessions];
  await storage.load(loadFirst, filing.senders.load, sources.load, ...parts.map(({ load }) => load), ...http.loaders);
  const toSlices = { journal, write, onPassed: feed.wake, onFailure: log.sliceFailed };
  const handOver = stopped(startHandOver([recording, monitor, social], toSlices));
  const retention = stopped(startRetention({ journal, write, onFailure: log.notKept }));
  const onStored = [handOver.wake, feed.wake, sessions.wake, releaseWhenIdle(heapBytesMax)];
  const inbox = createInbox({ ...filing, write, met: programs.met, gate: monitor.gate, now, onStored });
  const own = [...inboxRoutes({ ...filing, inbox, journal, feed }), ...gameRoutes(games), ...sourceRoutes(sources)];
  const listeners = await http.listen([...own, ...parts.flatMap(({ routes }) => routes)]);
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
  clipsChanged,
  ...core
}: Core & {
  readonly dir: DataDir;
  readonly games: Games;
  readonly feed: Feed;
  readonly clipsChanged: () => void;
}): Recording {
  return createRecording({
    ...config,
    ...core,
    stateReached,
    gameOf: games.gameOf,
    knownIds: () => games.idsOf("recording"),
    isOn: (game) => games.isOn("recording", game),
    onChanged(what) {
      feed.changed(what);
      if (what === "clips") clipsChanged();
    },
    onReceipts: feed.wake,
  });
}

/** A switch takes effect at once, not only with the next event. */
function gamesSeen(filed: readonly { gamesChanged(): void }[], recording: Recording, feed: Feed): void {
  for (const { gamesChanged } of filed) gamesChanged();
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

/** A session shows what recording, the monitor and social made of its events; its crash is a report like any other. */
function createSessionsFor({
  games,
  inbox,
  feed,
  ...core
}: Omit<Core, "config"> & {
  readonly senders: Senders;
  readonly life: ProcessLife;
  readonly games: Games;
  readonly inbox: () => Inbox;
  readonly feed: Feed;
}): Sessions {
  const { storage } = core;
  return createSessions({
    ...{
      ...core,
      ...createClipSpanStore(storage),
      ...createEventIssueStore(storage),
      ...createEventPostStore(storage),
    },
    gameOf: games.gameOf,
    register: async (game) => games.isRegistered(game) || games.register(game, {}),
    report: (sender, body) => inbox().accept({ kind: "monitor", body, ...ownReport, sender }),
    onChanged: () => feed.changed("sessions"),
  });
}
const ownReport = { repeated: false, origin: null, client: "kit-run", socket: {} } as const;

/** A game that runs is only noticed once it is known whether it may be recorded. */
async function loadGamesFirst(games: Games, recording: Recording, programs: { load(): Promise<void> }): Promise<void> {
  await games.load();
  recording.switched();
  await programs.load();
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

/** A post asks recording for the footage of its moment, and for a copy that its network takes. */
function createSocialFor({
  games,
  recording,
  feed,
  ...core
}: Omit<Core, "config"> & {
  readonly games: Games;
  readonly recording: Recording;
  readonly secrets: Secrets;
  readonly feed: Feed;
}): Social {
  const { requestFootage, footageOf, fit, shared } = recording;
  const reach = createReach();
  const social = createSocial({
    ...{ ...core, reach, requestFootage, footageOf, fit, shared },
    stateReached: stateSaid,
    gameOf: (eventId) => games.gameOf("social", eventId),
    onChanged: (what) => feed.changed(what),
    onReceipts: feed.wake,
  });
  return { ...social, stop: () => social.stop().then(reach.close) };
}
