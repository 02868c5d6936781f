// Texts for the states, times, durations and counts of sessions. Pure except for the current language.
import type { GameSession, Timeline, TimelineClip, TimelineEntry } from "@kit/contract";
import { t } from "../../language/language.ts";
import type { BadgeTone } from "../../ui/event-text.ts";
import { formatNumber } from "../../ui/format.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import type { TimelineRow } from "./timeline/session-items.ts";

type EndingWord = { readonly says: string; readonly tone: BadgeTone; readonly title: string };

/** Says how a session ended, as far as Kit knows. */
export function endingLabel(session: GameSession): EndingWord {
  const { ending, exitCode } = session;
  if (ending === "crashed" || ending === "killed" || ending === "exited") return seenEnding(session, ending, exitCode);
  if (ending === "running") return { says: t("Running"), tone: "moving", title: t("The game is still running") };
  if (ending === "quiet")
    return { says: t("Went quiet"), tone: "quiet", title: t("The game sent no event for 10 minutes") };
  if (ending === "unseen") {
    const title = t("The game ended while Kit was not running, after its last event");
    return { says: t("Ended while Kit was off"), tone: "quiet", title };
  }
  if (ending !== "ended") return { says: visibleLine(ending, 60), tone: "plain", title: "" };
  const title = t("Kit did not find the process any more; how it ended is unknown");
  return { says: t("Ended"), tone: "plain", title };
}

/** Says how a process ended that `kit run` started. */
function seenEnding({ signal }: GameSession, ending: "crashed" | "killed" | "exited", code: number | null): EndingWord {
  const exit = code === null ? undefined : t("code {{code}}", { code });
  const by = signal === null ? exit : visibleLine(signal, 60);
  if (ending === "crashed") {
    const says = by === undefined ? t("Crashed") : t("Crashed: {{by}}", { by });
    return { says, tone: "bad", title: t("The game crashed") };
  }
  if (ending === "killed") {
    const says = by === undefined ? t("Killed") : t("Killed: {{by}}", { by });
    return { says, tone: "warn", title: t("A person or the system killed the game") };
  }
  if (code === 0 || code === null) return { says: t("Ended"), tone: "plain", title: t("The game exited normally") };
  const title = t("The game exited with code {{code}}", { code });
  return { says: t("Ended: {{by}}", { by }), tone: "warn", title };
}

export function sessionSourceText({ knownBy }: GameSession): string {
  if (knownBy === "run") return t("Started by kit run");
  if (knownBy === "program") return t("Recognized by its process");
  return knownBy === "page" ? t("A web page") : t("Recognized by its events");
}

const eventsWord = (count: number): string =>
  t("{{number}} events", { count, number: formatNumber(count), defaultValue_one: "{{number}} event" });
const momentsWord = (count: number): string =>
  t("{{number}} moments", { count, number: formatNumber(count), defaultValue_one: "{{number}} moment" });
export const errorCountText = (count: number): string =>
  t("{{number}} errors", { count, number: formatNumber(count), defaultValue_one: "{{number}} error" });
export const sessionPostCountText = (count: number): string =>
  t("{{number}} posts", { count, number: formatNumber(count), defaultValue_one: "{{number}} post" });

/** Returns the counts that are not zero, by kind; if all are zero, the number of events. */
export function sessionCounts({ moments, errors, posts, events }: GameSession): { lane?: TimelineRow; says: string }[] {
  const counts: { lane?: TimelineRow; says: string; count: number }[] = [
    { lane: "moments", says: momentsWord(moments), count: moments },
    { lane: "errors", says: errorCountText(errors), count: errors },
    // Not every social trigger makes a post, so they are counted as "post triggers".
    { lane: "posts", says: postTriggersWord(posts), count: posts },
  ];
  const some = counts.filter(({ count }) => count > 0);
  return some.length === 0 ? [{ says: eventsWord(events) }] : some;
}

const postTriggersWord = (count: number): string =>
  t("{{number}} post triggers", { count, number: formatNumber(count), defaultValue_one: "{{number}} post trigger" });

export const removedSessionsText = (count: number): string =>
  t("{{number}} older sessions were deleted to free up space.", {
    count,
    number: formatNumber(count),
    defaultValue_one: "{{number}} older session was deleted to free up space.",
  });

export const deletedEventsText = (count: number): string =>
  t("{{number}} events of this session were deleted.", { count, number: formatNumber(count) });

/** Says in how many of the previous sessions the same issue occurred; undefined if there is nothing to say. */
export function issueFrequencyText(
  issue: string,
  { compared, issues }: Pick<Timeline, "compared" | "issues">,
): string | undefined {
  const sessions = issues.find((one) => one.issue === issue)?.sessions ?? 0;
  if (sessions === 0 || compared < 2) return undefined;
  if (sessions === 1) return t("new in the last {{compared}} sessions", { compared });
  if (sessions === compared) return t("in each of the last {{compared}} sessions", { compared });
  return t("in {{sessions}} of the last {{compared}} sessions", { sessions, compared });
}

/** Returns how long a session lasted, or has lasted so far if it is still running. */
export const sessionDurationMs = ({ startedAt, endedAt }: GameSession, nowMs: number): number =>
  Math.max(0, (endedAt === null ? nowMs : Date.parse(endedAt)) - Date.parse(startedAt));

export function clipStateLabel(state: TimelineClip["state"]): { says: string; tone: BadgeTone } {
  if (state === "pending") return { says: t("Creating the clip"), tone: "moving" };
  if (state === "saved") return { says: t("Saved"), tone: "good" };
  if (state === "marked") return { says: t("Marker saved"), tone: "plain" };
  return state === "failed" ? { says: t("Failed"), tone: "bad" } : { says: state, tone: "plain" };
}

/** Says how many equal errors an entry of the timeline stands for; empty for one. */
export const occurrencesText = ({ count }: Pick<TimelineEntry, "count">): string =>
  count > 1 ? `× ${formatNumber(count)}` : "";
