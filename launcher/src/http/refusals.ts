// The requests that were not accepted, kept for the person who has to find out why. In memory, bounded, counted.
import { type EventKind, ingestOf, type KitError, type ProblemCode, problems, type Refusal } from "@kit/contract";

const refusalsKept = 200;
const bodyCharsMax = 2_048;
const headCharsMax = 300;

export type RefusedRequest = {
  readonly method: string;
  readonly target: string;
  readonly origin: string | null;
  readonly client: string | null;
  readonly body: string | null;
};

export type Refusals = {
  add(request: RefusedRequest, error: Pick<KitError, "code" | "message" | "errors">): void;
  /** A connection whose bytes were no HTTP request. */
  addUnreadable(error: Pick<KitError, "code" | "message" | "errors">): void;
  /** Those with a number above `after`, oldest first. */
  since(after: number): readonly Refusal[];
  /** No longer kept. */
  dropped(): number;
};

function kindAt(path: string): EventKind | null {
  for (const [kind, { path: ingestPath }] of Object.entries(ingestOf)) {
    if (path === ingestPath) return kind as EventKind;
  }
  return null;
}

const cut = (text: string | null, charsMax: number) => (text === null ? null : text.slice(0, charsMax));

/** `onAdded` is called after each. Numbers begin at the clock, so that they also rise over a restart. */
export function createRefusals(now: () => number, onAdded: () => void): Refusals {
  let kept: Refusal[] = [];
  let number = now() * 1_000;
  let dropped = 0;
  const describe = (
    request: RefusedRequest,
    code: ProblemCode,
    error: Pick<KitError, "message" | "errors">,
  ): Refusal => ({
    number,
    at: new Date(now()).toISOString(),
    status: problems[code].status,
    code,
    detail: error.message,
    errors: [...error.errors],
    method: request.method.slice(0, 20),
    path: request.target.slice(0, headCharsMax),
    kind: kindAt(request.target.split("?", 1)[0] ?? ""),
    origin: cut(request.origin, headCharsMax),
    client: cut(request.client, headCharsMax),
    body: cut(request.body, bodyCharsMax),
  });
  const add: Refusals["add"] = (request, error) => {
    number += 1;
    kept.push(describe(request, error.code, error));
    if (kept.length > refusalsKept) {
      dropped += kept.length - refusalsKept;
      kept = kept.slice(-refusalsKept);
    }
    onAdded();
  };
  return {
    add,
    addUnreadable: (error) => add({ method: "", target: "", origin: null, client: null, body: null }, error),
    since: (after) => kept.filter((refusal) => refusal.number > after),
    dropped: () => dropped,
  };
}
