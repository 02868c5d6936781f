// Runs regularly: lets drafts expire that nobody decided on, and deletes the oldest finished posts.

import type { PostSettings } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type Serialize, shareRun } from "../../async.ts";
import type { Statement } from "../../storage/sql.ts";
import { startUpkeepTimer } from "../../storage/storage.ts";
import { closeDraft, deleteOldestPosts, type PostStore } from "./post-store.ts";
import type { ReceiptStatement } from "./receipts.ts";

/** Maximum stored posts. Beyond it, the oldest finished ones are deleted. */
const postsMax = 10_000;
const batchMax = 200;

export type PostUpkeepDeps = {
  readonly store: Pick<PostStore, "expiredDrafts" | "countPosts">;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly serialize: Serialize;
  readonly settings: () => Promise<PostSettings>;
  readonly receiptStatement: ReceiptStatement;
  readonly isResting: () => boolean;
  readonly now: () => number;
  readonly onChanged: () => void;
  readonly onFailure: (what: string, error: unknown) => void;
  readonly postsMax?: number;
};

export type PostUpkeep = {
  /** Does the work that is due. If a run is in progress, waits for it instead. */
  run(): Promise<void>;
  /** Resolves when running work has ended. */
  stop(): Promise<void>;
};

export function startPostUpkeep(needs: PostUpkeepDeps): PostUpkeep {
  const { store, write, serialize, settings, receiptStatement, now, onChanged, onFailure } = needs;
  const keep = needs.postsMax ?? postsMax;

  const expire = async (): Promise<boolean> => {
    const overdue = await store.expiredDrafts(now(), batchMax);
    if (overdue.length === 0) return false;
    const { expireHours } = await settings();
    const why = message("post.nobody_decided", { hours: expireHours });
    await write(
      ...overdue.flatMap((kept) => [closeDraft(kept.seq, "expired"), receiptStatement(kept, "ignored", why)]),
    );
    return true;
  };
  const { run, settled } = shareRun(async () => {
    try {
      let isChanged = false;
      while (await serialize(expire)) isChanged = true;
      if ((await store.countPosts()) > keep) {
        await write(deleteOldestPosts(keep));
        isChanged = true;
      }
      if (isChanged) onChanged();
    } catch (error) {
      onFailure("posts", error);
    }
  });
  const stopTimer = startUpkeepTimer({ run, isResting: needs.isResting });
  return {
    run,
    async stop() {
      stopTimer();
      await settled();
    },
  };
}
