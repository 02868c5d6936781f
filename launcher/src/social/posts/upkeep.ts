// Once a minute: drafts nobody decided on expire, and the oldest posts go.
import type { PostSettings } from "@kit/contract";
import type { Serialize } from "../../async/serial.ts";
import type { Statement } from "../../storage/sql.ts";
import { ended, type PostStore, thinned } from "./post-store.ts";
import type { Said } from "./receipts.ts";

const everyMs = 60_000;
/** Posts that are kept; beyond it the oldest of those at an end go. */
const keptMax = 10_000;
const batchMax = 200;

export type PostUpkeepNeeds = {
  readonly store: Pick<PostStore, "overdue" | "all">;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly serialize: Serialize;
  readonly settings: () => Promise<PostSettings>;
  readonly said: Said;
  readonly now: () => number;
  readonly onChanged: () => void;
  readonly onFailure: (what: string, error: unknown) => void;
  readonly keptMax?: number;
};

export type PostUpkeep = {
  /** Does what is due. */
  look(): Promise<void>;
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
};

export function startPostUpkeep(needs: PostUpkeepNeeds): PostUpkeep {
  const { store, write, serialize, settings, said, now, onChanged, onFailure } = needs;
  const keep = needs.keptMax ?? keptMax;
  let looking: Promise<void> | undefined;

  const expire = async (): Promise<boolean> => {
    const overdue = await store.overdue(now(), batchMax);
    if (overdue.length === 0) return false;
    const { expireHours } = await settings();
    const why = `nobody decided on it within ${expireHours} hours`;
    await write(...overdue.flatMap((kept) => [ended(kept.seq, "expired"), said(kept, "ignored", why)]));
    return true;
  };
  const lookOnce = async () => {
    try {
      let isChanged = false;
      while (await serialize(expire)) isChanged = true;
      if ((await store.all()) > keep) {
        await write(thinned(keep));
        isChanged = true;
      }
      if (isChanged) onChanged();
    } catch (error) {
      onFailure("posts", error);
    }
  };
  const look = () => {
    looking ??= lookOnce().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const timer = setInterval(look, everyMs).unref();
  return {
    look,
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
