// The launcher's HTTP side put together: who is let in, what is refused, and where it listens. Knows no slice.

import type { IncomingMessage, ServerResponse } from "node:http";
import { listRefusals, listSdk, sdkPath } from "@kit/contract";
import sirv from "sirv";
import { log } from "../log.ts";
import type { Storage } from "../storage/storage.ts";
import { createConsent } from "./consent/consent.ts";
import { consentRoutes } from "./consent/consent-routes.ts";
import { createConsentStore } from "./consent/consent-store.ts";
import { createGovernor } from "./governor.ts";
import { healthRoutes } from "./health-routes.ts";
import { type Listeners, listenOnLoopback } from "./listen.ts";
import { createRefusals, type Refusals } from "./refusals.ts";
import { type Route, route } from "./route.ts";
import { sendSdkFile } from "./sdk/sdk-files.ts";
import { createSdkFolder, type SdkFolder } from "./sdk/sdk-folder.ts";
import { createListener } from "./server.ts";
import { createPasses } from "./session/passes.ts";
import { createCredentials, sessionRoutes } from "./session/session-routes.ts";
import { createSessionStore } from "./session/session-store.ts";
import { createSessions } from "./session/sessions.ts";

// Everything that is a file: the dashboard's built pages, and the packages of the bindings.

type FileServer = (request: IncomingMessage, response: ServerResponse, missing: () => void) => void;

/** Serves what `dashboard` held when the launcher started, and what `sdk` holds now; calls `missing` for anything else. */
function createFileServer(dashboard: string, sdk: SdkFolder): FileServer {
  // A well-kept library finds and sends the pages; this names where they lie and how they age.
  const servePage = sirv(dashboard, {
    setHeaders(response, path) {
      // A built asset's name holds its hash, so it never changes; the page must be asked for each time.
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
      // Nobody needs a part of a page, and the library fails at one that ends before it begins.
      request.headers.range = undefined;
      servePage(request, response, missing);
    }
  };
}

export type HttpNeeds = {
  readonly port: number;
  readonly version: string;
  /** Folder of the dashboard's built files. */
  readonly dashboard: string;
  /** Folder of the bindings' packages. */
  readonly sdk: string;
  readonly secret: string;
  readonly storage: Storage;
  readonly now: () => number;
  /** Milliseconds that passed, whatever the clock is set to; the process's own count when it is left out. */
  readonly elapsed?: () => number;
  /** Events removed from the journal since the start. */
  readonly eventsRemoved: () => number;
  readonly onRefused: () => void;
  readonly onOriginsChanged: () => void;
};

export type Http = {
  /** Reads sessions and consents from the disk. */
  readonly loaders: readonly (() => Promise<void>)[];
  readonly refusalsSince: Refusals["since"];
  /** A one-time ticket for the dashboard. */
  createTicket(): string;
  /** Begins to answer. Rejects with EADDRINUSE when the port is taken. */
  listen(routes: readonly Route[]): Promise<Listeners>;
};

export function createHttp(needs: HttpNeeds): Http {
  const { port, version, secret, storage, now } = needs;
  const governor = createGovernor();
  const refusals = createRefusals(now, needs.onRefused);
  const consent = createConsent(createConsentStore(storage), now, needs.onOriginsChanged);
  const sessions = createSessions(
    createSessionStore(storage, (error) => log.notKept("session", error)),
    now,
    needs.elapsed,
  );
  const passes = createPasses(secret, now, needs.elapsed);
  const sdk = createSdkFolder(needs.sdk);
  const dropped = () => ({
    evicted: governor.evicted(),
    refusals: refusals.dropped(),
    events: needs.eventsRemoved(),
  });
  const ownRoutes = [
    ...consentRoutes(consent, port),
    ...sessionRoutes(sessions, passes, port),
    route(listSdk, sdk.list),
    route(listRefusals, () => ({ refusals: refusals.since(0).toReversed(), dropped: refusals.dropped() })),
    ...healthRoutes({ version, port, secret, storage: storage.state, dropped }),
  ];
  return {
    loaders: [consent.load, sessions.load],
    refusalsSince: refusals.since,
    createTicket: () => sessions.createTicket().ticket,
    async listen(routes) {
      const listener = createListener({
        policy: { port, consent: consent.stateOf },
        routes: [...routes, ...ownRoutes],
        credentialsOf: createCredentials(sessions, passes, secret, port),
        serveFile: createFileServer(needs.dashboard, sdk),
        refused: refusals.add,
        askConsent: consent.ask,
        onBug: log.bug,
      });
      return listenOnLoopback(port, listener, governor, refusals.addUnreadable);
    },
  };
}
