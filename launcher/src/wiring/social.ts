// Creates the social slice.
import { insertReceiptStateOrReason } from "../inbox/index.ts";
import { createOutbound } from "../outbound/outbound.ts";
import type { Recording } from "../recording/recording.ts";
import { createSocial, type Social } from "../social/social.ts";
import type { SharedDeps } from "./shared.ts";

/** A post gets the footage of its moment, and a copy that its network accepts, from recording. */
export function wireSocial({ storage, now, games, secrets, feed }: SharedDeps, recording: Recording): Social {
  const { requestFootage, footageOf, fit, markShared } = recording;
  const outbound = createOutbound();
  const social = createSocial({
    storage,
    now,
    secrets,
    outbound,
    requestFootage,
    footageOf,
    fit,
    onClipShared: markShared,
    stateReached: insertReceiptStateOrReason,
    gameOf: (eventId) => games.gameOf("social", eventId),
    labelOf: (eventId, game) => games.displayName(eventId, game),
    onChanged: (what) => feed.notifyChange(what),
    onReceipts: feed.wake,
  });
  return { ...social, stop: () => social.stop().then(outbound.close) };
}
