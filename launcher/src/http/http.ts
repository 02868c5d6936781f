// Composes the HTTP layer: admission, consent, sign-in sessions, refused requests, and the listeners. Knows no slice.

import type { IncomingMessage, ServerResponse } from "node:http";
import {
  getHealth,
  getOpenapi,
  type Health,
  listRefusals,
  listSdk,
  type Message,
  sdkPath,
  stopLauncher,
} from "@kit/contract";
import type { OpenapiDocument } from "@kit/contract/openapi";
import sirv from "sirv";
import { log } from "../log.ts";
import { listenerProof } from "../own-files.ts";
import type { Storage } from "../storage/storage.ts";
import { createConsentStore, createSignInSessionStore } from "./admission-store.ts";
import { createConnectionLimiter } from "./connection-limiter.ts";
import { consentRoutes, createWebOriginConsent } from "./consent.ts";
import { type Listeners, listenOnLoopback } from "./listen.ts";
import { createRefusals, type Refusals } from "./refusals.ts";
import { type Route, route } from "./route.ts";
import { openSdkFolder, type SdkFolder, sendSdkFile } from "./sdk.ts";
import { createRequestListener } from "./server.ts";
import { createDownloadLinks } from "./session/links.ts";
import { createCredentialsReader, signInSessionRoutes } from "./session/session-routes.ts";
import { createSignInSessions } from "./session/sessions.ts";

type FileServer = (request: IncomingMessage, response: ServerResponse, missing: () => void) => void;

/**
 * Serves the files that `dashboard` had at the start, and the current files of `sdk`; calls `missing` for other paths.
 * A file `<name>.gz` is sent for `<name>` to browsers that accept gzip.
 */
function createFileServer(dashboard: string, sdk: SdkFolder): FileServer {
  const servePage = sirv(dashboard, {
    gzip: true,
    setHeaders(response, path) {
      // The name of a built asset contains its hash, so it never changes. Pages must be revalidated each time.
      response.setHeader(
        "cache-control",
        path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      );
    },
  });
  return (request, response, missing) => {
    const path = request.url?.split("?", 1)[0] ?? "";
    if (path.startsWith(sdkPath)) void sendSdkFile(sdk, path.slice(sdkPath.length), response, missing);
    else {
      // Pages need no ranges, and the library fails on a range that ends before it starts.
      request.headers.range = undefined;
      servePage(request, response, missing);
    }
  };
}

const capabilities = [
  "events",
  "receipts",
  "feed",
  "games",
  "consent",
  "sdk",
  "clips",
  "issues",
  "notices",
  "posts",
  "sessions",
];

export type HttpDeps = {
  readonly port: number;
  readonly version: string;
  /** Folder with the dashboard's built files. */
  readonly dashboard: string;
  /** Folder with the bindings' packages. */
  readonly sdk: string;
  readonly secret: string;
  readonly storage: Storage;
  readonly now: () => number;
  /** A monotonic clock in milliseconds; defaults to the clock of the process. */
  readonly elapsed?: () => number;
  /** Says what slices cannot do now. */
  readonly sliceNotices: () => readonly Message[];
  /** Number of events removed from the journal since the start. */
  readonly eventsRemoved: () => number;
  readonly onRefused: () => void;
  readonly onOriginsChanged: () => void;
  /** Called when a sign-in session has ended. Its responses that still stream must end, too. */
  readonly onSessionEnded: () => void;
  /** Called after the answer to a request to end the launcher. */
  readonly onStopRequested: () => void;
};

export type HttpLayer = {
  /** Functions that load sign-in sessions and consent from the database. */
  readonly loaders: readonly (() => Promise<void>)[];
  readonly refusalsSince: Refusals["listSince"];
  /** Creates a one-time sign-in ticket for the dashboard. */
  createTicket(): string;
  /** Starts to answer requests. Rejects with EADDRINUSE if the port is in use. */
  listen(routes: readonly Route[]): Promise<Listeners>;
};

export function createHttpLayer(needs: HttpDeps): HttpLayer {
  const { port, version, secret, storage, now } = needs;
  const connectionLimiter = createConnectionLimiter();
  const refusals = createRefusals(now, needs.onRefused);
  const consent = createWebOriginConsent(createConsentStore(storage), now, needs.onOriginsChanged);
  const sessionStore = createSignInSessionStore(storage, (error) => log.operationFailed("session", error));
  const removeSession = (cookieHash: string) => {
    sessionStore.remove(cookieHash);
    needs.onSessionEnded();
  };
  const sessions = createSignInSessions({ ...sessionStore, remove: removeSession }, secret, now, needs.elapsed);
  const links = createDownloadLinks(now, needs.elapsed);
  const sdk = openSdkFolder(needs.sdk);
  /** Says which launcher answers on this port, and what state it is in. */
  const health = (challenge: string | undefined): Health => {
    const { failing, notices } = storage.state();
    return {
      product: "kit",
      version,
      capabilities,
      storage: {
        state: failing === null ? "ok" : "failing",
        ...(failing === null ? {} : { detail: failing }),
        notices: [...notices, ...needs.sliceNotices()],
      },
      dropped: {
        evicted: connectionLimiter.evictedCount(),
        refusals: refusals.droppedCount(),
        events: needs.eventsRemoved(),
      },
      ...(challenge === undefined ? {} : { proof: listenerProof(secret, port, challenge) }),
    };
  };
  /** Made when somebody asks for it, because that takes longer than a game should wait for its response. */
  let openapi: Promise<OpenapiDocument> | undefined;
  const ownRoutes = [
    ...consentRoutes(consent, port),
    ...signInSessionRoutes(sessions, links, port),
    route(listSdk, sdk.list),
    route(listRefusals, () => ({ refusals: refusals.listSince(0).toReversed(), dropped: refusals.droppedCount() })),
    route(getHealth, ({ query }) => health(query.challenge)),
    route(getOpenapi, () => {
      openapi ??= import("@kit/contract/openapi").then(({ openapiDocument }) => openapiDocument(version));
      return openapi;
    }),
    route(stopLauncher, (_call, reply) => {
      // Later, because closing ends all connections.
      reply.raw.once("close", needs.onStopRequested);
      return { pid: process.pid };
    }),
  ];
  return {
    loaders: [consent.load, sessions.load],
    refusalsSince: refusals.listSince,
    createTicket: () => sessions.createTicket().ticket,
    async listen(routes) {
      const listener = createRequestListener({
        policy: { port, consent: consent.stateOf },
        routes: [...routes, ...ownRoutes],
        credentialsOf: createCredentialsReader(sessions, links, secret, port),
        serveFile: createFileServer(needs.dashboard, sdk),
        onRefused: refusals.add,
        askConsent: consent.ask,
        onBug: log.bug,
      });
      return listenOnLoopback(port, listener, connectionLimiter, refusals.addUnreadable);
    },
  };
}
