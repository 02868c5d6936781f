// Finds problems of accepted events: no clip, a wrong clock, a mistyped id, or no game. Pure.
import { clockDriftMsMax, type EventIdRule, type KitEvent } from "@kit/contract";
import { t, translateMessage, withWholeCommands } from "../../language/language.ts";
import { gamesAddress, recorderAddress, rowAddress, rulesAddress } from "../address.ts";
import { formatNumber } from "../format.ts";
import { visibleLine, visibleText } from "../visible-text.ts";
import type { DetectedProblem, ProblemAction, ProblemFacts } from "./problem.ts";

const eventName = ({ eventId, payload }: KitEvent) => visibleLine(eventId ?? payload.message ?? "", 60);
const liveAction = ({ id }: KitEvent): ProblemAction => ({
  does: "open",
  address: rowAddress(id),
  label: t("Show it in Live"),
});
const recorderPage = (): ProblemAction => ({ does: "open", address: recorderAddress, label: t("Open the recorder") });

/** Reports that the recorder failed or is off. A person should know it even before a game asks for a clip. */
function recorder({ recorder: report, events }: ProblemFacts): DetectedProblem | undefined {
  if (report === undefined) return undefined;
  const { state, detail } = report.state;
  const asked = events.find(({ kind, status }) => kind === "recording" && status === "accepted");
  const seen = asked === undefined ? {} : { at: asked.receivedAt };
  const weight = asked === undefined ? "notes" : "loses";
  if (state === "broken") {
    const says = t("The recorder cannot record: {{detail}}", { detail: visibleText(translateMessage(detail)) });
    const todo = t("Until the recorder works, moments become markers without video.");
    return { key: "recorder broken", severity: weight, says, todo, ...seen, actions: [recorderPage()] };
  }
  if (state !== "off") return undefined;
  return {
    key: "recorder off",
    severity: weight,
    says: t("The recorder is off, so moments become markers without video"),
    todo: t("Set the recorder to record while a game runs."),
    ...seen,
    actions: [{ does: "record", label: t("Switch on") }, recorderPage()],
  };
}

/** Reports that the newest moment has no clip although the recorder works. */
function missingClipProblem({
  events,
  reasons,
  recorder: report,
  recordingRules = [],
}: ProblemFacts): DetectedProblem | undefined {
  const newest = events.find(({ kind, status }) => kind === "recording" && status === "accepted");
  // If the recorder failed or is off, that explains every missing clip already.
  if (newest === undefined || report?.state.state === "off" || report?.state.state === "broken") return undefined;
  const rule = recordingRules.find(({ eventId }) => eventId === newest.eventId);
  const event = eventName(newest);
  const rules: ProblemAction = {
    does: "open",
    address: rulesAddress(newest.game ?? undefined),
    label: t("Open its rules"),
  };
  const common = { key: "no clip", at: newest.receivedAt } as const;
  if (rule?.action === "nothing" || rule?.action === "marker") {
    const says =
      rule.action === "nothing"
        ? t("{{event}} is not recorded, because its rule says so", { event })
        : t("{{event}} makes a marker without video, because its rule says so", { event });
    return {
      ...common,
      severity: "notes",
      says,
      todo: t("To get clips of this event, change its rule."),
      actions: [rules],
    };
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
    severity: "loses",
    says,
    todo: t("The event's receipt shows each step."),
    actions: [liveAction(newest)],
  };
}

/** An event up to this far in the future is normal: clocks differ a little. */
const aheadMsMax = 1_000;

/** Returns how far the time in an event is from its arrival; 0 if Kit used the time in the event. */
function clockDriftMs({ payload, receivedAt }: KitEvent): number {
  const ms = Date.parse(payload.timestamp) - Date.parse(receivedAt);
  return ms > aheadMsMax || ms < -clockDriftMsMax ? ms : 0;
}

function clock({ events }: ProblemFacts): DetectedProblem | undefined {
  const newest = events.find((event) => clockDriftMs(event) !== 0);
  if (newest === undefined) return undefined;
  const driftMs = clockDriftMs(newest);
  const words = { event: eventName(newest), seconds: formatNumber(Math.round(Math.abs(driftMs) / 1_000)) };
  return {
    key: "clock",
    severity: "loses",
    says:
      driftMs > 0
        ? t("The time sent with {{event}} is {{seconds}} s in the future", words)
        : t("The time sent with {{event}} is {{seconds}} s in the past", words),
    todo: t("Kit uses the time of arrival instead, so a clip may show the wrong second. Send the current time in UTC."),
    at: newest.receivedAt,
    actions: [liveAction(newest)],
  };
}

function typoProblem(rule: EventIdRule, events: readonly KitEvent[]): DetectedProblem | undefined {
  const { eventId, kind, similarTo, game } = rule;
  const newest = events.find((event) => event.kind === kind && event.eventId === eventId);
  if (similarTo === null || newest === undefined) return undefined;
  return {
    key: `mistyped ${kind} ${eventId}`,
    severity: "loses",
    says: t("{{event}} looks like a typo of {{other}}", {
      event: visibleLine(eventId, 60),
      other: visibleLine(similarTo, 60),
    }),
    todo: t(
      "Kit treats the two ids as two events with separate rules. If they should be one event, change the game's code.",
    ),
    at: newest.receivedAt,
    actions: [
      liveAction(newest),
      { does: "open", address: rulesAddress(game ?? undefined), label: t("Open its rules") },
    ],
  };
}

function unsorted({ events }: ProblemFacts): DetectedProblem | undefined {
  const reports = events.filter(({ kind, game }) => kind === "monitor" && game === null);
  const [newest] = reports;
  if (newest === undefined) return undefined;
  return {
    key: "unsorted",
    severity: "notes",
    says: t("{{count}} error reports are not assigned to a game yet", {
      count: reports.length,
      defaultValue_one: "An error report is not assigned to a game yet",
    }),
    todo: withWholeCommands(
      t(
        "Error reports do not name their game. Kit assigns them once the same program sends a trigger or is started with `kit run --game`.",
      ),
    ),
    at: newest.receivedAt,
    actions: [liveAction(newest), { does: "open", address: gamesAddress, label: t("Open the games") }],
  };
}

export function eventProblems(facts: ProblemFacts): DetectedProblem[] {
  const { games, events } = facts;
  return [
    recorder(facts),
    missingClipProblem(facts),
    clock(facts),
    ...(games?.rules ?? []).map((rule) => typoProblem(rule, events)),
    unsorted(facts),
  ].filter((problem) => problem !== undefined);
}
