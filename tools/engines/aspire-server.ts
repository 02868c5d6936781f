// Starts the Aspire dashboard for a test: a receiver of OpenTelemetry, which keeps what it got in a SQLite database.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathOf } from "./locate.ts";

export type AspireServer = AsyncDisposable & {
  /** Address of its page and of what it answers about its telemetry. */
  readonly page: string;
  /** Address for OpenTelemetry over HTTP. */
  readonly otlp: string;
  /** Path of its database. Its tables are its own affair: only a test of a pinned version can read them. */
  readonly database: string;
};

/** `key` is what senders have to state in the header `x-otlp-api-key`. */
export async function startAspire(key: string): Promise<AspireServer> {
  const folder = mkdtempSync(join(tmpdir(), "kit-aspire-"));
  const program = spawn(pathOf("Aspire dashboard"), [], {
    cwd: join(pathOf("Aspire dashboard"), ".."),
    stdio: ["ignore", "pipe", "inherit"],
    windowsHide: true,
    env: {
      ...process.env,
      HOME: folder,
      TMPDIR: folder,
      ASPNETCORE_URLS: "http://127.0.0.1:0",
      ASPIRE_DASHBOARD_OTLP_HTTP_ENDPOINT_URL: "http://127.0.0.1:0",
      DASHBOARD__OTLP__AUTHMODE: "ApiKey",
      DASHBOARD__OTLP__PRIMARYAPIKEY: key,
      DASHBOARD__FRONTEND__AUTHMODE: "Unsecured",
      DASHBOARD__API__ENABLED: "true",
      DASHBOARD__API__AUTHMODE: "Unsecured",
    },
  });
  const ended = once(program, "exit");
  const end = async () => {
    program.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  let page: string | undefined;
  let otlp: string | undefined;
  let said = "";
  for await (const line of createInterface({ input: program.stdout })) {
    said += `${line}\n`;
    page ??= /Now listening on: (\S+)/.exec(line)?.[1];
    otlp ??= /OTLP\/HTTP listening on: (\S+)/.exec(line)?.[1];
    if (page === undefined || otlp === undefined) continue;
    program.stdout.resume();
    const [database = ""] = globSync(join(folder, "aspire-dashboard-*/dashboard.db"));
    return { page, otlp, database, [Symbol.asyncDispose]: end };
  }
  await end();
  throw new Error(`The Aspire dashboard did not start:\n${said}`);
}
