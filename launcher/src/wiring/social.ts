// What social is handed.
import type { Games } from "../games/games.ts";
import type { Feed } from "../inbox/feed.ts";
import { stateSaid } from "../inbox/inbox-store.ts";
import { createOutbound } from "../outbound/outbound.ts";
import type { Recording } from "../recording/recording.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { createSocial, type Social } from "../social/social.ts";
import type { Core } from "./core.ts";

/** A post asks recording for the footage of its moment, and for a copy that its network takes. */
export function createSocialFor({
  games,
  recording,
  feed,
  ...core
}: Omit<Core, "config"> & {
  readonly games: Games;
  readonly recording: Recording;
  readonly secrets: Secrets;
  readonly feed: Feed;
}): Social {
  const { requestFootage, footageOf, fit, shared } = recording;
  const reach = createOutbound();
  const social = createSocial({
    ...core,
    reach,
    requestFootage,
    footageOf,
    fit,
    shared,
    stateReached: stateSaid,
    gameOf: (eventId) => games.gameOf("social", eventId),
    wordsOf: games.wordsOf,
    onChanged: (what) => feed.changed(what),
    onReceipts: feed.wake,
  });
  return { ...social, stop: () => social.stop().then(reach.close) };
}
