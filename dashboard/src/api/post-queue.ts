// The queue as it is shown: each post keeps its place while it is looked at, so that no key or click meets another one.
import type { Post, PostState } from "@kit/contract";

const waits: readonly PostState[] = ["draft", "unsure", "failed"];

/** Whether a person has to decide something about it. */
export const needsPerson = ({ state }: Pick<Post, "state">): boolean => waits.includes(state);

const inOrder = (posts: readonly Post[]) => [
  ...posts.filter(({ state }) => state === "draft"),
  ...posts.filter(({ state }) => state !== "draft"),
];

type Given = {
  /** The ids in the order in which they are shown now. */
  readonly before: readonly string[];
  /** What waits for a person, the newest first. */
  readonly waiting: readonly Post[];
  /** Every post the page knows, as it is now. */
  readonly known: ReadonlyMap<string, Post>;
};

export type Queue = {
  readonly posts: readonly Post[];
  /** Drafts that came since, and wait to be asked for. */
  readonly arrived: number;
};

/** Decided posts stay where they are; what is new comes in only where nothing is left to decide. */
export function queueOf({ before, waiting, known }: Given): Queue {
  const shown = before.flatMap((id) => known.get(id) ?? []);
  const open = shown.filter(needsPerson);
  const others = waiting.filter(({ id }) => !before.includes(id));
  if (open.length === 0) return { posts: [...inOrder(others), ...shown], arrived: 0 };
  const newest = shown.reduce((latest, { createdAt }) => (createdAt > latest ? createdAt : latest), "");
  // Older ones were further down, or were decided before and are a draft again: they move nothing at the end.
  const late = others.filter(({ createdAt, state }) => state !== "draft" || createdAt <= newest);
  return { posts: [...shown, ...late], arrived: others.length - late.length };
}

/** The draft that is next in line after a post, or the first before it. */
export function nextDraft(posts: readonly Post[], id: string): string | undefined {
  const at = posts.findIndex((post) => post.id === id);
  const line = [...posts.slice(at + 1), ...posts.slice(0, Math.max(at, 0))];
  return line.find(({ state }) => state === "draft")?.id;
}
