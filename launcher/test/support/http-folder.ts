// Runs the launcher's HTTP server over real HTTP for the tests of a file, with a counter behind each operation of a slice.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  closeSignInSession,
  createDownloadLink,
  createTicket,
  decideConsent,
  forgetOrigin,
  getHealth,
  getOpenapi,
  listOrigins,
  listRefusals,
  listSdk,
  type Operation,
  openSignInSession,
  operations,
  stopLauncher,
} from "@kit/contract";
import { afterAll } from "vitest";
import { freePort } from "../../../tools/engines/free-port.ts";
import { createHttpLayer, type HttpDeps, type HttpLayer } from "../../src/http/http.ts";
import type { Route } from "../../src/http/route.ts";
import { openStorageFolder } from "./storage-folder.ts";

/** Operations that the HTTP side answers itself. */
const own: ReadonlySet<Operation> = new Set<Operation>([
  getHealth,
  getOpenapi,
  stopLauncher,
  listSdk,
  listRefusals,
  listOrigins,
  decideConsent,
  forgetOrigin,
  createTicket,
  openSignInSession,
  closeSignInSession,
  createDownloadLink,
]);

export type HttpFolder = {
  readonly port: number;
  readonly secret: string;
  readonly http: HttpLayer;
  /** The folder of the dashboard's files and the packages. */
  readonly pages: string;
};

/** The secret of every such launcher. */
const secret = "5".repeat(64);

/** Listens until the tests of the file have ended. `files` are the dashboard's pages by their paths. */
export async function httpFolderOfFile(
  files: Readonly<Record<string, string>>,
  answerOf: (operation: Operation) => unknown,
  clocks: Pick<HttpDeps, "now" | "elapsed"> = { now: Date.now },
): Promise<HttpFolder> {
  const folder = await openStorageFolder();
  const port = await freePort();
  const pages = join(folder.dir.path, "pages");
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(pages, path)), { recursive: true });
    writeFileSync(join(pages, path), content);
  }
  const http = createHttpLayer({
    sliceNotices: () => [],
    onStopRequested: () => undefined,
    port,
    secret,
    storage: folder.storage,
    version: "0.0.0",
    dashboard: pages,
    sdk: pages,
    eventsRemoved: () => 0,
    onRefused: () => undefined,
    onOriginsChanged: () => undefined,
    onSessionEnded: () => undefined,
    ...clocks,
  });
  const routeOf = (operation: Operation): Route => ({ operation, answer: answerOf(operation) as Route["answer"] });
  const listeners = await http.listen(operations.filter((operation) => !own.has(operation)).map(routeOf));
  afterAll(async () => {
    await listeners.close();
    await folder[Symbol.asyncDispose]();
  });
  return { port, secret, http, pages };
}
