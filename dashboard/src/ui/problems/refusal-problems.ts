// Finds refused requests, grouped by reason, and web pages without consent. Pure.
import { fieldName, type ProblemCode, type Refusal, type WebOrigin } from "@kit/contract";
import { createRefusalRow } from "../../api/event-row.ts";
import { t, translateFieldError, translateMessage } from "../../language/language.ts";
import { rowAddress } from "../address.ts";
import { visibleText } from "../visible-text.ts";
import type { DetectedProblem, ProblemFacts } from "./problem.ts";

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

export function refusalProblems(facts: ProblemFacts): DetectedProblem[] {
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
