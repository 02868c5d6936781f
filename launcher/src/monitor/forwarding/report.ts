// Types of a message in the forwarding queue, which contains one report and stands for several, and of what is sent of it.
import type { ForwardKind } from "@kit/contract";
import type { Row } from "../../storage/sql.ts";
import { type Frame, parseStack, type StackDialect } from "../stack/stack.ts";
import type { ScrubText } from "./scrub.ts";
import type { AnswerVerdict } from "./server-connection.ts";

/** `new` is the first report of an issue, `regressed` the first since it was resolved; `video` repeats a report with a link. */
type Novelty = "new" | "regressed" | "more" | "video";

export type QueuedReport = {
  readonly seq: number;
  readonly event: string;
  readonly novelty: Novelty;
  readonly refusals: number;
  /** The event of the journal that it contains, or null. `event` is the id that the server gets. */
  readonly source: string | null;
  /** How many reports the message stands for. */
  readonly reports: number;
  /** How many this and earlier messages stand for, the first of which occurred at `sinceMs`. */
  readonly total: number;
  /** The sum that it belongs to, and how many of `total` are in earlier sums. It names one issue and build on one computer. */
  readonly series: string;
  readonly seriesTold: number;
  /** When the sum was zero, by this computer's clock, and as the collector was told before, by its own; null before it was. */
  readonly seriesSinceMs: number;
  readonly seriesStartMs: number | null;
  readonly sinceMs: number;
  /** When the newest of its reports occurred. */
  readonly lastMs: number;
  /** How many reports the issue had on this computer. */
  readonly number: number;
  /** Whether stack and earlier events are left out. */
  readonly stripped: boolean;
  readonly atMs: number;
  readonly issue: string;
  readonly game: string | null;
  /** Empty if it is unknown. */
  readonly build: string;
  readonly dialect: StackDialect;
  readonly version: number;
  readonly key: string;
  readonly message: string;
  readonly stackTrace: string;
};

/** Only `body` needs parsing. The other columns have the right types, because the table is STRICT. */
export const queuedReportOf = ({ body, ...row }: Row) => {
  const [message, stackTrace] = JSON.parse(String(body)) as [string, string];
  return { ...row, stripped: row.stripped === 1, message, stackTrace } as unknown as QueuedReport;
};

/** What a target gets with every report. */
export type TargetMarks = { readonly environment: string | null; readonly installation: string | null };

export type PrecedingEvent = { readonly atMs: number; readonly kind: string; readonly text: string };

/** The video of a report that was sent before. Anybody who has the link can watch it until it expires. */
type VideoLink = {
  readonly url: string;
  readonly expires: string;
  /** Bucket and key, for people who have keys of their own. */
  readonly object: string;
  /** The id of that report at the server. */
  readonly event: string;
};

/** A report as it is sent, without what identifies the player. */
export type OutgoingReport = Omit<QueuedReport, "seq" | "refusals" | "source" | "message" | "stackTrace"> &
  TargetMarks & {
    readonly type: string;
    readonly message: string;
    /** The frames of the stack, innermost first. */
    readonly frames: readonly Frame[];
    /** The stack as the engine wrote it. Empty if there is none. */
    readonly stack: string;
    /** Earlier events of the same sender, oldest first. */
    readonly precedingEvents: readonly PrecedingEvent[];
    readonly isTest: boolean;
    readonly video: VideoLink | null;
  };

/** What a request led to. Until `notBeforeMs`, the server wants no other request. */
export type SendResult = {
  readonly verdict: AnswerVerdict;
  readonly notBeforeMs: number | null;
  /** The same for videos. */
  readonly videosNotBeforeMs?: number | null;
  readonly status: number | null;
  readonly answer: string | null;
};

/** What a server will never get: reports, and videos that were attachments, in bytes. */
export type Dropped = { readonly reports: number; readonly videoBytes: number };
export const nothingDropped: Dropped = { reports: 0, videoBytes: 0 };

export type Sender = {
  /**
   * Sends reports, and tells of what was dropped. Calls `onLeaves` with the body of each request that
   * leaves this computer, without the headers, which contain the key. Rejects if no answer arrives.
   */
  send(
    reports: readonly OutgoingReport[],
    dropped: Dropped,
    signal: AbortSignal,
    onLeaves: (body: string) => void,
  ): Promise<SendResult>;
  /** Whether `send` tells the server of what was dropped. */
  readonly tellsDropped: boolean;
  /** How many requests it has sent, also those for the server's time. */
  readonly requests: number;
  close(): void;
};

/** Address and headers of a target. Stored as one secret. */
export type TargetCredentials = {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether plain http to a private address is allowed. */
  readonly withoutTls?: boolean | undefined;
  /** The certificate of an authority that may vouch for the server, in PEM form. */
  readonly certificate?: string | undefined;
};
/** The link of a report as members whose names begin with `prefix`; none if it has no link. */
export const videoMembers = ({ video }: OutgoingReport, prefix: string): Record<string, string> =>
  Object.fromEntries(Object.entries(video ?? {}).map(([name, value]) => [prefix + name, value]));

/** Maximum reports per request. */
export const reportsPerRequestMax: Readonly<Record<ForwardKind, number>> = { sentry: 1, otlp: 50 };

export const stackCharsMax = 32 * 1024;
const framesMax = 100;
const errorTypePattern =
  /^(?:Uncaught )?(?:\(in promise\) )?((?:[A-Za-z_$][\w$]{0,60}\.){0,10}[A-Za-z_$]?[\w$]{0,60}(?:Error|Exception|Fault))(?::\s|\n|$)/;

/** Splits a message into its error type and the rest. */
function typeAndMessage(headline: string): { type: string; message: string } {
  const [found, type] = errorTypePattern.exec(headline) ?? [];
  if (found === undefined || type === undefined) return { type: "Error", message: headline };
  return { type, message: headline.slice(found.length).trim() || headline };
}

/** Removes everything that identifies the player from all parts of a report. */
export function scrubReport(
  { seq: _, refusals: __, source: ___, message, stackTrace, ...rest }: QueuedReport,
  precedingEvents: readonly PrecedingEvent[],
  scrub: ScrubText,
  marks: TargetMarks,
): OutgoingReport {
  const stack = parseStack(message, stackTrace);
  const words = typeAndMessage(stack.headline);
  const clean = (text: string | null) => (text === null ? null : scrub(text));
  return {
    ...rest,
    ...marks,
    game: clean(rest.game),
    build: scrub(rest.build),
    key: rest.version === 0 ? scrub(rest.key) : rest.key,
    type: scrub(words.type),
    message: scrub(words.message),
    frames: stack.frames.slice(0, framesMax).map((frame) => ({
      ...frame,
      function: clean(frame.function),
      file: clean(frame.file),
      text: scrub(frame.text),
    })),
    stack: scrub(stack.raw.slice(0, stackCharsMax)),
    precedingEvents: precedingEvents.map((crumb) => ({ ...crumb, text: scrub(crumb.text) })),
    isTest: false,
    video: null,
  };
}
