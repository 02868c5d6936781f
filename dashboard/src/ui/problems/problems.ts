// Finds out, from data that the page already has, why a game's events may not lead to results. Pure.

import {
  defaultPort,
  type EventKind,
  fieldName,
  type KitEvent,
  type ProblemCode,
  type Refusal,
  type WebOrigin,
} from "@kit/contract";
import { createRefusalRow } from "../../api/event-row.ts";
import { t, translateFieldError, translateMessage, withWholeCommands } from "../../language/language.ts";
import { rowAddress, rulesAddress } from "../address.ts";
import { eventKindLabel } from "../event-text.ts";
import { gameName } from "../names.ts";
import { visibleLine, visibleText } from "../visible-text.ts";
import { eventProblems } from "./event-problems.ts";
import type { DetectedProblem, ProblemFacts } from "./problem.ts";

// Refused requests, grouped by reason, and web pages without consent.

/** For these reasons, one problem is listed for each web origin instead of for each request. */
const originCodes: readonly string[] = ["consent_needed"];

/** Returns what to do about refused requests with this code. */
function adviceFor(code: string, port: number): string {
  const todo: Partial<Record<ProblemCode, () => string>> = {
    payload_invalid: () =>
      t(
        "Correct the fields named above. Kit's packages for engines always send valid requests; Live shows each field of a refused one.",
      ),
    not_json: () => t("Send one JSON object in UTF-8."),
    unsupported_media_type: () => t("Send the header Content-Type: application/json and an uncompressed body."),
    misdirected: () =>
      t(
        "Send to http://127.0.0.1:{{port}} or http://localhost:{{port}}. Kit refuses other host names to keep web pages out.",
        { port },
      ),
    payload_too_large: () => t("Shorten the message or the stack trace before sending."),
    method_not_allowed: () => t("Send events with POST."),
    not_found: () =>
      t("Check the URL. Events go to /api/recording/trigger, /api/monitor/report or /api/social/trigger."),
    origin_refused: () => t("A browser sent this request, but not from a game's page. Open the game on its own page."),
    malformed_request: () =>
      t("A program sent data to this port that is not an HTTP request. Was it meant for another program?"),
    request_timeout: () => t("The game started a request but did not finish it. Send the complete request."),
    too_many_requests: () =>
      t("The game sends more than Kit can store. Kit accepts requests again as soon as the rate drops."),
    storage_unavailable: () => t("Kit cannot write to its disk. Free up disk space or check the message above."),
  };
  return todo[code as ProblemCode]?.() ?? t("See Kit's log for details.");
}

/** Returns the errors of a refused request, one for each invalid field. */
function errorText({ errors, detail }: Refusal): string {
  const fields = errors.map((error) => `${fieldName(error.path)}: ${translateFieldError(error)}`);
  return visibleText(fields.join("; ") || translateMessage(detail));
}

/** Whether the problem is solved: the same client has since sent an event of the same kind that was accepted. */
function isSolved(refusal: Refusal, { events }: ProblemFacts): boolean {
  if (refusal.kind === null) return events.some(({ receivedAt }) => receivedAt > refusal.at);
  const alike = events.filter(({ kind, client }) => kind === refusal.kind && client === refusal.client);
  return alike.some(({ receivedAt }) => receivedAt > refusal.at);
}

function reasonProblem(all: readonly Refusal[], port: number): DetectedProblem | undefined {
  const [newest] = all;
  if (newest === undefined) return undefined;
  const says = t("{{count}} requests were refused: {{why}}", {
    count: all.length,
    why: errorText(newest),
    defaultValue_one: "A request was refused: {{why}}",
  });
  const address = rowAddress(createRefusalRow(newest).key);
  return {
    key: `refused ${newest.code}`,
    severity: "stops",
    says,
    todo: adviceFor(newest.code, port),
    at: newest.at,
    actions: [{ does: "open", address, label: t("Show the newest in Live") }],
  };
}

function originProblem(
  { origin, state, attempts }: WebOrigin,
  refusals: readonly Refusal[],
): DetectedProblem | undefined {
  const name = visibleText(origin);
  const [newest] = refusals.filter((refusal) => refusal.origin === origin);
  const seen = newest === undefined ? {} : { at: newest.at };
  if (state === "pending") {
    const says = t("{{origin}} is waiting for your consent and has been refused {{count}} times", {
      origin: name,
      count: attempts,
      defaultValue_one: "{{origin}} is waiting for your consent and has been refused once",
    });
    const todo = t("Kit refuses this web page's events until you allow them.");
    const remedies = [{ does: "consent", label: t("Decide") }] as const;
    return { key: `consent ${origin}`, severity: "stops", says, todo, ...seen, actions: remedies };
  }
  if (state !== "blocked" || newest === undefined) return undefined;
  return {
    key: `blocked ${origin}`,
    severity: "stops",
    says: t("{{origin}} sends events, but you blocked it", { origin: name }),
    todo: t("If this is your game, let it ask for consent again. Otherwise, no action is needed."),
    at: newest.at,
    actions: [{ does: "ask again", origin, label: t("Ask again") }],
  };
}

