// Finds why a post cannot be sent, and says what a person can do.
import { type Attachment, type PostFootage, textOf } from "@kit/contract";
import { type PostText, type TextRules, type TextTarget, tooLongMessage } from "../text-fit.ts";

export type PostDraft = PostText & {
  readonly attach: Attachment;
  readonly without: "ask" | "post";
  readonly footage: Pick<PostFootage, "state" | "says">;
};

/** `path` is a JSON pointer to the member of the post to change. */
export type Problem = { readonly path: "/attach" | "/text" | ""; readonly says: string };

/** Returns problems in the order in which to solve them. Empty if the post can be sent. */
export function problemsOf(post: PostDraft, targets: readonly TextTarget[], counting: TextRules): Problem[] {
  const { attach, without, footage } = post;
  const problems: Problem[] = [];
  const isMissing = attach !== "none" && footage.state === "missing";
  if (targets.length === 0)
    problems.push({ path: "", says: "None of its accounts is still connected: skip the post." });
  if (isMissing && without === "ask") {
    const why = footage.says === null ? "" : `: ${textOf(footage.says)}`;
    const says = `No ${attach}${why}. Post without it (attach none), or skip the post.`;
    problems.push({ path: "/attach", says });
  }
  if (post.text.trim() === "" && (attach === "none" || isMissing))
    problems.push({ path: "/text", says: "The post has no text and no attachment: write a text." });
  const long = targets.flatMap((target) => tooLongMessage(counting, target, post) ?? []);
  return [...problems, ...long.map((says) => ({ path: "/text", says }) as const)];
}
