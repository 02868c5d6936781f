// The log: JSON lines on stderr with an event name and fields. Never contains secrets, payloads or paths in the user's home.
import { KitError, type MessageOrText, textOf } from "@kit/contract";
import { pino } from "pino";

/** Where the lines go. A test replaces its `write`. */
export const logOutput: { write(line: string): unknown } = pino.destination(2);
const logger = pino({ base: null, messageKey: "event", timestamp: pino.stdTimeFunctions.isoTime }, logOutput);

/** Omits the stack of a KitError, which is not a bug. */
function messageOf(error: unknown): string {
  if (error instanceof KitError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
/** Storage failures are logged once by the storage, and not by each operation that fails. */
/** Whether the storage failed, which health and a line of its own already say. */
export const isStorageFailure = (error: unknown): boolean =>
  error instanceof KitError && error.code === "storage_unavailable";

/** One function for each kind of line. */
export const log = {
  started: (addresses: readonly string[]) => logger.info({ addresses }, "started"),
  stopped: () => logger.info("stopped"),
  storageNotice: (notice: MessageOrText) => logger.warn({ notice: textOf(notice) }, "storage_notice"),
  storageFailing: (reason: MessageOrText | null) =>
    reason === null ? logger.info("storage_ok") : logger.warn({ reason: textOf(reason) }, "storage_failing"),
  sliceFailed(slice: string, error: unknown): void {
    if (!isStorageFailure(error)) logger.warn({ slice, reason: messageOf(error) }, "slice_failed");
  },
  operationFailed(what: string, error: unknown): void {
    if (!isStorageFailure(error)) logger.warn({ what, reason: messageOf(error) }, "not_kept");
  },
  played: (game: string, pid: number) => logger.info({ game, pid }, "played"),
  recorder: (what: string, detail: string) => logger.info({ what, detail }, "recorder"),
  notClipped: (reason: string) => logger.info({ reason }, "not_clipped"),
  notNotified: (reason: string) => logger.warn({ reason }, "not_notified"),
  bug: (where: string, error: unknown) => logger.error({ where, reason: messageOf(error) }, "bug"),
};
