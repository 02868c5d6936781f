// Why a post cannot go as it is, and what a person can do: its footage, its text, where it goes to.
import type { Attachment, PostFootage } from "@kit/contract";
import { type Counting, type Target, tooLong, type Words } from "../fit.ts";

export type PostDraft = Words & {
  readonly attach: Attachment;
  readonly without: "ask" | "post";
  readonly footage: Pick<PostFootage, "state" | "says">;
};

/** `path`: what of the post to change, as a JSON pointer. */
export type Problem = { readonly path: "/attach" | "/text" | ""; readonly says: string };

/** In the order in which a person has to deal with them; empty when it can go. */
export function problemsOf(post: PostDraft, targets: readonly Target[], counting: Counting): Problem[] {
  const { attach, without, footage } = post;
  const problems: Problem[] = [];
  const isMissing = attach !== "none" && footage.state === "missing";
  if (targets.length === 0) problems.push({ path: "", says: "None of its accounts is connected any more: skip it." });
  if (isMissing && without === "ask") {
    const why = footage.says === null ? "" : `: ${footage.says}`;
    const says = `Its ${attach} cannot be had${why}. Have it posted without one (attach none), or skip it.`;
    problems.push({ path: "/attach", says });
  }
  if (post.text.trim() === "" && (attach === "none" || isMissing))
    problems.push({ path: "/text", says: "It has no text and shows nothing: write a text." });
  const long = targets.flatMap((target) => tooLong(counting, target, post) ?? []);
  return [...problems, ...long.map((says) => ({ path: "/text", says }) as const)];
}
