// Makes one attempt at a post like the outbox, for tests.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isNothingSent } from "../../../outbound/failure.ts";
import type { Outbound } from "../../../outbound/outbound.ts";
import type {
  AttemptContext,
  Credentials,
  Learned,
  Network,
  OutgoingPost,
  PostMedia,
  SendOutcome,
  StoredSteps,
} from "../network.ts";

export const outgoing = (more: Partial<OutgoingPost> = {}): OutgoingPost => ({
  key: "0193b7f0-0000-7000-8000-000000000001",
  title: "Boss defeated",
  text: "Beat the Kraken at last!",
  contentWarning: "",
  altText: "",
  visibility: "public",
  media: null,
  source: { post: "post-1", event: "event-1", eventId: "saga_boss_defeated", game: "saga", atMs: 1_795_341_600_000 },
  ...more,
});

/** Result of an attempt: an outcome, or no answer and whether anything was sent. */
export type Result = {
  readonly outcome: SendOutcome | { readonly outcome: "nothing" | "lost"; readonly error: unknown };
  readonly committed: number;
  readonly remembered: StoredSteps;
  readonly learned: Learned;
  readonly progress: readonly number[];
};

export type AttemptOptions = {
  readonly reach: Outbound;
  /** Maximum wait for the server once the post may exist. A sign-in before it keeps its own limit. */
  readonly withinMs?: number;
  readonly signal?: AbortSignal;
  readonly remembered?: StoredSteps;
  readonly learned?: Learned;
  readonly now?: () => number;
};

export function contextOf({ reach, withinMs, signal, remembered = {}, learned = {}, now = Date.now }: AttemptOptions) {
  const seen = { committed: 0, remembered, learned, progress: [] as number[] };
  const limits = () => (withinMs === undefined || seen.committed === 0 ? {} : { withinMs });
  const limited: Outbound = {
    clientFor(server) {
      const client = reach.clientFor(server);
      return { ...client, fetch: (url, init) => client.fetch(url, { ...init, ...limits() }) };
    },
    close: reach.close,
  };
  const needs: AttemptContext = {
    // Bluesky's sign-ins belong to the object that is given here.
    outbound: withinMs === undefined ? reach : limited,
    signal: signal ?? new AbortController().signal,
    now,
    stored: remembered,
    async store(more) {
      seen.remembered = { ...seen.remembered, ...more };
    },
    learned,
    async learn(more) {
      seen.learned = { ...seen.learned, ...more };
    },
    async markCommitted() {
      seen.committed += 1;
    },
    onProgress: (share) => void seen.progress.push(share),
  };
  return { needs, seen };
}

export async function tryOnce(
  network: Network,
  access: Credentials,
  post: OutgoingPost,
  options: AttemptOptions,
): Promise<Result> {
  const { needs, seen } = contextOf(options);
  const outcome = await network
    .send(access, post, network.limits, needs)
    .catch((error: unknown) => ({ outcome: isNothingSent(error) ? ("nothing" as const) : ("lost" as const), error }));
  return { outcome, ...seen };
}

/** A file of the given size. It is not playable, but no stand-in checks that. */
export function makeMedia(bytes: number, kind: PostMedia["kind"] = "clip") {
  const folder = mkdtempSync(join(tmpdir(), "kit-media-"));
  const mime = kind === "clip" ? ("video/mp4" as const) : ("image/jpeg" as const);
  const path = join(folder, "made");
  const content = Buffer.alloc(bytes, "A clip of a moment. ");
  writeFileSync(path, content);
  const media: PostMedia = { path, kind, mime, bytes, seconds: 12.5, width: 1_280, height: 720 };
  return { media, content, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}
