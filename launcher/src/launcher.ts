// The composition root: every object of the launcher and every connection between them, on one screen; what an arrow carries is in wiring/.

import type { Config } from "./config.ts";
import { fileBySender } from "./games/assign-by-sender.ts";
import { loadGames } from "./games/game-store.ts";
import { createGames } from "./games/games.ts";
import { watchPrograms } from "./games/program-watch.ts";
import { createHttp } from "./http/http.ts";
import { releaseWhenIdle } from "./idle-memory.ts";
import { startHandOver } from "./inbox/dispatcher.ts";
import { createFeed } from "./inbox/feed.ts";
import { createInbox } from "./inbox/inbox.ts";
import { createInboxStore, senderFound } from "./inbox/inbox-store.ts";
import { startRetention } from "./inbox/retention.ts";
import { inboxRoutes } from "./inbox/routes.ts";
import { log } from "./log.ts";
import { markRunning } from "./running.ts";
import { ensureSecret } from "./secret.ts";
import { dataDirAt, ensureDataDir } from "./storage/data-dir.ts";
import { refuseUnknownData } from "./storage/schema-version.ts";
import { autostartRoutesFor } from "./wiring/autostart.ts";
import { createDataFor } from "./wiring/data.ts";
import { createDemoFor } from "./wiring/demo.ts";
import { gameRoutesFor } from "./wiring/game-routes.ts";
import { createSourcesFor, gamesChanged, gamesSeen, loadGamesFirst } from "./wiring/games.ts";
import { createMonitorFor } from "./wiring/monitor.ts";
import { createRecordingFor } from "./wiring/recording.ts";
import { createSecretsFor } from "./wiring/secrets.ts";
import { createSessionsFor } from "./wiring/sessions.ts";
import { createSocialFor } from "./wiring/social.ts";
import { openDataDir } from "./wiring/wiping.ts";

/** What a quiet launcher needs, and a little more. */
const heapBytesMax = 18 * 1024 * 1024;

export type Launcher = {
  readonly addresses: readonly string[];
  /** A one-time ticket for the dashboard. */
  createTicket(): string;
  storage(): { readonly failing: string | null };
  /** Resolves when it has to be stopped and started anew: what was planned meanwhile is done in between. */
  readonly reopening: Promise<void>;
  /** Takes nothing new in, commits what waits, and closes the files cleanly. */
  stop(): Promise<void>;
};

/** Starts the launcher. Rejects with DataDirInUse, UnknownSchema, or EADDRINUSE when the port is taken. */
export async function startLauncher(config: Config): Promise<Launcher> {
  // Whatever was opened is closed again, in reverse order: when a later step fails, or at the end.
  await using opened = new AsyncDisposableStack();
  const stopped = <T extends { stop(): void | Promise<void> }>(part: T) => opened.adopt(part, ({ stop }) => stop());
  const now = Date.now;
  const dir = dataDirAt(config.dataDir);
  refuseUnknownData(dir, config.migrations);
  ensureDataDir(dir);
  const { secret, again: keepSecret } = stopped(ensureSecret(dir.secret));
  const storage = await openDataDir({ config, dir, now });
  const { write, whenReopened } = opened.adopt(storage, ({ close }) => close());
  whenReopened(keepSecret);
  const onSeen = () => gamesSeen([filing.senders, sessions], recording, feed);
  const onChanged = () => gamesChanged(onSeen, monitor);
  const games = createGames({ load: () => loadGames(storage), write, now, onChanged, onSeen });
  const told = { onRefused: () => feed.wake(), onOriginsChanged: () => feed.changed("origins") };
  const http = createHttp({ ...config, ...told, secret, storage, now, eventsRemoved: () => retention.removed() });
  const filing = fileBySender({ ...config, storage, now, games, senderFound, onChanged });
  const sources = createSourcesFor({ storage, now, feed: () => feed });
  const journal = createInboxStore(storage, filing.gameOf);
  const used = releaseWhenIdle(heapBytesMax);
  const feed = createFeed({ journal, refusalsSince: http.refusalsSince, onLeft: used });
  const clipsChanged = () => social.footageChanged();
  const recording = stopped(createRecordingFor({ config, storage, dir, now, games, feed, clipsChanged }));
  const secrets = createSecretsFor(config, dir);
  const monitor = stopped(createMonitorFor({ config, storage, now, recording, journal, sources, secrets, feed }));
  const social = stopped(createSocialFor({ storage, now, games, recording, secrets, feed }));
  const sessions = stopped(createSessionsFor({ ...filing, storage, now, games, inbox: () => inbox, feed }));
  const demo = stopped(createDemoFor({ config, storage, now, games, feed }));
  const keeping = stopped(createDataFor({ config, storage, dir, now, games, filing, journal, feed }));
  const programs = stopped(watchPrograms({ ...filing, ...recording, storage, now }));

  const loadFirst = () => loadGamesFirst(games, recording, programs);
  const parts = [recording, monitor, social, sessions, demo, keeping];
  await storage.load(loadFirst, filing.senders.load, sources.load, ...parts.map(({ load }) => load), ...http.loaders);
  const toSlices = { journal, write, onPassed: feed.wake, onFailure: log.sliceFailed };
  const handOver = stopped(startHandOver([recording, { ...monitor, ready: filing.settled }, social], toSlices));
  const retention = stopped(startRetention({ journal, write, onFailure: log.notKept }));
  const whenSent = { onArrival: used, onStored: [handOver.wake, feed.wake, sessions.wake] };
  const inbox = createInbox({ ...filing, ...whenSent, write, met: programs.met, gate: monitor.gate, now });
  const aboutGames = gameRoutesFor({ config, storage, now, games, sources, recording, sessions, feed });
  const own = [...inboxRoutes({ ...filing, inbox, journal, feed }), ...aboutGames, ...autostartRoutesFor(config)];
  const listeners = await http.listen([...own, ...parts.flatMap(({ routes }) => routes)]);
  for (const close of [listeners.close, feed.end, markRunning(dir.running, config, whenReopened)]) opened.defer(close);
  log.started(listeners.addresses);

  const running = opened.move();
  const stop = () => running.disposeAsync().then(log.stopped);
  const { createTicket } = http;
  return { addresses: listeners.addresses, createTicket, storage: storage.state, reopening: keeping.reopening, stop };
}
