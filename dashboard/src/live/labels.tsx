// Small labels: an event's kind, its state, its time. Each says in words what it shows in colour.
import type { EventKind, ReceiptState } from "@kit/contract";
import { Badge } from "@radix-ui/themes";
import { Icon, type IconName } from "../frame/icon.tsx";
import { kindWords, stateWord, type Tone } from "./words.ts";

const kindIcons: Record<EventKind, IconName> = { recording: "record", monitor: "warning", social: "megaphone" };

export function KindLabel({ kind }: { kind: EventKind | "refused" }) {
  return (
    <span className="kind" data-kind={kind}>
      <Icon name={kind === "refused" ? "refused" : kindIcons[kind]} />
      <span>{kind === "refused" ? "Refused" : kindWords[kind]}</span>
    </span>
  );
}

export const toneColours = {
  plain: "gray",
  moving: "iris",
  good: "grass",
  bad: "ruby",
  quiet: "gray",
  warn: "amber",
} as const satisfies Record<Tone, string>;

export function StateBadge({ state }: { state: ReceiptState }) {
  const { says, tone } = stateWord(state);
  return (
    <Badge className="state" color={toneColours[tone]} variant={tone === "quiet" ? "outline" : "soft"} data-tone={tone}>
      {says}
    </Badge>
  );
}

const clock = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const dateAndClock = new Intl.DateTimeFormat(undefined, {
  dateStyle: "medium",
  timeStyle: "medium",
});

/** The time of day on this computer; the exact instant is in the element. */
export function Time({ at, date = false }: { at: string; date?: boolean }) {
  const time = new Date(at);
  const valid = !Number.isNaN(time.getTime());
  return (
    <time dateTime={at} title={at}>
      {valid ? (date ? dateAndClock : clock).format(time) : at}
      {valid && <span className="milliseconds">.{String(time.getMilliseconds()).padStart(3, "0")}</span>}
    </time>
  );
}