function refusalProblems(facts: ProblemFacts): DetectedProblem[] {
  const { refusals, origins = [], port } = facts;
  const blocked = new Set(origins.filter(({ state }) => state === "blocked").map(({ origin }) => origin));
  const open = refusals.filter(
    (refusal) => !originCodes.includes(refusal.code) && !blocked.has(refusal.origin ?? "") && !isSolved(refusal, facts),
  );
  const reasons = Map.groupBy(open, ({ code }) => code);
  return [
    ...origins.map((origin) => originProblem(origin, refusals)),
    ...[...reasons.values()].map((all) => reasonProblem(all, port)),
  ].filter((problem) => problem !== undefined);
}

// Events that Kit stored but ignored because of a switch, grouped by switch.

const switchOnLabel = () => t("Switch on");

function serviceProblem(
  kind: EventKind,
  [newest]: readonly KitEvent[],
  { games }: ProblemFacts,
): DetectedProblem | undefined {
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

function gameProblem(
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

function eventProblem(
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
function switchProblems(facts: ProblemFacts): DetectedProblem[] {
  const because = (reason: KitEvent["reason"]) => facts.events.filter((each) => each.reason === reason);
  const services = Map.groupBy(because("service_off"), ({ kind }) => kind);
  const ofGames = Map.groupBy(because("game_off"), ({ kind, game: name }) => JSON.stringify([name, kind]));
  const ofEvents = Map.groupBy(because("event_off"), ({ kind, eventId }) => JSON.stringify([eventId, kind]));
  const parts = (key: string) => JSON.parse(key) as [string | null, EventKind];
  return [
    ...[...services].map(([kind, all]) => serviceProblem(kind, all, facts)),
    ...[...ofGames].map(([key, all]) => gameProblem(parts(key)[0] ?? "", parts(key)[1], all, facts)),
    ...[...ofEvents].map(([key, all]) => eventProblem(parts(key)[0] ?? "", parts(key)[1], all, facts)),
  ].filter((problem) => problem !== undefined);
}

/** A running game usually sends something at least this often. */
const silentMs = 10 * 60_000;

function connectionProblems({ nowMs, connection, port, events, refusals }: ProblemFacts): DetectedProblem[] {
  if (connection === "connecting") return [];
  if (connection !== "live") {
    const says = t("Kit is not responding, so nothing can arrive until it is running again");
    return [
      {
        key: "not-responding",
        severity: "stops",
        says,
        todo: withWholeCommands(t("Start Kit with `kit start`. This page reconnects by itself.")),
        actions: [],
      },
    ];
  }
  const [newest] = events;
  const [refusal] = refusals;
  const last = [newest?.receivedAt, refusal?.at]
    .filter((at) => at !== undefined)
    .toSorted()
    .at(-1);
  if (last !== undefined && nowMs - Date.parse(last) < silentMs) return [];
  const ipv4 = `http://127.0.0.1:${port}`;
  const ipv6 = `http://[::1]:${port}`;
  const listens = t("Kit listens on {{ipv4}} and {{ipv6}}.", { ipv4, ipv6 });
  const elsewhere = t(
    "Kit listens on {{ipv4}} and {{ipv6}}. Games send to port {{usual}} unless you configure another address.",
    { ipv4, ipv6, usual: defaultPort },
  );
  const common = { key: "silent", todo: port === defaultPort ? listens : elsewhere, actions: [] } as const;
  // Games send to the default port. If the launcher listens on another one, no event arrives until the games are
  // configured.
  const weight = port === defaultPort ? "notes" : "loses";
  if (last === undefined) return [{ ...common, severity: weight, says: t("No request has arrived yet") }];
  return [{ ...common, severity: "notes", says: t("Nothing has arrived for at least 10 minutes"), at: last }];
}

/** Events and refused requests that are older than this count as no problem. */
const recentMs = 24 * 3_600_000;
const order = { stops: 0, loses: 1, notes: 2 } as const;
const problemsMax = 12;

/** Returns the problems, the most severe first. */
export function findProblems(facts: ProblemFacts): readonly DetectedProblem[] {
  const isRecent = (at: string) => facts.nowMs - Date.parse(at) < recentMs;
  const recent = {
    ...facts,
    events: facts.events.filter(({ receivedAt }) => isRecent(receivedAt)),
    refusals: facts.refusals.filter(({ at }) => isRecent(at)),
  };
  const found = [
    ...refusalProblems(recent),
    ...switchProblems(recent),
    ...eventProblems(recent),
    ...connectionProblems(facts),
  ];
  return found.toSorted((a, b) => order[a.severity] - order[b.severity]).slice(0, problemsMax);
}
