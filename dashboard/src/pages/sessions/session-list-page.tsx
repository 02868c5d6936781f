// The list of sessions: one run of one game each, the one that began last first.
import type { GameSession } from "@kit/contract";
import { Button, Heading, Text } from "@radix-ui/themes";
import { useCallback, useEffect, useMemo } from "react";
import { useChanges } from "../../api/use-changes.ts";
import { useGames } from "../../api/use-games.ts";
import { t } from "../../language/language.ts";
import { connectAddress, replaceAddress, sessionsAddress, useFragment } from "../../ui/address.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import { byDay } from "../../ui/days.ts";
import { GameChoice } from "../../ui/game-choice.tsx";
import { Icon } from "../../ui/icon.tsx";
import mark from "../../ui/mark.svg";
import { countsOf, goneWord, lengthOf, lengthWords } from "../../ui/sessions/session-words.ts";
import { StorageBanner } from "../../ui/storage-banner.tsx";
import { useNow } from "../../ui/use-now.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import { laneIcons } from "./lane-words.ts";
import { EndingBadge, GameName, timeOfDay } from "./session-labels.tsx";
import { type SessionView, sessionQueryOf, sessionViewIn } from "./session-view.ts";
import { useSessionList } from "./use-sessions.ts";

/** Where there are no sessions to show: how the first one comes about. */
function NoSessions() {
  return (
    <section className="empty" aria-labelledby="no-sessions">
      <img src={mark} width="56" height="56" alt="" />
      <Heading as="h2" size="5" weight="medium" id="no-sessions">
        {t("No sessions yet")}
      </Heading>
      <Text as="p" color="gray">
        {t(
          "A session is one run of one game, with all that happened in it on one track. It begins with the game's first event.",
        )}
      </Text>
      <Text as="p" color="gray">
        {t("Started this way, Kit also sees how the game ends, and makes an error report of a crash:")}
      </Text>
      <CommandLine command="npx kit run -- ./mygame" />
      <p className="session-more">
        <a href={connectAddress()}>{t("Connect a game")}</a>
      </p>
    </section>
  );
}

function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <section className="empty" aria-labelledby="no-sessions">
      <Heading as="h2" size="4" weight="medium" id="no-sessions">
        {t("No session of this game")}
      </Heading>
      <Text as="p" color="gray">
        {t("When it is played, its sessions appear here by themselves.")}
      </Text>
      <Button variant="soft" onClick={onClear}>
        {t("Show all sessions")}
      </Button>
    </section>
  );
}

/** One session in the list: which game, when, how long, how it ended, and how much happened. */
function SessionRow({ session, query, nowMs }: { session: GameSession; query: string; nowMs: number }) {
  const { id, program, startedAt } = session;
  return (
    <li>
      <a className="session-row" href={sessionsAddress(id, query)}>
        <span className="session-name">
          <GameName session={session} />
          {program !== null && <bdi className="session-program">{visibleLine(program, 60)}</bdi>}
        </span>
        <span className="session-when">
          <time dateTime={startedAt} title={startedAt}>
            {timeOfDay(startedAt)}
          </time>
          <span className="session-length">{lengthWords(lengthOf(session, nowMs))}</span>
        </span>
        <span className="session-counts">
          {countsOf(session).map(({ lane, says }) => (
            <span key={says} data-lane={lane}>
              {lane && <Icon name={laneIcons[lane]} size={13} />}
              {says}
            </span>
          ))}
        </span>
        <EndingBadge session={session} />
      </a>
    </li>
  );
}

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
