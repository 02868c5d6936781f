// The three operations of the games, and what can be asked about their events.
import {
  type EventFilter,
  type EventKind,
  getReceipt,
  type ingestOf,
  KitError,
  type KitEvent,
  listEvents,
  reportError,
  streamFeed,
  triggerRecording,
  triggerSocial,
} from "@kit/contract";
import { openEventStream } from "../http/event-stream.ts";
import { type Call, type Route, route } from "../http/route.ts";
import { type Feed, readCursor, writeCursor } from "./feed.ts";
import { briefly, type Inbox } from "./inbox.ts";
import type { InboxStore, Wanted } from "./inbox-store.ts";

const followersMax = 16;
const defaultLimit = 100;

export type InboxRouteNeeds = {
  readonly inbox: Inbox;
  readonly journal: InboxStore;
  readonly feed: Feed;
  /** What is filed under a game; null: under none, where `senders` are those that are filed under one. */
  readonly filedUnder: (game: string | null) => Pick<NonNullable<Wanted["game"]>, "eventIds" | "senders">;
};

export function inboxRoutes({ inbox, journal, feed, filedUnder }: InboxRouteNeeds): readonly Route[] {
  const take = (kind: EventKind) => (call: Call<(typeof ingestOf)[EventKind]>) =>
    inbox.accept({ kind, body: call.body, repeated: call.repeated, ...call.sender });

  const wantedBy = ({ game, kind }: EventFilter): Wanted => ({
    kind: kind ?? null,
    game:
      game === undefined ? null : { ...filedUnder(game === "unsorted" ? null : game), unsorted: game === "unsorted" },
  });
  /** Page by page: long stack traces are cut before the next ones are read. */
  const listNewest = async (wanted: Wanted, beforeSeq: number, limit: number): Promise<KitEvent[]> => {
    const events: KitEvent[] = [];
    let before = beforeSeq;
    for (;;) {
      const { entries, whole } = await journal.newest(wanted, before, limit - events.length);
      for (const { seq, event } of entries) {
        events.push(briefly(event));
        before = seq;
      }
      if (whole) return events;
    }
  };
  const placeOf = async (id: string) => {
    const found = await journal.find(id);
    if (found === undefined) throw new KitError("not_found", `There is no event ${id}.`);
    return found;
  };

  return [
    route(triggerRecording, take("recording")),
    route(reportError, take("monitor")),
    route(triggerSocial, take("social")),
    route(listEvents, async ({ query }) => {
      // The ends are read first: what arrives in between is then in the feed, not lost between the two.
      const ends = await journal.ends();
      const before = query.before === undefined ? Number.MAX_SAFE_INTEGER : (await placeOf(query.before)).seq;
      const limit = query.limit ?? defaultLimit;
      const events = await listNewest(wantedBy(query), Math.min(before, ends.event + 1), limit + 1);
      const cursor = writeCursor({ ...ends, refusal: 0 });
      return { events: events.slice(0, limit), cursor, more: events.length > limit };
    }),
    route(getReceipt, async ({ params }) => {
      const { seq, event } = await placeOf(params.id);
      const taken = { state: event.status, at: event.receivedAt, by: "inbox" };
      const first = event.reason === undefined ? taken : { ...taken, reason: event.reason };
      return { event, states: [first, ...(await journal.statesOf(seq))] };
    }),
    route(streamFeed, ({ query, header }, reply) => {
      if (feed.followers() >= followersMax) {
        throw new KitError(
          "too_many_requests",
          `${followersMax} readers follow already. Close another dashboard or tail.`,
        );
      }
      const stream = openEventStream(reply, feed.ended);
      void feed.follow(stream, readCursor(header("last-event-id")), query);
    }),
  ];
}
