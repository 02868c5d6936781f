// The sessions of a launcher for component tests, with three clips of the first session.
import { type GameSession, getTimeline, KitError, listLibrary, listSessions, type Timeline } from "@kit/contract";
import { playedClipOf } from "../session-samples.ts";
import { launcherWithClips } from "./fake-clips.ts";

/** What the launcher has. A test may change all of it at any time. */
type Kept = {
  sessions: GameSession[];
  /** The parts of a session's timeline, by session id. Each but the last has the index of the next in `until`. */
  timelines: Record<string, Timeline[]>;
};

export function launcherWithSessions(given: Partial<Kept> = {}) {
  const clips = [300, 900, 500].map((priority, index) => playedClipOf(index + 1, { priority }));
  const { launcher } = launcherWithClips({ clips });
  const kept: Kept = { sessions: [], timelines: {}, ...given };
  launcher.when(listLibrary).reply(() => ({ games: [] }));
  launcher.when(listSessions).reply(({ query: { game } }) => ({
    sessions: kept.sessions.filter((session) => game === undefined || game === (session.game ?? "unsorted")),
    more: false,
    forgotten: 0,
  }));
  launcher.when(getTimeline).reply(({ params: { id }, query: { after = "0" } }) => {
    const part = kept.timelines[id]?.[Number(after)];
    if (part === undefined) throw new KitError("not_found", "There is no such session.");
    return part;
  });
  return { launcher, kept };
}
