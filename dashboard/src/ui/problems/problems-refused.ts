// Requests that were not accepted: each reason once, with its newest case, and web pages that wait or are blocked. Pure.
import type { Origin, ProblemCode, Refusal } from "@kit/contract";
import { refusalRow } from "../../api/event-row.ts";
import { t, translateMessage } from "../../language/language.ts";
import { rowAddress } from "../address.ts";
import { visibleText } from "../visible-text.ts";
import type { Facts, Problem } from "./problem.ts";

/** Consent is a matter of the origin, and said once for it. */
const ofOrigins: readonly string[] = ["consent_needed"];

/** What a developer does about a reason; the newest case says the rest in its own words. */
function todoFor(code: string, port: number): string {
  const todo: Partial<Record<ProblemCode, () => string>> = {
    payload_invalid: () =>
      t("Send what is expected there. A binding does; a request made by hand is shown with each field in Live."),
    not_json: () => t("Send one JSON object in UTF-8."),
    unsupported_media_type: () => t("Send the header Content-Type: application/json, and the body as it is."),
    misdirected: () =>
      t(
        "Send to http://127.0.0.1:{{port}} or http://localhost:{{port}}: another name is refused, so that no web page gets in by one.",
        { port },
      ),
    payload_too_large: () => t("Send less: shorten the message or the stack before it is sent."),
    method_not_allowed: () => t("Events are sent by POST."),
    not_found: () =>
      t("Look at the address: events go to /api/recording/trigger, /api/monitor/report or /api/social/trigger."),
    origin_refused: () => t("A browser sent this in a way that no game does. Open the game from its own page."),
    malformed_request: () =>
      t("Something that is no HTTP request was sent to this port. Is it meant for another program?"),
    request_timeout: () => t("The game began a request and did not finish it. Send it whole."),
    too_many_requests: () => t("The game sends more than can be kept. Kit goes on as soon as it is less."),
    storage_unavailable: () => t("Kit cannot write to its disk. Make room, or see what it says above."),
  };
  return todo[code as ProblemCode]?.() ?? t("Kit's log says more.");
}

/** What was wrong in the newest one, field by field. */
function caseOf({ errors, detail }: Refusal): string {
  const fields = errors.map(
    ({ path, message }) => `${path.replace(/^\//u, "") || "body"}: ${translateMessage(message)}`,
  );
  return visibleText(fields.join("; ") || translateMessage(detail));
}

/** The same sender got through with the same kind of event afterwards: it was put right. */
function isMended(refusal: Refusal, { events }: Facts): boolean {
  if (refusal.kind === null) return events.some(({ receivedAt }) => receivedAt > refusal.at);
  const alike = events.filter(({ kind, client }) => kind === refusal.kind && client === refusal.client);
  return alike.some(({ receivedAt }) => receivedAt > refusal.at);
}

function oneReason(all: readonly Refusal[], port: number): Problem | undefined {
  const [newest] = all;
  if (newest === undefined) return undefined;
  const says = t("{{count}} requests were refused: {{why}}", {
    count: all.length,
    why: caseOf(newest),
    defaultValue_one: "A request was refused: {{why}}",
  });
  const address = rowAddress(refusalRow(newest).key);
  return {
    key: `refused ${newest.code}`,
    weight: "stops",
    says,
    todo: todoFor(newest.code, port),
    at: newest.at,
    remedies: [{ does: "open", address, label: t("Show the newest in Live") }],
  };
}

function ofOrigin({ origin, state, attempts }: Origin, refusals: readonly Refusal[]): Problem | undefined {
  const name = visibleText(origin);
  const [newest] = refusals.filter((refusal) => refusal.origin === origin);
  const seen = newest === undefined ? {} : { at: newest.at };
  if (state === "pending") {
    const says = t("{{origin}} waits for your consent, and was refused {{count}} times until now", {
      origin: name,
      count: attempts,
      defaultValue_one: "{{origin}} waits for your consent, and was refused once until now",
    });
    const todo = t("Nothing this web page sends is taken before you allow it.");
    const remedies = [{ does: "consent", label: t("Decide") }] as const;
    return { key: `consent ${origin}`, weight: "stops", says, todo, ...seen, remedies };
  }
  if (state !== "blocked" || newest === undefined) return undefined;
  return {
    key: `blocked ${origin}`,
    weight: "stops",
    says: t("{{origin}} sends events, and you blocked it", { origin: name }),
    todo: t("That is as it should be, unless it is your game."),
    at: newest.at,
    remedies: [{ does: "ask again", origin, label: t("Ask again") }],
  };
}

export function refused(facts: Facts): Problem[] {
  const { refusals, origins = [], port } = facts;
  const blocked = new Set(origins.filter(({ state }) => state === "blocked").map(({ origin }) => origin));
  const open = refusals.filter(
    (refusal) => !ofOrigins.includes(refusal.code) && !blocked.has(refusal.origin ?? "") && !isMended(refusal, facts),
  );
  const reasons = Map.groupBy(open, ({ code }) => code);
  return [
    ...origins.map((origin) => ofOrigin(origin, refusals)),
    ...[...reasons.values()].map((all) => oneReason(all, port)),
  ].filter((problem) => problem !== undefined);
}
