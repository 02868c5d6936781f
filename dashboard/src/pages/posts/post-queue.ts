// The queue of posts. Each post keeps its position, so that no key press or click hits another post by accident.
import type { Post, PostState } from "@kit/contract";

const pendingStates: readonly PostState[] = ["draft", "unsure", "failed"];

/** Whether a post waits for a person's decision. */
export const needsPerson = ({ state }: Pick<Post, "state">): boolean => pendingStates.includes(state);

const draftsFirst = (posts: readonly Post[]) => [
  ...posts.filter(({ state }) => state === "draft"),
  ...posts.filter(({ state }) => state !== "draft"),
];

type QueueInput = {
  /** Ids of the posts in the order currently shown. */
  readonly before: readonly string[];
  /** Posts that wait for a person, newest first. */
  readonly waiting: readonly Post[];
  /** Current version of every post the page knows. */
  readonly known: ReadonlyMap<string, Post>;
};

export type PostQueue = {
  readonly posts: readonly Post[];
  /** Number of new drafts that are not shown yet. */
  readonly newDrafts: number;
};

/** Keeps decided posts in place. New drafts are added only when nothing else is left to decide. */
export function buildQueue({ before, waiting, known }: QueueInput): PostQueue {
  const shown = before.flatMap((id) => known.get(id) ?? []);
  const open = shown.filter(needsPerson);
  const others = waiting.filter(({ id }) => !before.includes(id));
  if (open.length === 0) return { posts: [...draftsFirst(others), ...shown], newDrafts: 0 };
  const newest = shown.reduce((latest, { createdAt }) => (createdAt > latest ? createdAt : latest), "");
  // The rest are new drafts. Everything else can be added now, because at the end it moves no other post.
  const late = others.filter(({ createdAt, state }) => state !== "draft" || createdAt <= newest);
  return { posts: [...shown, ...late], newDrafts: others.length - late.length };
}

/** The next draft after a post, otherwise the first one before it. */
export function nextDraft(posts: readonly Post[], id: string): string | undefined {
  const at = posts.findIndex((post) => post.id === id);
  const line = [...posts.slice(at + 1), ...posts.slice(0, Math.max(at, 0))];
  return line.find(({ state }) => state === "draft")?.id;
}
