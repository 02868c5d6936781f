// Creates the social slice.
import type { GameRegistry } from "../games/games.ts";
import type { Feed } from "../inbox/feed.ts";
import { insertReceiptStateOrReason } from "../inbox/inbox-store.ts";
import { createOutbound } from "../outbound/outbound.ts";
import type { Recording } from "../recording/recording.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { createSocial, type Social } from "../social/social.ts";
import type { Core } from "./core.ts";

/** A post gets the footage of its moment, and a copy that its network accepts, from recording. */
export function wireSocial({
  games,
  recording,
  feed,
  ...core
}: Omit<Core, "config"> & {
  readonly games: GameRegistry;
  readonly recording: Recording;
  readonly secrets: Secrets;
  readonly feed: Feed;
}): Social {
  const { requestFootage, footageOf, fit, markShared: shared } = recording;
  const reach = createOutbound();
  const social = createSocial({
    ...core,
    outbound: reach,
    requestFootage,
    footageOf,
    fit,
    onClipShared: shared,
    stateReached: insertReceiptStateOrReason,
    gameOf: (eventId) => games.gameOf("social", eventId),
    labelOf: (eventId, game) => games.displayName(eventId, game),
    onChanged: (what) => feed.notifyChange(what),
    onReceipts: feed.wake,
  });
  return { ...social, stop: () => social.stop().then(reach.close) };
}
