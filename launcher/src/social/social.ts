// The social slice: turns social triggers into drafts, and delivers approved posts to each account once.
import type { Clip, Names } from "@kit/contract";
import { createSerialQueue } from "../async.ts";
import type { Route } from "../http/route.ts";
import { log } from "../log.ts";
import type { Outbound } from "../outbound/outbound.ts";
import type { Storage } from "../storage/storage.ts";
import { createAccounts } from "./accounts/accounts.ts";
import type { AccountSecrets } from "./accounts/credentials.ts";
import { createDeliveries } from "./delivery/deliveries.ts";
import type { ClipParts, FitMedia, FootageFile } from "./delivery/prepare-media.ts";
import { networks } from "./networks/networks.ts";
import { createClipPosts, type SayIn } from "./posts/clip-posts.ts";
import { createDrafting, type ReceivedBatch, type TriggerEntry } from "./posts/drafting.ts";
import {
  createFootageArrivalHandler,
  createFootageWatch,
  type FootageOwner,
  type FootageRequest,
} from "./posts/post-footage.ts";
import { createPostMedia } from "./posts/post-media.ts";
import { createPostStore } from "./posts/post-store.ts";
import { createPosts } from "./posts/posts.ts";
import { createProblemFinder } from "./posts/problems.ts";
import { createReceiptStatement, type ReceiptStateStatement } from "./posts/receipts.ts";
import { startPostUpkeep } from "./posts/upkeep.ts";
import { socialRoutes } from "./routes.ts";
import { createPostRuleStore } from "./rules/rule-store.ts";
import { createPostPreview, createPostRules, createPostSettings } from "./rules/rules.ts";

export type SocialDeps = {
  readonly storage: Pick<Storage, "read" | "write" | "isResting">;
  readonly secrets: AccountSecrets;
  readonly outbound: Outbound;
  readonly now: () => number;
  readonly stateReached: ReceiptStateStatement;
  /** Returns the game that social triggers with this id belong to. */
  readonly gameOf: (eventId: string) => string | null;
  readonly names: Names;
  readonly sayIn: SayIn;
  /** May be called repeatedly for an event. Resolves when it is known whether there will be footage. */
  readonly requestFootage: (wanted: FootageRequest) => Promise<void>;
  readonly footageOf: (event: string) => Promise<FootageFile>;
  readonly footageOfClip: (clip: string) => Promise<FootageFile>;
  /** Throws KitError if there is no such clip. */
  readonly clipOf: (id: string) => Promise<Clip>;
  readonly parts: ClipParts;
  /** Returns the path of a clip's poster; undefined if it has none. */
  readonly posterOf: (clip: string) => Promise<string | undefined>;
  readonly fit: FitMedia;
  /** Called when a clip was posted. */
  readonly onClipShared: (clip: string) => Promise<void>;
  readonly onChanged: (what: "posts" | "accounts") => void;
  /** Called when receipts were written. */
  readonly onReceipts: () => void;
};

export type Social = {
  readonly kind: "social";
  /** Continues what the previous run left: deliveries, and posts that wait for footage. */
  load(): Promise<void>;
  /** Turns triggers into posts. The caller commits the statements together with the slice's cursor, then calls `committed`. */
  receive(entries: readonly TriggerEntry[]): Promise<ReceivedBatch>;
  /** To be called whenever clips changed. Cheap. */
  onFootageChanged(): void;
  readonly routes: readonly Route[];
  /** Resolves when running work has ended. */
  stop(): Promise<void>;
};

export function createSocial(needs: SocialDeps): Social {
  const { storage, now, stateReached } = needs;
  const footageOf = ({ event, fromClip }: FootageOwner): Promise<FootageFile> =>
    fromClip === null ? needs.footageOf(event ?? "") : needs.footageOfClip(fromClip);
  const onFailure = log.operationFailed;
  const accounts = createAccounts({ ...needs, networks });
  const deliveries = createDeliveries({ ...needs, accounts, networks, footage: footageOf, onFailure });
  const store = createPostStore(storage);
  const ruleStore = createPostRuleStore(storage);

  const onSettingsChanged = () => needs.onChanged("posts");
  const onChanged = () => {
    onSettingsChanged();
    needs.onReceipts();
    deliveries.wake();
    footage.checkWaiting();
  };
  const common = {
    write: storage.write,
    serialize: createSerialQueue(),
    now,
    names: needs.names,
    accounts: accounts.all,
    textRules: networks,
  };
  const settings = createPostSettings({ ...common, store: ruleStore, onChanged: onSettingsChanged });
  const rules = createPostRules({ ...common, store: ruleStore, onChanged: onSettingsChanged });
  const preview = createPostPreview({ ...common, gameOf: needs.gameOf });
  const deciding = {
    ...common,
    store,
    settings: settings.get,
    onChanged,
    findProblems: createProblemFinder(accounts.all, networks),
    receiptStatement: createReceiptStatement(stateReached, now),
  };
  const { requestFootage } = needs;
  const footage = createFootageWatch({
    store,
    requestFootage,
    footageOf,
    onArrived: createFootageArrivalHandler(deciding),
    onFailure,
  });
  const drafting = createDrafting({ ...deciding, rules: ruleStore.all, stateReached, footage, onDrafted: onChanged });
  const posts = createPosts({ ...deciding, footageOf, progressOf: deliveries.progressOf });
  const clipPosts = createClipPosts({ ...needs, ...deciding, footageOf, rules: ruleStore.all });
  const media = createPostMedia({ ...needs, find: posts.get, footageOf });
  const upkeep = startPostUpkeep({ ...deciding, isResting: storage.isResting, onFailure });

  return {
    kind: "social",
    async load() {
      await deliveries.load();
      footage.checkWaiting();
      void upkeep.run();
    },
    receive: drafting.receive,
    onFootageChanged: footage.checkWaiting,
    routes: socialRoutes({ posts, media, clipPosts, settle: deliveries.settle, rules, preview, settings, accounts }),
    async stop() {
      await Promise.all([upkeep.stop(), footage.stop()]);
      await deliveries.stop();
    },
  };
}
