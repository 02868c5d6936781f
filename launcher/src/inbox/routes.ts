// HTTP routes of the three ingest operations, the event list, receipts and the live feed.

import {
  type EventFilter,
  type EventKind,
  getReceipt,
  type ingestOperations,
  KitError,
  type KitEvent,
  listEvents,
  reportError,
  streamFeed,
  triggerRecording,
  triggerSocial,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { openEventStream } from "../http/event-stream.ts";
import { type OperationCall, type Route, route } from "../http/route.ts";
import { type Feed, formatFeedCursor, parseFeedCursor } from "./feed.ts";
import { type Inbox, withShortStack } from "./inbox.ts";
import type { EventSelection, InboxStore } from "./inbox-store.ts";

const followersMax = 16;
const defaultLimit = 100;

export type InboxRouteDeps = {
  readonly inbox: Inbox;
  readonly journal: InboxStore;
  readonly feed: Feed;
  readonly assignment: {
    /** Returns the event ids and senders of a game. For null, the event ids without a game, and all senders that have one. */
    gameFilter(game: string | null): Pick<NonNullable<EventSelection["game"]>, "eventIds" | "senders">;
  };
};

export function inboxRoutes({ inbox, journal, feed, assignment }: InboxRouteDeps): readonly Route[] {
  const take = (kind: EventKind) => (call: OperationCall<(typeof ingestOperations)[EventKind]>) =>
    inbox.accept({ kind, body: call.body, repeated: call.repeated, ...call.sender });

  const wantedBy = ({ game, kind }: EventFilter): EventSelection => ({
    kind: kind ?? null,
    game:
      game === undefined
        ? null
        : { ...assignment.gameFilter(game === "unsorted" ? null : game), unsorted: game === "unsorted" },
  });
  /** Reads page by page, so that long stack traces are shortened before more are read, and other reads come in between. */
  const listNewest = async (wanted: EventSelection, beforeSeq: number, limit: number): Promise<KitEvent[]> => {
    const events: KitEvent[] = [];
    for (let before: number | null = beforeSeq; before !== null && events.length < limit; ) {
      const { entries, next }: Awaited<ReturnType<InboxStore["listNewest"]>> = await journal.listNewest(
        wanted,
        before,
        limit - events.length,
      );
      for (const { event } of entries) events.push(withShortStack(event));
      before = next;
    }
    return events;
  };
  const placeOf = async (id: string) => {
    const found = await journal.find(id);
    if (found === undefined) throw new KitError("not_found", message("event.unknown", { id }));
    return found;
  };

  return [
    route(triggerRecording, take("recording")),
    route(reportError, take("monitor")),
    route(triggerSocial, take("social")),
    route(listEvents, async ({ query }) => {
      // The positions are read first, so an event that arrives in between is in the feed and not lost.
      const ends = await journal.latestPositions();
      const before = query.before === undefined ? Number.MAX_SAFE_INTEGER : (await placeOf(query.before)).seq;
      const limit = query.limit ?? defaultLimit;
      const events = await listNewest(wantedBy(query), Math.min(before, ends.event + 1), limit + 1);
      const cursor = formatFeedCursor({ ...ends, refusal: 0 });
      return { events: events.slice(0, limit), cursor, more: events.length > limit };
    }),
    route(getReceipt, async ({ params }) => {
      const { seq, event } = await placeOf(params.id);
      const taken = { state: event.status, at: event.receivedAt, by: "inbox" };
      const first = event.reason === undefined ? taken : { ...taken, reason: event.reason };
      return { event, states: [first, ...(await journal.listStates(seq))] };
    }),
    route(streamFeed, ({ query, header }, reply) => {
      if (feed.followerCount() >= followersMax) {
        throw new KitError("too_many_requests", message("feed.too_many_readers", { readers: followersMax }));
      }
      const stream = openEventStream(reply, feed.ended);
      void feed.follow(stream, parseFeedCursor(header("last-event-id")), query);
    }),
  ];
}
