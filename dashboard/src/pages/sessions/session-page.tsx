// One session: its summary, its timeline, and the open item.
import { formatDateAndMinute, formatDuration } from "../../ui/format.ts";
import "./timeline/track.css";
import { type GameSession, KitError, type Timeline } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type RefObject, useCallback, useMemo, useRef, useState } from "react";
import { useChanges } from "../../api/changes.ts";
import { t } from "../../language/language.ts";
import { replaceAddress, rowAddress, sessionsAddress, useFragment } from "../../ui/address.ts";
import { ErrorText } from "../../ui/error-text.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ToneBadge } from "../../ui/labels.tsx";
import { gameName } from "../../ui/names.ts";
import { Page, useInitialFocus, useTitle } from "../../ui/page.tsx";
import { moveOfKey } from "../../ui/player/player-keys.ts";
import { GameIcon } from "../../ui/program-icon.tsx";
import { HelpButton, usePageKeys } from "../../ui/shortcuts.tsx";
import { useNow } from "../../ui/use-now.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import { SessionSummary } from "./session-summary.tsx";
import { endingLabel, sessionCounts, sessionDurationMs, sessionSourceText } from "./session-text.ts";
import { ItemList, ItemPanel, type PlayerControl } from "./timeline/item-list.tsx";
import { buildTrack, type TimelineItem } from "./timeline/session-items.ts";
import { type ChangeZoom, zoomIn, zoomOut } from "./timeline/track-scale.ts";
import { TrackView } from "./timeline/track-view.tsx";
import { openItemFromAddress, parseSessionView, toSessionQuery, useTimeline } from "./use-sessions.ts";

const sessionKeys = () =>
  [
    { keys: ["←", "→"], says: t("On the timeline: previous or next item") },
    { keys: ["↑", "↓"], says: t("On the timeline: row above or below") },
    { keys: ["Home", "End"], says: t("On the timeline: first or last item") },
    { keys: ["Enter"], says: t("Open the item here; press again for its issue, post, clip or receipt") },
    { keys: ["+", "-"], says: t("Zoom in or out") },
    { keys: ["Space", "k"], says: t("Play or pause") },
    { keys: ["j", "l"], says: t("5 seconds back or forward") },
    { keys: ["Esc"], says: t("Close the open item, then return to the list") },
    { keys: ["?"], says: t("Show this help") },
  ] as const;

type SessionKeysDeps = {
  playerControl: RefObject<PlayerControl | undefined>;
  onZoom: ChangeZoom;
  opened: TimelineItem | undefined;
  onClose: () => void;
  back: string;
};

/** Registers the page's keyboard shortcuts and returns the dialog that lists them. */
function useSessionKeys({ playerControl, onZoom, opened, onClose, back }: SessionKeysDeps) {
  const play = (key: string) => () => {
    const move = moveOfKey(key);
    if (move) playerControl.current?.(move);
  };
  const handlers = {
    j: play("j"),
    k: play("k"),
    l: play("l"),
    "+": () => onZoom(zoomIn),
    "=": () => onZoom(zoomIn),
    "-": () => onZoom(zoomOut),
    Escape: () => {
      if (opened) onClose();
      else location.hash = back;
    },
  };
  return usePageKeys(handlers, sessionKeys());
}

/** Returns how often a timeline is fetched. A long one is fetched less often, to leave computing time to the game. */
const refetchMs = (entries: number) => (entries > 1_000 ? 10_000 : 2_000);

export function SessionPage({ id }: { id: string }) {
  const { parts, error, isFetching, more } = useTimeline(id);
  useChanges(refetchMs(parts.reduce((sum, part) => sum + part.entries.length, 0)));
  const back = sessionsAddress(undefined, toSessionQuery(parseSessionView(useFragment())));
  const session = parts.at(-1)?.session;
  useTitle(
    session
      ? t("{{game}}, {{when}} · Kit", {
          game: gameName(session.game, 80),
          when: formatDateAndMinute(session.startedAt),
        })
      : t("Session · Kit"),
  );
  return (
    <Page column="wide">
      <a className="with-icon small quiet back" href={back}>
        <Icon name="back" size={14} />
        {t("Sessions")}
      </a>
      {error && !session && <Trouble error={error} />}
      {!error && !session && <h1 className="quiet">{t("Loading the session…")}</h1>}
      <ErrorText error={session && error} />
      {session && <SessionContent session={session} parts={parts} back={back} more={more} isFetching={isFetching} />}
    </Page>
  );
}

