// The states an event went through, as they happened, with the time between them.
import type { ReceiptEntry } from "@kit/contract";
import { t, told } from "../language/language.ts";
import { Time } from "./labels.tsx";
import { visibleText } from "./visible-text.ts";
import { stateWord } from "./words.ts";

/** The time since the first state, as one would say it. */
function sinceOf(first: string, at: string): string {
  const ms = Date.parse(at) - Date.parse(first);
  if (!(ms > 0)) return "";
  if (ms < 1_000) return t("+{{ms}} ms", { ms });
  return ms < 120_000
    ? t("+{{seconds}} s", { seconds: (ms / 1_000).toFixed(1) })
    : t("+{{minutes}} min", { minutes: Math.round(ms / 60_000) });
}

export function ReceiptTimeline({ states }: { states: readonly ReceiptEntry[] }) {
  const first = states[0]?.at ?? "";
  return (
    <ol className="timeline" aria-label={t("States, oldest first")}>
      {states.map((entry) => {
        const { says, tone } = stateWord(entry.state);
        return (
          <li key={`${entry.state} ${entry.at} ${entry.by}`} data-tone={tone}>
            <span className="timeline-state">{says}</span>
            <span className="timeline-by">{t("by {{part}}", { part: visibleText(entry.by) })}</span>
            <span className="timeline-at">
              <Time at={entry.at} /> <span className="timeline-since">{sinceOf(first, entry.at)}</span>
            </span>
            {entry.reason && (
              <p className="timeline-reason">
                <bdi>{visibleText(told(entry.reason))}</bdi>
              </p>
            )}
          </li>
        );
      })}
    </ol>
  );
}
