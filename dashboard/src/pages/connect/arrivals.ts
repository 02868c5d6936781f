// State of the Connect page: the first event since the page began to wait, or why a request was refused. Pure.
import type { FeedItem, KitEvent, Refusal } from "@kit/contract";

export type Arrivals = {
  /** When the page began to wait, in ISO 8601. An earlier event does not count as the first one. */
  readonly since: string;
  /** The first event since the page began to wait, with its current state. */
  readonly event?: KitEvent;
  /** The newest refused request since the page began to wait; removed when an event arrives. */
  readonly refusal?: Refusal;
  /** The newest event from before the page began to wait. */
  readonly earlier?: KitEvent;
};

export type ArrivalsAction =
  /** Stored events, newest first. */
  | { readonly type: "listed"; readonly events: readonly KitEvent[] }
  | { readonly type: "received"; readonly items: readonly FeedItem[] }
  | { readonly type: "again"; readonly since: string };

function addEvent(arrivals: Arrivals, event: KitEvent): Arrivals {
  if (arrivals.event !== undefined || event.receivedAt < arrivals.since) return arrivals;
  const { refusal: _, ...rest } = arrivals;
  return { ...rest, event };
}

function addList(arrivals: Arrivals, events: readonly KitEvent[]): Arrivals {
  const earlier = events.find(({ receivedAt }) => receivedAt < arrivals.since);
  const known = earlier === undefined ? arrivals : { ...arrivals, earlier };
  // Starts with the oldest, because the first event is the one that counts.
  return events.toReversed().reduce(addEvent, known);
}

function addItem(arrivals: Arrivals, item: FeedItem): Arrivals {
  switch (item.type) {
    case "event":
      return addEvent(arrivals, item.event);
    case "receipt": {
      const { event } = arrivals;
      return event?.id === item.id ? { ...arrivals, event: { ...event, state: item.entry.state } } : arrivals;
    }
    case "refusal":
      // A new feed begins with all refused requests that the launcher remembers, even those from before the page began
      // to wait.
      if (arrivals.event !== undefined || item.refusal.at < arrivals.since) return arrivals;
      return { ...arrivals, refusal: item.refusal };
    default:
      return arrivals;
  }
}

export function arrivalsReducer(arrivals: Arrivals, action: ArrivalsAction): Arrivals {
  switch (action.type) {
    case "listed":
      return addList(arrivals, action.events);
    case "received":
      return action.items.reduce(addItem, arrivals);
    case "again": {
      const earlier = arrivals.event ?? arrivals.earlier;
      return { since: action.since, ...(earlier === undefined ? {} : { earlier }) };
    }
  }
}
