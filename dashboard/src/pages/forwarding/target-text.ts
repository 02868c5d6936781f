// Texts for the kind and state of a forwarding target, and the parser for typed headers.
import type { ForwardKind, ForwardTarget } from "@kit/contract";
import { t, translateMessage } from "../../language/language.ts";
import { formatDateAndMinute } from "../../ui/format.ts";

export const targetKindChoices = (): readonly { readonly value: ForwardKind; readonly says: string }[] => [
  { value: "sentry", says: "Sentry, GlitchTip, Bugsink" },
  { value: "otlp", says: t("OpenTelemetry collector") },
];

/** Returns the name of a kind. A kind that only a newer launcher knows is shown by its code. */
export const targetKindText = (kind: ForwardKind): string =>
  targetKindChoices().find(({ value }) => value === kind)?.says ?? kind;

type TargetState = "on" | "off" | "stopped" | "waits";

export function targetState({ enabled, stopped, waitsUntil }: ForwardTarget): TargetState {
  if (!enabled) return "off";
  if (stopped !== null) return "stopped";
  return waitsUntil === null ? "on" : "waits";
}

export function targetStateText(target: ForwardTarget): string {
  const state = targetState(target);
  if (state === "off") return t("Switched off: Kit queues and sends nothing.");
  if (state === "stopped") return translateMessage(target.stopped ?? "");
  if (state === "waits" && target.waitsUntil !== null) {
    const until = formatDateAndMinute(target.waitsUntil);
    return target.waitsBecause === "rate-limit"
      ? t("The server asked Kit to wait until {{until}}.", { until })
      : t("The last attempt failed. The next one is at {{until}}.", { until });
  }
  if (target.waiting > 0) return t("Sending.");
  return target.lastDeliveredAt === null
    ? t("Nothing sent yet.")
    : t("Everything has been sent. Last delivery: {{time}}.", { time: formatDateAndMinute(target.lastDeliveredAt) });
}

export const invalidHeadersText = (): string => t("Each header line must have the form name: value.");

/** Parses headers, one per line. Returns undefined if a line is not a header. */
export function parseHeaders(typed: string): Record<string, string> | undefined {
  const lines = typed.split("\n").map((line) => line.trim());
  const named = lines.filter((line) => line !== "").map((line) => /^([^:\s]+):\s*(.*)$/u.exec(line));
  if (named.includes(null)) return undefined;
  return Object.fromEntries(named.map((match) => [match?.[1] ?? "", match?.[2] ?? ""]));
}
