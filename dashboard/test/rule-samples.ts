// Sample event rules for the tests of pages: complete objects in which a test can replace fields.
import type { EventIdRule } from "@kit/contract";

export const seenAt = "2026-05-01T10:00:00.000Z";

export const eventRuleOf = (eventId: string, members: Partial<EventIdRule> = {}): EventIdRule => ({
  kind: "recording",
  eventId,
  game: eventId.split("_")[0] ?? null,
  assigned: false,
  enabled: true,
  firstSeenAt: seenAt,
  lastSeenAt: seenAt,
  count: 1,
  label: null,
  icon: null,
  postText: null,
  similarTo: null,
  ...members,
});
