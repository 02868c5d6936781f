// The words of the sessions for what the wire says in codes, and their lengths. Pure.
import type { GameSession, SessionEnding, TimelineClip, TimelineEntry } from "@kit/contract";
import type { Tone } from "../live/words.ts";

type EndingWord = { readonly says: string; readonly tone: Tone; readonly title: string };

const endings: Record<Exclude<SessionEnding, "exited" | "crashed" | "killed">, EndingWord> = {
  running: { says: "Running", tone: "moving", title: "It has not ended" },
  ended: {
    says: "Ended",
    tone: "plain",
    title: "Its process was gone when it was looked for; how it ended is not known",
  },
  quiet: { says: "Fell silent", tone: "quiet", title: "No event came for 10 minutes" },
  unseen: { says: "Ended unseen", tone: "quiet", title: "It ended while Kit did not run, at its last event or later" },
};

/** How a session ended, no more than is known of it. */
export function endingWord({ ending, exitCode, signal }: GameSession): EndingWord {
  const by = signal ?? (exitCode === null ? "" : `code ${exitCode}`);
  const named = by === "" ? "" : `: ${by}`;
  if (ending === "crashed") return { says: `Crashed${named}`, tone: "bad", title: "The game crashed" };
  if (ending === "killed") return { says: `Killed${named}`, tone: "warn", title: "A person or the system ended it" };
  if (ending !== "exited") return endings[ending] ?? { says: ending, tone: "plain", title: "" };
  if (exitCode === 0 || exitCode === null) return { says: "Ended", tone: "plain", title: "The game ended by itself" };
  return { says: `Ended${named}`, tone: "warn", title: `The game ended by itself, with code ${exitCode}` };
}

const knownByWords: Record<GameSession["knownBy"], string> = {
  run: "Started by kit run",
  program: "Known by its program",
  page: "A web page",
  events: "Known by its events alone",
};
export const knownByWord = ({ knownBy }: GameSession): string => knownByWords[knownBy] ?? knownBy;

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
export const eventsWord = (count: number): string => counted(count, "event", "events");
export const errorsWord = (count: number): string => counted(count, "error", "errors");
export const postsWord = (count: number): string => counted(count, "post", "posts");

/** A length as one says it: 35 s, 48 min, 1 h 12 min. */
export function lengthWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return rest === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}

/** How long it lasted, or lasts by now. */
export const lengthOf = ({ startedAt, endedAt }: GameSession, nowMs: number): number =>
  Math.max(0, (endedAt === null ? nowMs : Date.parse(endedAt)) - Date.parse(startedAt));

const clipStateWords: Record<TimelineClip["state"], { says: string; tone: Tone }> = {
  pending: { says: "In the making", tone: "moving" },
  saved: { says: "Saved", tone: "good" },
  marked: { says: "Marked", tone: "plain" },
  failed: { says: "Failed", tone: "bad" },
};
export const clipStateWord = (state: TimelineClip["state"]) => clipStateWords[state] ?? { says: state, tone: "plain" };

/** Of equal errors one entry stands for many. */
export const timesWord = ({ count }: Pick<TimelineEntry, "count">): string =>
  count > 1 ? `× ${count.toLocaleString("en-US")}` : "";
