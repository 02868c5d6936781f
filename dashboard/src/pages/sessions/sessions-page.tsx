// The Sessions page: one session, or the list of sessions, most recent first.
import type { GameSession } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useCallback, useMemo } from "react";
import { useChanges } from "../../api/changes.ts";
import { clipSmallPosterFile, useBestClipsOf } from "../../api/use-clips.ts";
import { useGameNames } from "../../api/use-games.ts";
import { t } from "../../language/language.ts";
import { connectAddress, replaceAddress, sessionsAddress, useFragment } from "../../ui/address.ts";
import { SmallPicture } from "../../ui/clips/clip-tile.tsx";
import { CommandLine } from "../../ui/copy-button.tsx";
import { EmptyState, NoMatches } from "../../ui/empty.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { GameChoice } from "../../ui/fields.tsx";
import { formatDuration, formatMinute, groupByDay } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { ToneBadge } from "../../ui/labels.tsx";
import { gameName } from "../../ui/names.ts";
import { GamesTabs, Page, PageHead, useTitle } from "../../ui/page.tsx";
import { useNow } from "../../ui/use-now.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import { SessionPage } from "./session-page.tsx";
import { endingLabel, removedSessionsText, sessionCounts, sessionDurationMs } from "./session-text.ts";
import { timelineRowIcons } from "./timeline/item-text.ts";
import { parseSessionView, type SessionView, toSessionQuery, useSessionList } from "./use-sessions.ts";
import "./sessions.css";

function NoSessions() {
  return (
    <EmptyState title={t("No sessions yet")} isNew>
      <p>
        {t(
          "A session is one run of one game, with everything that happened on one timeline. It begins with the game's first event.",
        )}
      </p>
      <p>{t("If you start the game like this, Kit also sees how it ends and turns a crash into an error report:")}</p>
      <CommandLine command="kit run -- ./mygame" />
      <p className="cluster quiet">
        <a href={connectAddress()}>{t("Connect a game")}</a>
      </p>
    </EmptyState>
  );
}

/** A row of the list: game, time, duration, ending and counts. */
function SessionRow({ session, query, nowMs }: { session: GameSession; query: string; nowMs: number }) {
  const { id, program, startedAt } = session;
  const best = useBestClipsOf(session).data?.[0];
  return (
    <li className="session-line">
      <a className="session-row numbers" href={sessionsAddress(id, query)}>
        <SmallPicture key={best?.id} file={best === undefined ? null : clipSmallPosterFile(best)} />
        <span className="cluster session-name">
          <bdi className="session-game ellipsis" data-unsorted={session.game === null}>
            {gameName(session.game, 80)}
          </bdi>
          {program !== null && <bdi className="small quiet ellipsis">{visibleLine(program, 60)}</bdi>}
        </span>
        <span className="session-when">
          <time dateTime={startedAt} title={startedAt}>
            {formatMinute(startedAt)}
          </time>
          <span className="session-length">{formatDuration(sessionDurationMs(session, nowMs))}</span>
        </span>
        <span className="cluster small quiet session-counts">
          {sessionCounts(session).map(({ lane, says }) => (
            <span key={says} data-lane={lane}>
              <span className="with-icon">
                {lane && <Icon name={timelineRowIcons[lane]} size={13} />}
                {says}
              </span>
            </span>
          ))}
        </span>
        <ToneBadge {...endingLabel(session)} />
      </a>
    </li>
  );
}

/** Limits how often the page refetches: the counts of a running game change many times a second. */
const refetchMs = 1_000;

function useSessionView(): [SessionView, (game: string | undefined) => void] {
  const fragment = useFragment();
  const view = useMemo(() => parseSessionView(fragment), [fragment]);
  const choose = useCallback((game: string | undefined) => {
    replaceAddress(sessionsAddress(undefined, toSessionQuery(game ? { game } : {})));
  }, []);
  return [view, choose];
}

function SessionListPage() {
  useChanges(refetchMs);
  const [view, choose] = useSessionView();
  const list = useSessionList(view);
  const sessions = useMemo(() => list.data?.pages.flatMap((page) => page.sessions) ?? [], [list.data]);
  const forgotten = list.data?.pages[0]?.forgotten ?? 0;
  useTitle(t("Sessions · Kit"));
  return (
    <Page>
      <PageHead title={t("Sessions")} beside={<GamesTabs page="sessions" />}>
        <search className="filters" aria-label={t("Filter the sessions")}>
          <GameChoice chosen={view.game} games={useGameNames(sessions)} onChange={({ game }) => choose(game)} />
        </search>
      </PageHead>
      <ErrorText error={list.error} />
      <Days sessions={sessions} query={toSessionQuery(view)} />
      {list.isSuccess &&
        sessions.length === 0 &&
        (view.game === undefined ? (
          <NoSessions />
        ) : (
          <NoMatches
            title={t("No sessions of this game")}
            hint={t("Its sessions appear here automatically when you play it.")}
            clearLabel={t("Show all sessions")}
            onClear={() => choose(undefined)}
          />
        ))}
      {list.hasNextPage && (
        <div className="list-end">
          <Button variant="soft" color="gray" disabled={list.isFetching} onClick={() => void list.fetchNextPage()}>
            {t("Show older")}
          </Button>
        </div>
      )}
      {forgotten > 0 && !list.hasNextPage && <p className="list-end small">{removedSessionsText(forgotten)}</p>}
    </Page>
  );
}

function Days({ sessions, query }: { sessions: readonly GameSession[]; query: string }) {
  const nowMs = useNow();
  return (
    <div className="session-days">
      {groupByDay(sessions, new Date(nowMs), ({ startedAt }) => startedAt).map((day) => (
        <section key={day.key} aria-label={day.says}>
          <h2 className="day">{day.says}</h2>
          <ul className="box lines">
            {day.rows.map((session) => (
              <SessionRow key={session.id} session={session} query={query} nowMs={nowMs} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** The Sessions page: the list, or one session. */
export function SessionsPage({ open }: { open: string | undefined }) {
  return open === undefined ? <SessionListPage /> : <SessionPage key={open} id={open} />;
}
