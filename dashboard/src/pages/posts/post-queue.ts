// The queue of posts. Each post keeps its position, so that no key or click acts on another post than intended.
import type { Post, PostState } from "@kit/contract";

const pendingStates: readonly PostState[] = ["draft", "unsure", "failed"];

/** Whether a post waits for a person's decision. */
export const needsDecision = ({ state }: Pick<Post, "state">): boolean => pendingStates.includes(state);

const draftsFirst = (posts: readonly Post[]) => [
  ...posts.filter(({ state }) => state === "draft"),
  ...posts.filter(({ state }) => state !== "draft"),
];

type QueueInput = {
  /** Ids of the posts in the order in which they are shown now. */
  readonly before: readonly string[];
  /** Posts that wait for a decision, newest first. */
  readonly waiting: readonly Post[];
  /** Every post that the page knows, in its current version. */
  readonly known: ReadonlyMap<string, Post>;
};

export type PostQueue = {
  readonly posts: readonly Post[];
  /** How many new drafts are not shown yet. */
  readonly newDrafts: number;
};

/**
 * Returns the queue to show. Decided posts stay in place; new drafts are added only when nothing else is left to
 * decide.
 */
export function buildQueue({ before, waiting, known }: QueueInput): PostQueue {
  const shown = before.flatMap((id) => known.get(id) ?? []);
  const open = shown.filter(needsDecision);
  const others = waiting.filter(({ id }) => !before.includes(id));
  if (open.length === 0) return { posts: [...draftsFirst(others), ...shown], newDrafts: 0 };
  const newest = shown.reduce((latest, { createdAt }) => (createdAt > latest ? createdAt : latest), "");
  // The rest are new drafts. All others are added now: at the end, they move no other post.
  const late = others.filter(({ createdAt, state }) => state !== "draft" || createdAt <= newest);
  return { posts: [...shown, ...late], newDrafts: others.length - late.length };
}

/** Returns the next draft after a post, or else the first one before it. */
export function nextDraft(posts: readonly Post[], id: string): string | undefined {
  const at = posts.findIndex((post) => post.id === id);
  const line = [...posts.slice(at + 1), ...posts.slice(0, Math.max(at, 0))];
  return line.find(({ state }) => state === "draft")?.id;
}
