// Converts a report to a Sentry event.
import type { Event, StackFrame } from "@sentry/core";
import type { StackDialect } from "../../stack/stack.ts";
import type { OutgoingReport } from "../report.ts";

const platforms: Readonly<Record<StackDialect, string>> = {
  v8: "javascript",
  gecko: "javascript",
  dotnet: "csharp",
  mono: "csharp",
  il2cpp: "csharp",
  unity: "csharp",
  gdscript: "other",
  gml: "other",
  text: "other",
};
const tagCharsMax = 200;
const client = { name: "kit", version: "0.1.0" };

/**
 * Returns the id in the protocol's form, 32 hexadecimal digits. It is the same in every attempt, so the server drops
 * duplicates.
 */
const eventIdOf = (event: string): string => event.replaceAll("-", "").toLowerCase();

export function sentryEvent(report: OutgoingReport): Event {
  const { event, atMs, dialect, type, message, frames, stack, version, key } = report;
  const tags: Record<string, string> = {
    game: (report.game ?? "unsorted").slice(0, tagCharsMax),
    "engine.dialect": dialect,
    "kit.issue": report.issue,
    "kit.news": report.isTest ? "test" : report.novelty,
  };
  const shown: StackFrame[] = frames
    .map((frame) => ({
      function: frame.function ?? "<anonymous>",
      in_app: frame.inApp,
      ...(frame.file !== null && { filename: frame.file }),
      ...(frame.line !== null && { lineno: frame.line }),
      ...(frame.column !== null && { colno: frame.column }),
    }))
    .reverse();
  return {
    event_id: eventIdOf(event),
    timestamp: atMs / 1_000,
    platform: platforms[dialect],
    level: report.isTest ? "info" : "error",
    logger: "kit",
    // Without this setting, a server may store the address that the request came from as the player's.
    sdk: { ...client, settings: { infer_ip: "never" } },
    exception: {
      values: [
        {
          type,
          value: message,
          mechanism: { type: "kit", handled: false },
          ...(shown.length > 0 && { stacktrace: { frames: shown } }),
        },
      ],
    },
    fingerprint: [`kit-${version}`, key],
    tags,
    // A stack that could not be parsed is sent as text.
    extra: { count: report.number, ...(shown.length === 0 && stack !== "" && { stack }) },
    breadcrumbs: report.precedingEvents.map(({ atMs: at, kind, text }) => ({
      timestamp: at / 1_000,
      category: kind,
      message: text,
      level: kind === "monitor" ? "error" : "info",
    })),
  };
}

export const sentryClient = `${client.name}/${client.version}`;
