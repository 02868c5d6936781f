// Events that were stored and ignored because a switch says so, each switch once, with the switch. Pure.

import type { EventKind, KitEvent } from "@kit/contract";
import { t } from "../../language/language.ts";
import { rulesAddress } from "../address.ts";
import { kindWord } from "../event-words.ts";
import { gameWord } from "../game-name.ts";
import { visibleLine } from "../visible-text.ts";
import type { Facts, Problem } from "./problem.ts";

const on = () => t("Switch on");

function service(kind: EventKind, [newest]: readonly KitEvent[], { games }: Facts): Problem | undefined {
  if (newest === undefined || games?.services[kind] !== false) return undefined;
  return {
    key: `service ${kind}`,
    weight: "stops",
    says: t("{{service}} is switched off for every game: what is sent to it is stored and ignored", {
      service: kindWord(kind),
    }),
    todo: t("Switch it on, and what comes from then on is taken."),
    at: newest.receivedAt,
    remedies: [{ does: "service", service: kind, label: on() }],
  };
}

function game(name: string, kind: EventKind, [newest]: readonly KitEvent[], { games }: Facts): Problem | undefined {
  const known = games?.games.find((each) => each.game === name);
  if (newest === undefined || known?.switches[kind] !== false) return undefined;
  return {
    key: `game ${kind} ${name}`,
    weight: "stops",
    says: t("{{service}} is switched off for {{game}}: what it sends is stored and ignored", {
      service: kindWord(kind),
      game: gameWord(name),
    }),
    todo: t("Switch it on, and what comes from then on is taken."),
    at: newest.receivedAt,
    remedies: [{ does: "game", game: name, service: kind, label: on() }],
  };
}

function event(eventId: string, kind: EventKind, [newest]: readonly KitEvent[], { games }: Facts): Problem | undefined {
  const rule = games?.rules.find((each) => each.kind === kind && each.eventId === eventId);
  if (newest === undefined || rule?.enabled !== false) return undefined;
  return {
    key: `event ${kind} ${eventId}`,
    weight: "loses",
    says: t("{{event}} is switched off: it is stored and ignored", { event: visibleLine(eventId, 60) }),
    todo: t("Switch it on, and what comes from then on is taken."),
    at: newest.receivedAt,
    remedies: [
      { does: "event", kind, eventId, label: on() },
      { does: "open", address: rulesAddress(rule.game ?? undefined), label: t("Its rules") },
    ],
  };
}

/** The switch is looked at as it is now: one that was set right since is no problem any more. */
export function switchedOff(facts: Facts): Problem[] {
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
