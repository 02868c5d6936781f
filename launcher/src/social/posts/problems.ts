// Finds what keeps a post from being sent, and says what a person can do.
import type { Account, Attachment, Delivery, Message, PostFootage } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { PostWords } from "../networks/network.ts";
import { attachmentName, type NetworkTextRules, type TextTarget, tooLongMessage } from "../text-fit.ts";

export type PostDraft = PostWords & {
  readonly attach: Attachment;
  readonly without: "ask" | "post";
  readonly footage: Pick<PostFootage, "state" | "says">;
};

/** `path` is a JSON pointer to the member of the post that a person can change. Empty if none helps. */
export type PostProblem = { readonly path: "/attach" | "/text" | ""; readonly says: Message };

/** Returns the problems of a post, in the order in which a person can solve them. Empty if it can be sent. */
export function postProblems(
  post: PostDraft,
  targets: readonly TextTarget[],
  counting: NetworkTextRules,
): PostProblem[] {
  const { attach, without, footage } = post;
  const problems: PostProblem[] = [];
  const isMissing = attach !== "none" && footage.state === "missing";
  if (targets.length === 0) problems.push({ path: "", says: message("post.no_account") });
  if (isMissing && without === "ask") {
    const attachment = attachmentName(attach);
    const says =
      footage.says === null
        ? message("post.no_footage", { attachment })
        : message("post.no_footage_because", { attachment, reason: footage.says });
    problems.push({ path: "/attach", says });
  }
  if (post.text.trim() === "" && (attach === "none" || isMissing))
    problems.push({ path: "/text", says: message("post.empty") });
  const long = targets.flatMap((target) => tooLongMessage(counting, target, post) ?? []);
  return [...problems, ...long.map((says) => ({ path: "/text", says }) as const)];
}

/** Like `postProblems`, for the accounts that the post is still to be sent to, as they are now. */
export type FindProblems = (post: PostDraft & { readonly deliveries: readonly Delivery[] }) => Promise<PostProblem[]>;

export const createProblemFinder =
  (accounts: () => Promise<readonly Account[]>, counting: NetworkTextRules): FindProblems =>
  async (post) => {
    const all = await accounts();
    const targets = post.deliveries
      .filter(({ state }) => state === "waiting")
      .flatMap(({ account }): readonly TextTarget[] => all.filter(({ id }) => id === account));
    return postProblems(post, targets, counting);
  };
