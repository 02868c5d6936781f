// The log: JSON lines on stderr, an event name and fields. Never a secret, a payload or a path under the user's home.
import { pino } from "pino";

const logger = pino({ base: null, messageKey: "event", timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));

const messageOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** One function a notable event. */
export const log = {
  started: (addresses: readonly string[]) => logger.info({ addresses }, "started"),
  stopped: () => logger.info("stopped"),
  storageNotice: (notice: string) => logger.warn({ notice }, "storage_notice"),
  sliceFailed: (slice: string, error: unknown) => logger.warn({ slice, reason: messageOf(error) }, "slice_failed"),
  notKept: (what: string, error: unknown) => logger.warn({ what, reason: messageOf(error) }, "not_kept"),
  played: (game: string, pid: number) => logger.info({ game, pid }, "played"),
  recorder: (what: string, detail: string) => logger.info({ what, detail }, "recorder"),
  notClipped: (reason: string) => logger.info({ reason }, "not_clipped"),
  notNotified: (reason: string) => logger.warn({ reason }, "not_notified"),
  bug: (where: string, error: unknown) => logger.error({ where, reason: messageOf(error) }, "bug"),
};
