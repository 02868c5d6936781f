// Forwarding's words for what the wire says in codes, and the reading of what a person typed.
import type { ForwardKind, ForwardTarget } from "@kit/contract";
import { locale, t, translateMessage } from "../../language/language.ts";

export const kindChoices = (): readonly { readonly value: ForwardKind; readonly says: string }[] => [
  { value: "sentry", says: "Sentry, GlitchTip, Bugsink" },
  { value: "otlp", says: t("OpenTelemetry collector") },
];

/** A kind of a newer launcher has no word here; its own name will do. */
export const kindWord = (kind: ForwardKind): string => kindChoices().find(({ value }) => value === kind)?.says ?? kind;

type TargetState = "on" | "off" | "stopped" | "waits";

export function stateOf({ enabled, stopped, waitsUntil }: ForwardTarget): TargetState {
  if (!enabled) return "off";
  if (stopped !== null) return "stopped";
  return waitsUntil === null ? "on" : "waits";
}

const clock = (instant: string) =>
  new Date(instant).toLocaleString(locale(), { dateStyle: "short", timeStyle: "medium" });

export function stateWords(target: ForwardTarget): string {
  const state = stateOf(target);
  if (state === "off") return t("Switched off: nothing is taken for it and nothing is sent.");
  if (state === "stopped") return translateMessage(target.stopped ?? "");
  if (state === "waits" && target.waitsUntil !== null) {
    const until = clock(target.waitsUntil);
    return target.waitsBecause === "rate-limit"
      ? t("The server asked for nothing before {{until}}.", { until })
      : t("The last try failed; the next one is at {{until}}.", { until });
  }
  if (target.waiting > 0) return t("Sending.");
  return target.lastDeliveredAt === null
    ? t("Nothing was sent yet.")
    : t("All is sent. The last was taken at {{time}}.", { time: clock(target.lastDeliveredAt) });
}

export const notHeaders = (): string => t("A line of the headers is not of the form name: value.");

/** Headers as people type them, a line each; undefined when a line is none. */
export function headersIn(typed: string): Record<string, string> | undefined {
  const lines = typed.split("\n").map((line) => line.trim());
  const named = lines.filter((line) => line !== "").map((line) => /^([^:\s]+):\s*(.*)$/u.exec(line));
  if (named.includes(null)) return undefined;
  return Object.fromEntries(named.map((match) => [match?.[1] ?? "", match?.[2] ?? ""]));
}
