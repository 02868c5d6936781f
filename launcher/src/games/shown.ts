// Rules and games as they begin, and as they go over the wire.
import type { EventKind, Game, Rule, SwitchChange, Switches } from "@kit/contract";
import type { StoredGame, StoredRule } from "./game-store.ts";
import type { LabelOverride } from "./labels/label-store.ts";

/** What is left out stays as it is. */
export const changedSwitches = (switches: Switches, { recording, monitor, social }: SwitchChange): Switches => ({
  recording: recording ?? switches.recording,
  monitor: monitor ?? switches.monitor,
  social: social ?? switches.social,
});

export const keyOf = (kind: EventKind, eventId: string) => `${kind} ${eventId}`;

export const newRule = (kind: EventKind, eventId: string, firstSeenAtMs: number): StoredRule => ({
  kind,
  eventId,
  firstSeenAtMs,
  assignedGame: null,
  enabled: true,
});

export const isoOf = (ms: number) => new Date(ms).toISOString();

export const showGame = ({ game, registered, switches, firstSeenAtMs }: StoredGame): Game => ({
  game,
  registered,
  switches,
  firstSeenAt: isoOf(firstSeenAtMs),
});

/** As it is known without the journal: how often its events came is counted there. */
export type ShownRule = Omit<Rule, "lastSeenAt" | "count">;

type Beside = { readonly game: string | null; readonly look: LabelOverride; readonly similarTo: string | null };

export const showRule = (rule: StoredRule, { game, look, similarTo }: Beside): ShownRule => ({
  kind: rule.kind,
  eventId: rule.eventId,
  game,
  assigned: rule.assignedGame !== null,
  enabled: rule.enabled,
  firstSeenAt: isoOf(rule.firstSeenAtMs),
  label: look.label,
  icon: look.icon,
  postText: look.postText,
  similarTo,
});
