// Events that were taken, and of which less came than a person may expect: no clip, another time, no game, another id. Pure.
import { clockDriftMsMax, type KitEvent, type Rule } from "@kit/contract";
import { t, translateMessage } from "../../language/language.ts";
import { gamesAddress, recorderAddress, rowAddress, rulesAddress } from "../address.ts";
import { formatNumber } from "../recorder/recorder-words.ts";
import { visibleLine, visibleText } from "../visible-text.ts";
import type { Facts, Problem, Remedy } from "./problem.ts";

const nameOf = ({ eventId, payload }: KitEvent) => visibleLine(eventId ?? payload.message ?? "", 60);
const show = ({ id }: KitEvent): Remedy => ({ does: "open", address: rowAddress(id), label: t("Show it in Live") });
const recorderPage = (): Remedy => ({ does: "open", address: recorderAddress, label: t("Open the recorder") });

/** The recorder cannot record, or may not. Worth knowing before a game asks for it, too. */
function recorder({ recorder: report, events }: Facts): Problem | undefined {
  if (report === undefined) return undefined;
  const { state, detail } = report.state;
  const asked = events.find(({ kind, status }) => kind === "recording" && status === "accepted");
  const seen = asked === undefined ? {} : { at: asked.receivedAt };
  const weight = asked === undefined ? "notes" : "loses";
  if (state === "broken") {
    const says = t("The recorder cannot record: {{detail}}", { detail: visibleText(translateMessage(detail)) });
    const todo = t("Until it can, moments are kept as markers, without video.");
    return { key: "recorder broken", weight, says, todo, ...seen, remedies: [recorderPage()] };
  }
  if (state !== "off") return undefined;
  return {
    key: "recorder off",
    weight,
    says: t("The recorder is switched off: moments are kept as markers, without video"),
    todo: t("Have it record while a game runs."),
    ...seen,
    remedies: [{ does: "record", label: t("Switch on") }, recorderPage()],
  };
}

/** The newest moment has no clip, for a reason of its own. */
function noClip({ events, reasons, recorder: report, recordingRules = [] }: Facts): Problem | undefined {
  const newest = events.find(({ kind, status }) => kind === "recording" && status === "accepted");
  // A recorder that does not record explains all of them.
  if (newest === undefined || report?.state.state === "off" || report?.state.state === "broken") return undefined;
  const rule = recordingRules.find(({ eventId }) => eventId === newest.eventId);
  const event = nameOf(newest);
  const rules: Remedy = { does: "open", address: rulesAddress(newest.game ?? undefined), label: t("Its rules") };
  const common = { key: "no clip", at: newest.receivedAt } as const;
  if (rule?.action === "nothing" || rule?.action === "marker") {
    const says =
      rule.action === "nothing"
        ? t("{{event}} is not recorded: its rule says so", { event })
        : t("{{event}} makes a marker, without video: its rule says so", { event });
    return { ...common, weight: "notes", says, todo: t("Change its rule to have clips of it."), remedies: [rules] };
  }
  if (newest.state !== "marked" && newest.state !== "failed" && newest.state !== "ignored") return undefined;
  const reason = reasons.get(newest.id);
  const says =
    reason === undefined
      ? t("The newest moment, {{event}}, has no clip", { event })
      : t("The newest moment, {{event}}, has no clip: {{reason}}", {
          event,
          reason: visibleText(translateMessage(reason)),
        });
  return {
    ...common,
    weight: "loses",
    says,
    todo: t("Its receipt says what happened, step by step."),
    remedies: [show(newest)],
  };
}

/** Clocks tick apart; this much ahead is one that is wrong. */
const aheadMsMax = 1_000;

/** By how much the event's own time lies after its arrival; 0 where it was taken as it is, or nearly. */
function driftOf({ payload, receivedAt }: KitEvent): number {
  const ms = Date.parse(payload.timestamp) - Date.parse(receivedAt);
  return ms > aheadMsMax || ms < -clockDriftMsMax ? ms : 0;
}

function clock({ events }: Facts): Problem | undefined {
  const newest = events.find((event) => driftOf(event) !== 0);
  if (newest === undefined) return undefined;
  const driftMs = driftOf(newest);
  const words = { event: nameOf(newest), seconds: formatNumber(Math.round(Math.abs(driftMs) / 1_000)) };
  return {
    key: "clock",
    weight: "loses",
    says:
      driftMs > 0
        ? t("The time that {{event}} was sent with lies {{seconds}} s ahead", words)
        : t("The time that {{event}} was sent with lies {{seconds}} s back", words),
    todo: t(
      "Its arrival counts instead, so a clip may show another second. Send the time in UTC, as it is when it happens.",
    ),
    at: newest.receivedAt,
    remedies: [show(newest)],
  };
}

function mistyped(rule: Rule, events: readonly KitEvent[]): Problem | undefined {
  const { eventId, kind, similarTo, game } = rule;
  const newest = events.find((event) => event.kind === kind && event.eventId === eventId);
  if (similarTo === null || newest === undefined) return undefined;
  return {
    key: `mistyped ${kind} ${eventId}`,
    weight: "loses",
    says: t("{{event}} looks like {{other}}, mistyped", {
      event: visibleLine(eventId, 60),
      other: visibleLine(similarTo, 60),
    }),
    todo: t(
      "To Kit they are two events, each with rules of its own. Where they are meant to be one, change the game's code.",
    ),
    at: newest.receivedAt,
    remedies: [show(newest), { does: "open", address: rulesAddress(game ?? undefined), label: t("Its rules") }],
  };
}

function unsorted({ events }: Facts): Problem | undefined {
  const reports = events.filter(({ kind, game }) => kind === "monitor" && game === null);
  const [newest] = reports;
  if (newest === undefined) return undefined;
  return {
    key: "unsorted",
    weight: "notes",
    says: t("{{count}} error reports belong to no game yet", {
      count: reports.length,
      defaultValue_one: "An error report belongs to no game yet",
    }),
    todo: t(
      "A report names no game. Once the same program sends a trigger, or is started by `kit run --game`, its reports are filed with it.",
    ),
    at: newest.receivedAt,
    remedies: [show(newest), { does: "open", address: gamesAddress, label: t("Open the games") }],
  };
}

export function notMade(facts: Facts): Problem[] {
  const { games, events } = facts;
  return [
    recorder(facts),
    noClip(facts),
    clock(facts),
    ...(games?.rules ?? []).map((rule) => mistyped(rule, events)),
    unsorted(facts),
  ].filter((problem) => problem !== undefined);
}
