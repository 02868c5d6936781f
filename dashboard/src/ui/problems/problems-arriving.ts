// Nothing arrives: since when, and where this launcher listens. Pure.
import { defaultPort } from "@kit/contract";
import { t } from "../../language/language.ts";
import type { Facts, Problem } from "./problem.ts";

/** A game that plays says something now and then; this long without a word is worth one. */
const silentMs = 10 * 60_000;

export function notArriving({ nowMs, connection, port, events, refusals }: Facts): Problem[] {
  if (connection === "connecting") return [];
  if (connection !== "live") {
    const says = t("Kit does not answer: nothing can arrive until it runs again");
    return [
      {
        key: "away",
        weight: "stops",
        says,
        todo: t("Start it with `kit start`. This page comes back by itself."),
        remedies: [],
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
    "Kit listens on {{ipv4}} and {{ipv6}}. A game sends to port {{usual}} unless it is given another address.",
    { ipv4, ipv6, usual: defaultPort },
  );
  const common = { key: "silent", todo: port === defaultPort ? listens : elsewhere, remedies: [] } as const;
  // At another port than games ask, nothing arrives by itself.
  const weight = port === defaultPort ? "notes" : "loses";
  if (last === undefined) return [{ ...common, weight, says: t("Nothing has arrived yet, and nothing was refused") }];
  return [{ ...common, weight: "notes", says: t("Nothing has arrived for a while"), at: last }];
}
