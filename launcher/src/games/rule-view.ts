// Creates new rules, and converts rules and games for the API.
import type { EventKind, Game, SwitchChange, Switches } from "@kit/contract";
import { isoTime } from "../storage/sql.ts";
import type { LabelOverride, StoredEventIdRule, StoredGame, UncountedEventIdRule } from "./game-store.ts";

/** A switch that the change leaves out stays as it is. */
export const applySwitchChange = (switches: Switches, { recording, monitor, social }: SwitchChange): Switches => ({
  recording: recording ?? switches.recording,
  monitor: monitor ?? switches.monitor,
  social: social ?? switches.social,
});

export const newEventIdRule = (kind: EventKind, eventId: string, firstSeenAtMs: number): StoredEventIdRule => ({
  kind,
  eventId,
  firstSeenAtMs,
  assignedGame: null,
  enabled: true,
});

export const toGame = ({ game, registered, switches, firstSeenAtMs }: StoredGame, name: string): Game => ({
  game,
  name,
  registered,
  switches,
  firstSeenAt: isoTime(firstSeenAtMs),
});

type RuleDetails = {
  readonly game: string | null;
  readonly override: LabelOverride;
  readonly similarTo: string | null;
};

export const toEventIdRule = (
  rule: StoredEventIdRule,
  { game, override, similarTo }: RuleDetails,
): UncountedEventIdRule => ({
  kind: rule.kind,
  eventId: rule.eventId,
  game,
  assigned: rule.assignedGame !== null,
  enabled: rule.enabled,
  firstSeenAt: isoTime(rule.firstSeenAtMs),
  label: override.label,
  icon: override.icon,
  postText: override.postText,
  similarTo,
});
