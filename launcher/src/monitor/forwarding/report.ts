// A report on its way out: as it is kept, and as it is told to others, without what names the player.
import type { ForwardKind } from "@kit/contract";
import { type Dialect, type Frame, parseStack } from "../stack/stack.ts";
import type { Scrub } from "./scrub/scrub.ts";
import type { Verdict } from "./verdict.ts";

/** new: the first of its kind; regressed: the first since it was resolved. */
export type News = "new" | "regressed" | "more";

/** As it waits. */
export type Waiting = {
  readonly seq: number;
  readonly event: string;
  readonly news: News;
  readonly refused: number;
  /** The how manieth of its kind. */
  readonly number: number;
  readonly atMs: number;
  readonly issue: string;
  readonly game: string | null;
  readonly dialect: Dialect;
  readonly version: number;
  readonly key: string;
  readonly message: string;
  readonly stackTrace: string;
};

export type Crumb = { readonly atMs: number; readonly kind: string; readonly text: string };

/** As others are told. */
export type OutgoingReport = Omit<Waiting, "seq" | "refused" | "message" | "stackTrace"> & {
  readonly type: string;
  readonly message: string;
  /** Innermost first. */
  readonly frames: readonly Frame[];
  /** As the engine wrote it; empty where there was none. */
  readonly stack: string;
  /** What the same sender sent before, oldest first. */
  readonly before: readonly Crumb[];
  readonly isTest: boolean;
};

/** What became of a try. `notBeforeMs`: the server wants no other before. */
export type Tried = {
  readonly verdict: Verdict;
  readonly notBeforeMs: number | null;
  readonly status: number | null;
  readonly answer: string | null;
};

/** Sends what it is given in one request; rejects when no answer came. */
export type Send = (reports: readonly OutgoingReport[], signal: AbortSignal) => Promise<Tried>;

/** What is known of a server besides what is shown. A secret as a whole. */
export type Access = { readonly address: string; readonly headers: Readonly<Record<string, string>> };
/** How many reports go into one request. */
export const batchMax: Readonly<Record<ForwardKind, number>> = { sentry: 1, otlp: 50 };

export const stackCharsMax = 32 * 1024;
const framesMax = 100;
const typeOf =
  /^(?:Uncaught )?(?:\(in promise\) )?((?:[A-Za-z_$][\w$]{0,60}\.){0,10}[A-Za-z_$]?[\w$]{0,60}(?:Error|Exception|Fault))(?::\s|\n|$)/;

/** The error's type, where its words begin with one, and the rest. */
function typeAndMessage(headline: string): { type: string; message: string } {
  const [found, type] = typeOf.exec(headline) ?? [];
  if (found === undefined || type === undefined) return { type: "Error", message: headline };
  return { type, message: headline.slice(found.length).trim() || headline };
}

/** Without what names the player, in whatever part of it. */
export function scrubReport(
  { seq: _, refused: __, message, stackTrace, ...rest }: Waiting,
  before: readonly Crumb[],
  scrub: Scrub,
): OutgoingReport {
  const stack = parseStack(message, stackTrace);
  const words = typeAndMessage(stack.headline);
  const clean = (text: string | null) => (text === null ? null : scrub(text));
  return {
    ...rest,
    game: clean(rest.game),
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
    before: before.map((crumb) => ({ ...crumb, text: scrub(crumb.text) })),
    isTest: false,
  };
}
