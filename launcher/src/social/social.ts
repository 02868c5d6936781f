// The social slice: triggers in, drafts out; what a person or a rule approved goes to each network once, and its receipt says so.
import type { ReceiptState } from "@kit/contract";
import { createSerialQueue } from "../async/serial.ts";
import type { Route } from "../http/route.ts";
import { log } from "../log.ts";
import type { Outbound } from "../outbound/outbound.ts";
import type { Statement } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import type { Secrets } from "./accounts/access.ts";
import { createAccounts } from "./accounts/accounts.ts";
import { networks } from "./networks/networks.ts";
import { createOutbox } from "./outbox/outbox.ts";
import type { Fit, FootageFile } from "./outbox/prepare.ts";
import { createArrival } from "./posts/arrival.ts";
import type { WantedFootage } from "./posts/asked-footage.ts";
import { createDrafting, type Entry, type Received } from "./posts/drafting.ts";
import { createFootageWatch } from "./posts/footage.ts";
import { createJudge } from "./posts/judge.ts";
import { createPostStore } from "./posts/post-store.ts";
import { createPosts } from "./posts/posts.ts";
import { createSaid } from "./posts/receipts.ts";
import { startPostUpkeep } from "./posts/upkeep.ts";
import { socialRoutes } from "./routes.ts";
import { createPreview } from "./rules/preview.ts";
import { createRuleStore } from "./rules/rule-store.ts";
import { createRules } from "./rules/rules.ts";
import { createPostSettings } from "./rules/settings.ts";

export type SocialNeeds = {
  readonly storage: Pick<Storage, "read" | "write">;
  readonly secrets: Secrets;
  readonly reach: Outbound;
  readonly now: () => number;
  /** States for the receipts of events; one that is reached again for another reason is said again. */
  readonly stateReached: (
    events: readonly { readonly seq: number }[],
    state: ReceiptState,
    by: string,
    atMs: number,
    reason: string | null,
  ) => Statement;
  /** The game a social trigger of that id is filed under. */
  readonly gameOf: (eventId: string) => string | null;
  /** An event in words. */
  readonly wordsOf: (eventId: string, game: string | null) => string;
  /** Idempotent by event. Resolves when footage is promised, or known that there will be none. */
  readonly requestFootage: (wanted: WantedFootage) => Promise<void>;
  readonly footageOf: (event: string) => Promise<FootageFile>;
  /** A copy of footage that keeps to a network's limits. */
  readonly fit: Fit;
  /** Somebody was shown that clip. */
  readonly shared: (clip: string) => Promise<void>;
  readonly onChanged: (what: "posts" | "accounts") => void;
  /** Receipts were written. */
  readonly onReceipts: () => void;
};

export type Social = {
  readonly kind: "social";
  /** Goes on with what an earlier launcher left: deliveries, and posts that wait for their footage. */
  load(): Promise<void>;
  /** Idempotent by event id: the statements are committed together with its place in the journal, then `committed` is called. */
  receive(entries: readonly Entry[]): Promise<Received>;
  /** Clips are others now. Cheap to call for every change. */
  footageChanged(): void;
  readonly routes: readonly Route[];
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
};

export function createSocial(needs: SocialNeeds): Social {
  const { storage, now, footageOf, stateReached } = needs;
  const onFailure = log.notKept;
  const accounts = createAccounts({ ...needs, networks });
  const outbox = createOutbox({ ...needs, accounts, networks, footage: footageOf, onFailure });
  const store = createPostStore(storage);
  const ruleStore = createRuleStore(storage);

  const onSet = () => needs.onChanged("posts");
  const onChanged = () => {
    onSet();
    needs.onReceipts();
    outbox.wake();
    footage.look();
  };
  const { wordsOf } = needs;
  const common = {
    write: storage.write,
    serialize: createSerialQueue(),
    now,
    wordsOf,
    accounts: accounts.all,
    counting: networks,
  };
  const settings = createPostSettings({ ...common, store: ruleStore, onChanged: onSet });
  const rules = createRules({ ...common, store: ruleStore, onChanged: onSet });
  const preview = createPreview({ ...common, gameOf: needs.gameOf });
  const deciding = {
    ...common,
    store,
    settings: settings.get,
    onChanged,
    judge: createJudge(accounts.all, networks),
    said: createSaid(stateReached, now),
  };
  const { requestFootage } = needs;
  const footage = createFootageWatch({ store, requestFootage, footageOf, arrived: createArrival(deciding), onFailure });
  const drafting = createDrafting({ ...deciding, rules: ruleStore.all, stateReached, footage, onDrafted: onChanged });
  const posts = createPosts({ ...deciding, footageOf, progressOf: outbox.progressOf });
  const upkeep = startPostUpkeep({ ...deciding, onFailure });

  return {
    kind: "social",
    async load() {
      await outbox.load();
      footage.look();
      void upkeep.look();
    },
    receive: drafting.receive,
    footageChanged: footage.look,
    routes: socialRoutes({ posts, outbox, rules, preview, settings, accounts }),
    async stop() {
      await Promise.all([upkeep.stop(), footage.stop()]);
      await outbox.stop();
    },
  };
}
