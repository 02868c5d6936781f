// The composition root: every object of the launcher and every arrow between them, on one screen.
import type { EventKind } from "@kit/contract";
import type { Config } from "./config.ts";
import { loadGames } from "./games/game-store.ts";
import { createGames } from "./games/games.ts";
import { gameRoutes } from "./games/routes.ts";
import { createConsent } from "./http/consent.ts";
import { consentRoutes } from "./http/consent-routes.ts";
import { createConsentStore } from "./http/consent-store.ts";
import { createGovernor } from "./http/governor.ts";
import { healthRoutes } from "./http/health-routes.ts";
import { listenOnLoopback } from "./http/listen.ts";
import { createRefusals } from "./http/refusals.ts";
import { createServer } from "./http/server.ts";
import { createCredentials, sessionRoutes } from "./http/session-routes.ts";
import { createSessionStore } from "./http/session-store.ts";
import { createSessions } from "./http/sessions.ts";
import { createFileServer } from "./http/static-files.ts";
import { createFeed } from "./inbox/feed.ts";
import { startHandOver } from "./inbox/hand-over.ts";
import { createInbox } from "./inbox/inbox.ts";
import { createInboxStore, stateReached } from "./inbox/inbox-store.ts";
import { inboxRoutes } from "./inbox/routes.ts";
import { log } from "./log.ts";
import { createMonitor } from "./monitor/monitor.ts";
import { createRecording } from "./recording/recording.ts";
import { markRunning } from "./running.ts";
import { ensureSecret } from "./secret.ts";
import { createSocial } from "./social/social.ts";
import { dataDirAt, ensureDataDir } from "./storage/data-dir.ts";
import { openStorage } from "./storage/storage.ts";

export type Launcher = {
  readonly addresses: readonly string[];
  /** A one-time ticket for the dashboard. */
  createTicket(): string;
  /** Takes nothing new in, commits what waits, and closes the files cleanly. */
  stop(): Promise<void>;
};

/** Starts the launcher. Rejects with DataDirInUse, NewerDatabase, or EADDRINUSE when the port is taken. */
export async function startLauncher(config: Config): Promise<Launcher> {
  const now = Date.now;
  const stopping = new AbortController();
  const dir = dataDirAt(config.dataDir);
  ensureDataDir(dir);
  const secret = ensureSecret(dir.secret);
  const storage = await openStorage(dir, config.migrations, log.storageNotice);
  const { write } = storage;

  const refusals = createRefusals(now, () => feed.wake());
  const games = createGames({ load: () => loadGames(storage), write, now, onChanged: () => feed.changed("games") });
  const journal = createInboxStore(storage, games.gameOf);
  const feed = createFeed({ store: journal, refusalsSince: refusals.since });

  const handedOver = (events: readonly { seq: number }[], by: string) =>
    stateReached(
      events.map(({ seq }) => seq),
      "handed-over",
      by,
      now(),
      null,
    );
  const slices = [createRecording({ handedOver }), createMonitor({ handedOver }), createSocial({ handedOver })];
  const handOver = startHandOver(slices, {
    store: journal,
    write,
    onHandedOver: feed.wake,
    onFailure: log.sliceFailed,
  });
  const onStored = (kind: EventKind) => {
    handOver.wake(kind);
    feed.wake();
  };
  const inbox = createInbox({ write, judge: games.judge, now, onStored });

  const consent = createConsent(createConsentStore(storage), now, () => feed.changed("origins"));
  const sessions = createSessions(
    createSessionStore(storage, (error) => log.notKept("session", error)),
    now,
  );
  await storage.load(games.load, consent.load, sessions.load);

  const governor = createGovernor();
  const dropped = () => ({ evicted: governor.evicted(), refusals: refusals.dropped() });
  const server = await createServer({
    policy: { port: config.port, consent: consent.stateOf },
    routes: [
      ...inboxRoutes({ inbox, store: journal, feed, eventIdsOf: games.eventIdsOf, stopping: stopping.signal }),
      ...gameRoutes(games),
      ...consentRoutes(consent, config.port),
      ...sessionRoutes(sessions),
      ...healthRoutes({ version: config.version, port: config.port, secret, storage: storage.state, dropped }),
    ],
    credentialsOf: createCredentials(sessions, secret),
    serveFile: createFileServer(config.dashboard),
    refused: refusals.add,
    askConsent: consent.ask,
    onBug: (error, path) => log.bug(path, error),
  });
  const listeners = await listenOnLoopback(config.port, server.listener, governor, refusals.addUnreadable);
  const unmark = markRunning(dir.running, config);
  log.started(listeners.addresses);

  return {
    addresses: listeners.addresses,
    createTicket: () => sessions.createTicket().ticket,
    async stop() {
      stopping.abort();
      await listeners.close();
      await handOver.stop();
      await storage.close();
      unmark();
      log.stopped();
    },
  };
}
