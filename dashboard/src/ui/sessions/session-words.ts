// The words of the sessions for what the wire says in codes, and their lengths. Pure but for the language they are said in.
import type { GameSession, Timeline, TimelineClip, TimelineEntry } from "@kit/contract";
import { locale, t } from "../../language/language.ts";
import type { Tone } from "../event-words.ts";
import type { Lane } from "./session-items.ts";

type EndingWord = { readonly says: string; readonly tone: Tone; readonly title: string };

/** How a session ended, no more than is known of it. */
export function endingWord(session: GameSession): EndingWord {
  const { ending, exitCode } = session;
  if (ending === "crashed" || ending === "killed" || ending === "exited") return seenEnding(session, ending, exitCode);
  if (ending === "running") return { says: t("Running"), tone: "moving", title: t("It has not ended") };
  if (ending === "quiet") return { says: t("Fell silent"), tone: "quiet", title: t("No event came for 10 minutes") };
  if (ending === "unseen") {
    const title = t("It ended while Kit did not run, at its last event or later");
    return { says: t("Ended unseen"), tone: "quiet", title };
  }
  if (ending !== "ended") return { says: ending, tone: "plain", title: "" };
  const title = t("Its process was gone when it was looked for; how it ended is not known");
  return { says: t("Ended"), tone: "plain", title };
}

/** Of what `kit run` started. */
function seenEnding({ signal }: GameSession, ending: "crashed" | "killed" | "exited", code: number | null): EndingWord {
  const by = signal ?? (code === null ? undefined : t("code {{code}}", { code }));
  if (ending === "crashed") {
    const says = by === undefined ? t("Crashed") : t("Crashed: {{by}}", { by });
    return { says, tone: "bad", title: t("The game crashed") };
  }
  if (ending === "killed") {
    const says = by === undefined ? t("Killed") : t("Killed: {{by}}", { by });
    return { says, tone: "warn", title: t("A person or the system ended it") };
  }
  if (code === 0 || code === null) return { says: t("Ended"), tone: "plain", title: t("The game ended by itself") };
  const title = t("The game ended by itself, with code {{code}}", { code });
  return { says: t("Ended: {{by}}", { by }), tone: "warn", title };
}

export function knownByWord({ knownBy }: GameSession): string {
  if (knownBy === "run") return t("Started by kit run");
  if (knownBy === "program") return t("Known by its program");
  return knownBy === "page" ? t("A web page") : t("Known by its events alone");
}

const numberOf = (count: number) => count.toLocaleString(locale() ?? "en-US");

const eventsWord = (count: number): string =>
  t("{{number}} events", { count, number: numberOf(count), defaultValue_one: "{{number}} event" });
const momentsWord = (count: number): string =>
  t("{{number}} moments", { count, number: numberOf(count), defaultValue_one: "{{number}} moment" });
export const errorsWord = (count: number): string =>
  t("{{number}} errors", { count, number: numberOf(count), defaultValue_one: "{{number}} error" });
export const postsWord = (count: number): string =>
  t("{{number}} posts", { count, number: numberOf(count), defaultValue_one: "{{number}} post" });

/** What it sent by kind, of each there is any of; of one that sent nothing, or nothing that is told apart, how much. */
export function countsOf({ moments, errors, posts, events }: GameSession): { lane?: Lane; says: string }[] {
  const counts: { lane?: Lane; says: string; count: number }[] = [
    { lane: "moments", says: momentsWord(moments), count: moments },
    { lane: "errors", says: errorsWord(errors), count: errors },
    // A trigger alone is no post yet: what came of it says the session itself.
    { lane: "posts", says: postTriggersWord(posts), count: posts },
  ];
  const some = counts.filter(({ count }) => count > 0);
  return some.length === 0 ? [{ says: eventsWord(events) }] : some;
}

const postTriggersWord = (count: number): string =>
  t("{{number}} post triggers", { count, number: numberOf(count), defaultValue_one: "{{number}} post trigger" });

export const goneWord = (count: number): string =>
  t("{{number}} older sessions went to make room.", {
    count,
    number: numberOf(count),
    defaultValue_one: "{{number}} older session went to make room.",
  });

export const deletedWord = (count: number): string =>
  t("{{number}} of its events are no longer kept.", { count, number: numberOf(count) });

/** How often an issue came in the sessions before, where that says something. */
export function oftenWord(
  issue: string,
  { compared, issues }: Pick<Timeline, "compared" | "issues">,
): string | undefined {
  const sessions = issues.find((one) => one.issue === issue)?.sessions ?? 0;
  if (sessions === 0 || compared < 2) return undefined;
  if (sessions === 1) return t("new in the last {{compared}} sessions", { compared });
  if (sessions === compared) return t("in each of the last {{compared}} sessions", { compared });
  return t("in {{sessions}} of the last {{compared}} sessions", { sessions, compared });
}

/** A length as one says it: 35 s, 48 min, 1 h 12 min. */
export function lengthWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return t("{{seconds}} s", { seconds });
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return t("{{minutes}} min", { minutes });
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return rest === 0 ? t("{{hours}} h", { hours }) : t("{{hours}} h {{minutes}} min", { hours, minutes: rest });
}

/** How long it lasted, or lasts by now. */
export const lengthOf = ({ startedAt, endedAt }: GameSession, nowMs: number): number =>
  Math.max(0, (endedAt === null ? nowMs : Date.parse(endedAt)) - Date.parse(startedAt));

export function clipStateWord(state: TimelineClip["state"]): { says: string; tone: Tone } {
  if (state === "pending") return { says: t("In the making"), tone: "moving" };
  if (state === "saved") return { says: t("Saved"), tone: "good" };
  if (state === "marked") return { says: t("Marked"), tone: "plain" };
  return state === "failed" ? { says: t("Failed"), tone: "bad" } : { says: state, tone: "plain" };
}

/** Of equal errors one entry stands for many. */
export const timesWord = ({ count }: Pick<TimelineEntry, "count">): string => (count > 1 ? `× ${numberOf(count)}` : "");
