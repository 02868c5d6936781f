// The list of sessions: one run of one game each, the one that began last first.
import type { GameSession } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useCallback, useEffect, useMemo } from "react";
import { replaceAddress, sessionsAddress, useFragment } from "../frame/address.ts";
import { useNow } from "../frame/use-now.ts";
import { t } from "../language/language.ts";
import { byDay } from "../live/days.ts";
import { GameChoice } from "../live/game-choice.tsx";
import { useChanges } from "../live/use-changes.ts";
import { useGames } from "../live/use-games.ts";
import { StorageBanner } from "../storage/storage-banner.tsx";
import { SessionRow } from "./session-row.tsx";
import { type SessionView, sessionQueryOf, sessionViewIn } from "./session-view.ts";
import { NoSessions, NothingMatches } from "./sessions-empty.tsx";
import { useSessionList } from "./use-sessions.ts";
import { goneWord } from "./words.ts";

/** While a game runs its counts rise many times a second. */
const everyMs = 1_000;

function useView(): [SessionView, (game: string | undefined) => void] {
  const fragment = useFragment();
  const view = useMemo(() => sessionViewIn(fragment), [fragment]);
  const choose = useCallback((game: string | undefined) => {
    replaceAddress(sessionsAddress(undefined, sessionQueryOf(game ? { game } : {})));
  }, []);
  return [view, choose];
}

export function SessionListPage() {
  useChanges(everyMs);
  const [view, choose] = useView();
  const list = useSessionList(view);
  const sessions = useMemo(() => list.data?.pages.flatMap((page) => page.sessions) ?? [], [list.data]);
  const forgotten = list.data?.pages[0]?.forgotten ?? 0;
  useEffect(() => {
    document.title = t("Sessions · Kit");
  }, []);
  return (
    <main className="sessions">
      <StorageBanner />
      <div className="live-sticky">
        <div className="live-head">
          <h1>{t("Sessions")}</h1>
        </div>
        <search className="filters" aria-label={t("Filter the sessions")}>
          <GameChoice chosen={view.game} games={useGameNames(sessions)} onChange={({ game }) => choose(game)} />
        </search>
      </div>
      {list.error && (
        <p className="clips-trouble" role="alert">
          {list.error.message}
        </p>
      )}
      <Days sessions={sessions} query={sessionQueryOf(view)} />
      {list.isSuccess &&
        sessions.length === 0 &&
        (view.game === undefined ? <NoSessions /> : <NothingMatches onClear={() => choose(undefined)} />)}
      {list.hasNextPage && (
        <div className="notice-line">
          <Button variant="soft" color="gray" disabled={list.isFetching} onClick={() => void list.fetchNextPage()}>
            {t("Show older")}
          </Button>
        </div>
      )}
      {forgotten > 0 && !list.hasNextPage && <p className="sessions-forgotten">{goneWord(forgotten)}</p>}
    </main>
  );
}

function Days({ sessions, query }: { sessions: readonly GameSession[]; query: string }) {
  const nowMs = useNow();
  return (
    <div className="session-days">
      {byDay(sessions, new Date(nowMs), ({ startedAt }) => startedAt).map((day) => (
        <section key={day.key} aria-label={day.says}>
          <h2 className="day">{day.says}</h2>
          <ul className="session-list">
            {day.rows.map((session) => (
              <SessionRow key={session.id} session={session} query={query} nowMs={nowMs} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function useGameNames(sessions: readonly GameSession[]): string[] {
  const known = useGames().data?.games;
  return useMemo(() => {
    const seen = sessions.flatMap(({ game }) => (game === null ? [] : [game]));
    return [...new Set([...(known ?? []).map(({ game }) => game), ...seen])].sort((a, b) => a.localeCompare(b));
  }, [known, sessions]);
}
