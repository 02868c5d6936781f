// Labels for an event's kind, state and time. Each has text as well as its colour.
import "./labels.css";
import type { EventKind, ReceiptState } from "@kit/contract";
import { Badge } from "@radix-ui/themes";
import { t } from "../language/language.ts";
import { type BadgeTone, eventKindLabel, receiptStateLabel } from "./event-text.ts";
import { formatDateTime, formatRelativeTime, formatTime } from "./format.ts";
import { Icon, type IconName } from "./icon.tsx";

const kindIcons: Record<EventKind, IconName> = { recording: "record", monitor: "warning", social: "megaphone" };

export function KindLabel({ kind }: { kind: EventKind | "refused" }) {
  return (
    <span className="kind" data-kind={kind}>
      <Icon name={kind === "refused" ? "refused" : kindIcons[kind]} />
      <span>{kind === "refused" ? t("Refused") : eventKindLabel(kind)}</span>
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
} as const satisfies Record<BadgeTone, string>;

type ToneBadgeProps = { says: string; tone: BadgeTone; title?: string | undefined };

export function ToneBadge({ says, tone, title }: ToneBadgeProps) {
  return (
    <Badge
      className="state"
      color={toneColours[tone]}
      variant={tone === "quiet" ? "outline" : "soft"}
      data-tone={tone}
      title={title}
    >
      {says}
    </Badge>
  );
}

export const StateBadge = ({ state }: { state: ReceiptState }) => <ToneBadge {...receiptStateLabel(state)} />;

/** Shows the local time of day. The attribute `dateTime` contains the exact time. */
export function Time({ at, date = false }: { at: string; date?: boolean }) {
  return (
    <time dateTime={at} title={at}>
      {date ? formatDateTime(at) : formatTime(at)}
    </time>
  );
}

/** Shows how long ago a time was, with the exact time as a tooltip. */
export function RelativeTime({ at, nowMs }: { at: string; nowMs: number }) {
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatRelativeTime(at, nowMs)}
    </time>
  );
}

/** Text of a game for use inside a translated sentence, as an element: a plain value would be parsed for markup. */
export const UntrustedText = ({ text }: { text: string }) => <bdi>{text}</bdi>;
