// Judges a post as it stands now: by the accounts it waits for, and what their networks take.
import type { Account, Delivery } from "@kit/contract";
import type { Counting, Target } from "../fit.ts";
import { type PostDraft, type Problem, problemsOf } from "./problems.ts";

/** The problems of a post; empty when it can go. */
export type Judge = (post: PostDraft & { readonly deliveries: readonly Delivery[] }) => Promise<Problem[]>;

export const createJudge =
  (accounts: () => Promise<readonly Account[]>, counting: Counting): Judge =>
  async (post) => {
    const all = await accounts();
    const targets = post.deliveries
      .filter(({ state }) => state === "waiting")
      .flatMap(({ account }): readonly Target[] => all.filter(({ id }) => id === account));
    return problemsOf(post, targets, counting);
  };
