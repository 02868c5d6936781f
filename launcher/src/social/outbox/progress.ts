// How much of each delivery under way is done: in memory only, and told now and then.
import type { Delivery } from "./outbox-store.ts";

const tellEveryMs = 500;

export function createProgress(onTold: () => void) {
  const shares = new Map<string, number>();
  let toldAtMs = Number.NEGATIVE_INFINITY;
  const keyOf = (post: string, account: string) => `${post} ${account}`;
  return {
    of: (post: string, account: string): number | null => shares.get(keyOf(post, account)) ?? null,
    /** null: nothing of it is under way. */
    set({ post, account }: Pick<Delivery, "post" | "account">, share: number | null): void {
      const key = keyOf(post, account);
      if (share === null) return void shares.delete(key);
      shares.set(key, Math.min(1, Math.max(0, share)));
      if (performance.now() - toldAtMs < tellEveryMs) return;
      toldAtMs = performance.now();
      onTold();
    },
  };
}