function Trouble({ error }: { error: Error }) {
  const gone = error instanceof KitError && error.code === "not_found";
  return (
    <>
      <h1>{gone ? t("Not found") : t("Session")}</h1>
      <p role="alert">
        {gone ? t("No session has this address. It was deleted to free space, or it never existed.") : error.message}
      </p>
    </>
  );
}

type BodyProps = {
  session: GameSession;
  parts: readonly Timeline[];
  back: string;
  more: (() => void) | undefined;
  isFetching: boolean;
};

/** The open item. It is kept in the URL, so that a reload, a link or the Back button from another page opens it again. */
function useOpenItem(id: string, items: readonly TimelineItem[]) {
  const fragment = useFragment();
  const key = openItemFromAddress(fragment);
  const open = useCallback(
    (item: TimelineItem | undefined) =>
      replaceAddress(sessionsAddress(id, toSessionQuery(parseSessionView(location.hash), item?.key))),
    [id],
  );
  return { opened: useMemo(() => items.find((item) => item.key === key), [items, key]), open };
}

function SessionContent({ session, parts, back, more, isFetching }: BodyProps) {
  const nowMs = useNow();
  const track = useMemo(() => buildTrack(parts, nowMs), [parts, nowMs]);
  const { opened, open } = useOpenItem(session.id, track.items);
  const [at, setAt] = useState<string>();
  const current = track.items.find(({ key }) => key === at) ?? opened;
  const playerControl = useRef<PlayerControl>(undefined);
  const show = useCallback(
    (item: TimelineItem) => {
      setAt(item.key);
      open(item);
    },
    [open],
  );
  const [zoom, setZoom] = useState(1);
  const keys = useSessionKeys({ playerControl, onZoom: setZoom, opened, onClose: () => open(undefined), back });
  const startMs = Date.parse(session.startedAt);
  const shown = { current, opened, startMs, onShow: show };
  return (
    <>
      <Head session={session} nowMs={nowMs} onHelp={keys.open} />
      <SessionSummary items={track.items} startMs={startMs} parts={parts} onShow={show} />
      <TrackView
        {...shown}
        track={track}
        zoom={zoom}
        onZoom={setZoom}
        onMove={(item) => setAt(item.key)}
        playerControl={playerControl}
      />
      {more && (
        <p className="cluster quiet">
          {t("The session continues after this. The summary covers only what is shown.")}
          <Button size="1" variant="soft" disabled={isFetching} onClick={more}>
            {t("Show the next part")}
          </Button>
        </p>
      )}
      <div className="session-columns" data-open={opened !== undefined}>
        <ItemList {...shown} track={track} />
        {opened && (
          <ItemPanel
            key={opened.key}
            item={opened}
            startMs={startMs}
            playerControl={playerControl}
            onClose={() => open(undefined)}
          />
        )}
      </div>
      {keys.dialog}
    </>
  );
}

function Head({ session, nowMs, onHelp }: { session: GameSession; nowMs: number; onHelp: () => void }) {
  const title = useInitialFocus<HTMLHeadingElement>();
  const { startedAt, program, crash } = session;
  return (
    <header className="spread session-head">
      <div className="stack tight">
        <h1 ref={title} tabIndex={-1}>
          <bdi>{gameName(session.game, 80)}</bdi>
        </h1>
        <p className="cluster quiet">
          <ToneBadge {...endingLabel(session)} />
          {crash !== null && <a href={rowAddress(crash)}>{t("Crash report")}</a>}
          <time dateTime={startedAt} title={startedAt}>
            {formatDateAndMinute(startedAt)}
          </time>
          <span>{formatDuration(sessionDurationMs(session, nowMs))}</span>
          {sessionCounts(session).map(({ says }) => (
            <span key={says}>{says}</span>
          ))}
          <span className="with-icon">
            <GameIcon game={session.game} size={16} />
            {program === null ? sessionSourceText(session) : <bdi>{visibleLine(program, 80)}</bdi>}
          </span>
        </p>
      </div>
      <HelpButton onHelp={onHelp} />
    </header>
  );
}
