// What the Connect page waits for: the first event since it began to look, and what was refused meanwhile. Pure.
import type { FeedItem, KitEvent, Refusal } from "@kit/contract";

export type Arrivals = {
  /** ISO 8601. What came before this moment is not what a person waits for. */
  readonly since: string;
  /** The first event since then, with its newest state. */
  readonly event?: KitEvent;
  /** The newest refused request since then; gone once an event arrived. */
  readonly refusal?: Refusal;
  /** The newest event from before. */
  readonly earlier?: KitEvent;
};

export type ArrivalsAction =
  /** The stored events, newest first. */
  | { readonly type: "listed"; readonly events: readonly KitEvent[] }
  | { readonly type: "received"; readonly items: readonly FeedItem[] }
  | { readonly type: "again"; readonly since: string };

function arrived(arrivals: Arrivals, event: KitEvent): Arrivals {
  if (arrivals.event !== undefined || event.receivedAt < arrivals.since) return arrivals;
  const { refusal: _, ...rest } = arrivals;
  return { ...rest, event };
}

function listed(arrivals: Arrivals, events: readonly KitEvent[]): Arrivals {
  const earlier = events.find(({ receivedAt }) => receivedAt < arrivals.since);
  const known = earlier === undefined ? arrivals : { ...arrivals, earlier };
  // Oldest first: the first one since is the one to show.
  return events.toReversed().reduce(arrived, known);
}

function received(arrivals: Arrivals, item: FeedItem): Arrivals {
  switch (item.type) {
    case "event":
      return arrived(arrivals, item.event);
    case "receipt": {
      const { event } = arrivals;
      return event?.id === item.id ? { ...arrivals, event: { ...event, state: item.entry.state } } : arrivals;
    }
    case "refusal":
      // A new feed begins with every refusal the launcher remembers.
      if (arrivals.event !== undefined || item.refusal.at < arrivals.since) return arrivals;
      return { ...arrivals, refusal: item.refusal };
    default:
      return arrivals;
  }
}

export function arrivalsReducer(arrivals: Arrivals, action: ArrivalsAction): Arrivals {
  switch (action.type) {
    case "listed":
      return listed(arrivals, action.events);
    case "received":
      return action.items.reduce(received, arrivals);
    case "again": {
      const earlier = arrivals.event ?? arrivals.earlier;
      return { since: action.since, ...(earlier === undefined ? {} : { earlier }) };
    }
  }
}
