// The measured servers: Kit and those it is compared with.
import { join } from "node:path";
import { reportError } from "@kit/contract";
import { ask, launcherCommand, type ServerProcess, startServer } from "../../launcher/test/support/launcher-process.ts";
import { freePort } from "../../tools/engines/free-port.ts";
import { pathOf } from "../../tools/engines/locate.ts";

export type Request = {
  readonly path: string;
  readonly contentType: string;
  /** Creates the body, which contains the time, for each run. */
  readonly body: () => string;
  /** Status of an accepted request. */
  readonly accepted: number;
};

type Subject = {
  readonly says: string;
  readonly request: Request;
  readonly command: (port: number, folder: string) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

const message = "Attempt to call function 'open_door' in base 'null instance' on a null instance.";
const stackTrace = "at _on_body_entered (res://levels/castle/door.gd:42)\nat emit_signal (res://player/player.gd:118)";

const report: Request = {
  path: reportError.path,
  contentType: "application/json",
  body: () => JSON.stringify({ message, stackTrace, timestamp: new Date().toISOString() }),
  accepted: reportError.status,
};

/** The same error as a Sentry envelope for Spotlight. */
const envelope: Request = {
  path: "/stream",
  contentType: "application/x-sentry-envelope",
  body: () => {
    const id = "9ec79c33ec9942ab8353589fcb2e04dc";
    const event = {
      event_id: id,
      timestamp: Date.now() / 1_000,
      platform: "native",
      level: "error",
      exception: { values: [{ type: "Error", value: message }] },
      extra: { stackTrace },
    };
    const header = { event_id: id, sent_at: new Date().toISOString() };
    return `${[header, { type: "event" }, event].map((part) => JSON.stringify(part)).join("\n")}\n`;
  },
  accepted: 200,
};

const file = (name: string) => join(import.meta.dirname, name);
const server = (kind: string, port: number, folder: string) => [
  process.execPath,
  "--disable-warning=ExperimentalWarning",
  ...[file("servers.js"), kind, String(port), folder],
];
const spotlight = (port: number) => [
  ...[process.execPath, "--import", file("before-spotlight.js")],
  ...[pathOf("Spotlight"), "server", "--port", String(port)],
];
/** A proxy address where nothing listens, so that Spotlight's telemetry never leaves the computer. */
const nowhere = "http://127.0.0.1:9";

export const subjects = {
  kit: {
    says: "Kit: answers when the event is on stable storage",
    request: report,
    command: launcherCommand,
  },
  bare: {
    says: "the limit: node:http, parses the same JSON, keeps nothing",
    request: report,
    command: (port, folder) => server("bare", port, folder),
  },
  framework: {
    says: "the same behind Fastify, as the launcher's other operations are",
    request: report,
    command: (port, folder) => server("framework", port, folder),
  },
  naive: {
    says: "the simple way to be durable: one synchronous=FULL transaction a request",
    request: report,
    command: (port, folder) => server("naive", port, folder),
  },
  spotlight: {
    says: "the nearest peer, as it is installed: keeps the newest 500 in memory",
    request: envelope,
    command: spotlight,
    env: { http_proxy: nowhere, https_proxy: nowhere },
  },
  "spotlight-quiet": {
    says: "the same without the telemetry it traces each of its own requests for",
    request: envelope,
    command: spotlight,
    env: { SPOTLIGHT_TELEMETRY: "off" },
  },
} as const satisfies Record<string, Subject>;

export type SubjectName = keyof typeof subjects;
export const subjectNames = Object.keys(subjects) as SubjectName[];

/** Starts the subject with a folder for its files. Ready means that it accepts the measured request. */
export async function startSubject(name: SubjectName, folder: string): Promise<ServerProcess> {
  const { request, command, env = {} }: Subject = subjects[name];
  const port = await freePort();
  const isReady = async () => {
    const { path, contentType, accepted } = request;
    return (await ask(port, { path, contentType, body: request.body() })).status === accepted;
  };
  return startServer({ command: command(port, folder), port, env, isReady });
}
