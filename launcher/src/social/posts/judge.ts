// Finds the problems of a post with its current accounts and the limits of their networks.
import type { Account, Delivery } from "@kit/contract";
import type { TextRules, TextTarget } from "../text-fit.ts";
import { type PostDraft, type Problem, problemsOf } from "./problems.ts";

/** Returns the problems of a post. Empty if it can be sent. */
export type FindProblems = (post: PostDraft & { readonly deliveries: readonly Delivery[] }) => Promise<Problem[]>;

export const createProblemFinder =
  (accounts: () => Promise<readonly Account[]>, counting: TextRules): FindProblems =>
  async (post) => {
    const all = await accounts();
    const targets = post.deliveries
      .filter(({ state }) => state === "waiting")
      .flatMap(({ account }): readonly TextTarget[] => all.filter(({ id }) => id === account));
    return problemsOf(post, targets, counting);
  };
