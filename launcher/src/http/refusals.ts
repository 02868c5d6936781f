// Records refused requests, so that a person can find out why nothing arrived. Bounded, and in memory only.
import {
  type EventKind,
  ingestOperations,
  type KitError,
  type ProblemCode,
  problemsByCode,
  type Refusal,
} from "@kit/contract";

const refusalsMax = 200;
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
  add(request: RefusedRequest, error: Pick<KitError, "code" | "detail" | "errors">): void;
  /** Records a request that could not be parsed as HTTP. */
  addUnreadable(error: Pick<KitError, "code" | "detail" | "errors">): void;
  /** Returns the refusals with a number above `after`, oldest first. */
  listSince(after: number): readonly Refusal[];
  /** Number of older refusals that were discarded. */
  droppedCount(): number;
};

function kindAt(path: string): EventKind | null {
  for (const [kind, { path: ingestPath }] of Object.entries(ingestOperations)) {
    if (path === ingestPath) return kind as EventKind;
  }
  return null;
}

const cut = (text: string | null, charsMax: number) => (text === null ? null : text.slice(0, charsMax));

/** Calls `onAdded` after each refusal. Numbers start at the current time, so they keep rising across restarts. */
export function createRefusals(now: () => number, onAdded: () => void): Refusals {
  let kept: Refusal[] = [];
  let number = now() * 1_000;
  let dropped = 0;
  const describe = (
    request: RefusedRequest,
    code: ProblemCode,
    error: Pick<KitError, "detail" | "errors">,
  ): Refusal => ({
    number,
    at: new Date(now()).toISOString(),
    status: problemsByCode[code].status,
    code,
    detail: error.detail,
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
    if (kept.length > refusalsMax) {
      dropped += kept.length - refusalsMax;
      kept = kept.slice(-refusalsMax);
    }
    onAdded();
  };
  return {
    add,
    addUnreadable: (error) => add({ method: "", target: "", origin: null, client: null, body: null }, error),
    listSince: (after) => kept.filter((refusal) => refusal.number > after),
    droppedCount: () => dropped,
  };
}
