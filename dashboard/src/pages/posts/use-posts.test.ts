// Tests of the queue of posts: visible posts keep their positions while posts are decided and new ones arrive.
import assert from "node:assert/strict";
import type { Post, PostState } from "@kit/contract";
import { test } from "vitest";
import { buildQueue, nextDraft } from "./use-posts.ts";

const postOf = (id: string, createdAt: number, state: PostState = "draft") =>
  ({ id, state, createdAt: new Date(createdAt).toISOString() }) as Post;

const knownOf = (...posts: Post[]) => new Map(posts.map((post) => [post.id, post]));
const idsOf = (queue: { posts: readonly Post[] }) => queue.posts.map(({ id }) => id);

test("drafts are listed before posts that failed or may have been sent", () => {
  const waiting = [postOf("c", 3, "failed"), postOf("b", 2), postOf("a", 1)];
  const queue = buildQueue({ before: [], waiting, known: knownOf(...waiting) });
  assert.deepEqual([idsOf(queue), queue.newDrafts], [["b", "a", "c"], 0]);
});

test("a decided post keeps its position, and a new draft is only counted", () => {
  const a = postOf("a", 1);
  const b = postOf("b", 2, "approved");
  const known = knownOf(a, b, postOf("c", 3));
  const queue = buildQueue({ before: ["b", "a"], waiting: [postOf("c", 3), a], known });
  assert.deepEqual([idsOf(queue), queue.newDrafts], [["b", "a"], 1]);
});

test("new drafts are shown at once if nothing on the page is left to decide", () => {
  const known = knownOf(postOf("a", 1, "skipped"), postOf("b", 2));
  const queue = buildQueue({ before: ["a"], waiting: [postOf("b", 2)], known });
  assert.deepEqual([idsOf(queue), queue.newDrafts], [["b", "a"], 0]);
});

test("an older post, a newly failed post and a removed post do not move the posts above them", () => {
  const a = postOf("a", 2);
  const b = postOf("b", 1);
  const z = postOf("z", 9, "failed");
  const queue = buildQueue({ before: ["x", "a"], waiting: [z, a, b], known: knownOf(a, b, z) });
  assert.deepEqual([idsOf(queue), queue.newDrafts], [["a", "z", "b"], 0]);
});

test("after a decision the next draft is selected, or else the first one above it", () => {
  const posts = [postOf("a", 4), postOf("b", 3, "approved"), postOf("c", 2, "failed"), postOf("d", 1)];
  assert.equal(nextDraft(posts, "a"), "d");
  assert.equal(nextDraft(posts, "d"), "a");
  assert.equal(nextDraft([postOf("a", 1)], "a"), undefined);
});
