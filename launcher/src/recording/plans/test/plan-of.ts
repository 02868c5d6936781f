// Support: plans and moments with the members that a test names.
import { randomUUID } from "node:crypto";
import type { ClipPlan, Moment } from "../plan.ts";

export const planOf = (fromMs: number, toMs: number, more: Partial<ClipPlan> = {}): ClipPlan => ({
  id: randomUUID(),
  kind: "clip",
  game: null,
  title: "A clip",
  fromMs,
  toMs,
  moments: [],
  priority: 500,
  notes: [],
  ...more,
});

export const momentOf = (atMs: number, label = "boss", event: string = randomUUID()): Moment => ({
  event,
  seq: 1,
  kind: "recording",
  eventId: "saga_boss",
  label,
  priority: 500,
  atMs,
});
