// Finds events that Kit stored but ignored because of a switch, grouped by switch. Pure.
import type { EventKind, KitEvent } from "@kit/contract";
import { t } from "../../language/language.ts";
import { rulesAddress } from "../address.ts";
import { eventKindLabel } from "../event-text.ts";
import { gameName } from "../names.ts";
import { visibleLine } from "../visible-text.ts";
import type { DetectedProblem, ProblemFacts } from "./problem.ts";

const switchOnLabel = () => t("Switch on");

function service(kind: EventKind, [newest]: readonly KitEvent[], { games }: ProblemFacts): DetectedProblem | undefined {
  if (newest === undefined || games?.services[kind] !== false) return undefined;
  return {
    key: `service ${kind}`,
    severity: "stops",
    says: t("{{service}} is switched off for all games, so Kit stores these events but ignores them", {
      service: eventKindLabel(kind),
    }),
    todo: t("Switch it on to accept new events."),
    at: newest.receivedAt,
    actions: [{ does: "service", service: kind, label: switchOnLabel() }],
  };
}

function game(
  name: string,
  kind: EventKind,
  [newest]: readonly KitEvent[],
  { games }: ProblemFacts,
): DetectedProblem | undefined {
  const known = games?.games.find((each) => each.game === name);
  if (newest === undefined || known?.switches[kind] !== false) return undefined;
  return {
    key: `game ${kind} ${name}`,
    severity: "stops",
    says: t("{{service}} is switched off for {{game}}, so Kit stores these events but ignores them", {
      service: eventKindLabel(kind),
      game: gameName(name),
    }),
    todo: t("Switch it on to accept new events."),
    at: newest.receivedAt,
    actions: [{ does: "game", game: name, service: kind, label: switchOnLabel() }],
  };
}

function event(
  eventId: string,
  kind: EventKind,
  [newest]: readonly KitEvent[],
  { games }: ProblemFacts,
): DetectedProblem | undefined {
  const rule = games?.rules.find((each) => each.kind === kind && each.eventId === eventId);
  if (newest === undefined || rule?.enabled !== false) return undefined;
  return {
    key: `event ${kind} ${eventId}`,
    severity: "loses",
    says: t("{{event}} is switched off, so Kit stores it but ignores it", { event: visibleLine(eventId, 60) }),
    todo: t("Switch it on to accept new events."),
    at: newest.receivedAt,
    actions: [
      { does: "event", kind, eventId, label: switchOnLabel() },
      { does: "open", address: rulesAddress(rule.game ?? undefined), label: t("Open its rules") },
    ],
  };
}

/** Looks at the current switches: an event that was ignored earlier is no problem if its switch is on now. */
export function switchProblems(facts: ProblemFacts): DetectedProblem[] {
  const because = (reason: KitEvent["reason"]) => facts.events.filter((each) => each.reason === reason);
  const services = Map.groupBy(because("service_off"), ({ kind }) => kind);
  const ofGames = Map.groupBy(because("game_off"), ({ kind, game: name }) => JSON.stringify([name, kind]));
  const ofEvents = Map.groupBy(because("event_off"), ({ kind, eventId }) => JSON.stringify([eventId, kind]));
  const parts = (key: string) => JSON.parse(key) as [string | null, EventKind];
  return [
    ...[...services].map(([kind, all]) => service(kind, all, facts)),
    ...[...ofGames].map(([key, all]) => game(parts(key)[0] ?? "", parts(key)[1], all, facts)),
    ...[...ofEvents].map(([key, all]) => event(parts(key)[0] ?? "", parts(key)[1], all, facts)),
  ].filter((problem) => problem !== undefined);
}
