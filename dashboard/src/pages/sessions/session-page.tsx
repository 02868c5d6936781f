// One session: what came of it, its track, and beside it what a person looks at.
import "../../ui/clips/player.css";
import "./session.css";
import "./track.css";
import { type GameSession, KitError, type Timeline } from "@kit/contract";
import { Button, IconButton } from "@radix-ui/themes";
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useChanges } from "../../api/use-changes.ts";
import { t } from "../../language/language.ts";
import { replaceAddress, rowAddress, sessionsAddress, useFragment } from "../../ui/address.ts";
import { moveOf } from "../../ui/clips/player-keys.ts";
import { gameWord } from "../../ui/game-name.ts";
import { IconOfGame } from "../../ui/games/program-icon.tsx";
import { HelpDialog } from "../../ui/help-dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { type Item, trackOf } from "../../ui/sessions/session-items.ts";
import { countsOf, knownByWord, lengthOf, lengthWords } from "../../ui/sessions/session-words.ts";
import { useShortcutSwitch, useShortcuts } from "../../ui/shortcuts.ts";
import { useNow } from "../../ui/use-now.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import { ItemList } from "./item-list.tsx";
import { NearbyEvents, type PlayerGo } from "./nearby-events.tsx";
import { dateAndTime, EndingBadge } from "./session-labels.tsx";
import { openIn, sessionQueryOf, sessionViewIn } from "./session-view.ts";
import { Summary } from "./summary.tsx";
import { TrackView } from "./track-view.tsx";
import { useTimeline } from "./use-sessions.ts";
import { type ChangeZoom, closer, further } from "./zoom.ts";

/** The keys of a session's page, as the help lists them. */
const sessionKeys = () =>
  [
    { keys: ["←", "→"], says: t("On the track: what was before or after") },
    { keys: ["↑", "↓"], says: t("On the track: the lane above or below") },
    { keys: ["Home", "End"], says: t("On the track: the first or the last") },
    { keys: ["Enter"], says: t("Open it here; once more: its issue, post, clip or receipt") },
    { keys: ["+", "-"], says: t("Closer, or further away") },
    { keys: ["Space", "k"], says: t("Play or pause") },
    { keys: ["j", "l"], says: t("5 seconds back or on") },
    { keys: ["Esc"], says: t("Close what is open, then back to the list") },
    { keys: ["?"], says: t("This help") },
  ] as const;

type Needs = {
  go: RefObject<PlayerGo | undefined>;
  onZoom: ChangeZoom;
  opened: Item | undefined;
  onClose: () => void;
  back: string;
};

/** The keys of a session's page wherever the focus is, and the dialog that explains them. */
function useSessionKeys({ go, onZoom, opened, onClose, back }: Needs) {
  const [isOpen, setOpen] = useState(false);
  const [shortcuts, setShortcuts] = useShortcutSwitch();
  const play = (key: string) => () => {
    const move = moveOf(key);
    if (move) go.current?.(move);
  };
  useShortcuts(shortcuts, {
    j: play("j"),
    k: play("k"),
    l: play("l"),
    "+": () => onZoom(closer),
    "=": () => onZoom(closer),
    "-": () => onZoom(further),
    "?": () => setOpen(true),
    Escape: () => {
      if (opened) onClose();
      else location.hash = back;
    },
  });
  const dialog = (
    <HelpDialog
      open={isOpen}
      onClose={() => setOpen(false)}
      shortcuts={shortcuts}
      onShortcuts={setShortcuts}
      help={sessionKeys()}
    />
  );
  return { open: () => setOpen(true), dialog };
}

/** A long timeline is fetched less often: the game comes first. */
const paceMs = (entries: number) => (entries > 1_000 ? 10_000 : 2_000);

export function SessionPage({ id }: { id: string }) {
  const { parts, error, isFetching, more } = useTimeline(id);
  useChanges(paceMs(parts.reduce((sum, part) => sum + part.entries.length, 0)));
  const back = sessionsAddress(undefined, sessionQueryOf(sessionViewIn(useFragment())));
  const session = parts.at(-1)?.session;
  useEffect(() => {
    document.title = session
      ? t("{{game}}, {{when}} · Kit", { game: gameWord(session.game, 80), when: dateAndTime(session.startedAt) })
      : t("Session · Kit");
  }, [session]);
  return (
    <main className="session">
      <div className="session-page">
        <a className="session-back" href={back}>
          <Icon name="back" size={14} />
          {t("Sessions")}
        </a>
        {error && !session && <Trouble error={error} />}
        {!error && !session && <p className="session-wait">{t("Looking for the session…")}</p>}
        {error && session && (
          <p className="session-trouble" role="alert">
            {error.message}
          </p>
        )}
        {session && <Body session={session} parts={parts} back={back} more={more} isFetching={isFetching} />}
      </div>
    </main>
  );
}

function Trouble({ error }: { error: Error }) {
  const gone = error instanceof KitError && error.code === "not_found";
  return (
    <>
      <h1>{gone ? t("Not to be found") : t("Session")}</h1>
      <p role="alert">
        {gone
          ? t("There is no session at this address any more: it went to make room, or was never there.")
          : error.message}
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

/** What is open stands in the address: who comes back from an issue finds it again. */
function useOpened(id: string, items: readonly Item[]) {
  const fragment = useFragment();
  const key = openIn(fragment);
  const open = useCallback(
    (item: Item | undefined) =>
      replaceAddress(sessionsAddress(id, sessionQueryOf(sessionViewIn(location.hash), item?.key))),
    [id],
  );
  return { opened: useMemo(() => items.find((item) => item.key === key), [items, key]), open };
}

function Body({ session, parts, back, more, isFetching }: BodyProps) {
  const nowMs = useNow();
  const track = useMemo(() => trackOf(parts, nowMs), [parts, nowMs]);
  const { opened, open } = useOpened(session.id, track.items);
  const [at, setAt] = useState<string>();
  const current = track.items.find(({ key }) => key === at) ?? opened;
  const go = useRef<PlayerGo>(undefined);
  const show = useCallback(
    (item: Item) => {
      setAt(item.key);
      open(item);
    },
    [open],
  );
  const [zoom, setZoom] = useState(1);
  const keys = useSessionKeys({ go, onZoom: setZoom, opened, onClose: () => open(undefined), back });
  const startMs = Date.parse(session.startedAt);
  const shown = { current, opened, startMs, onShow: show };
  return (
    <>
      <Head session={session} nowMs={nowMs} onHelp={keys.open} />
      <Summary items={track.items} startMs={startMs} parts={parts} onShow={show} />
      <TrackView {...shown} track={track} zoom={zoom} onZoom={setZoom} onMove={(item) => setAt(item.key)} go={go} />
      {more && (
        <p className="session-more">
          {t("It goes on behind this; what it came to is counted as far as it is shown.")}
          <Button size="1" variant="soft" disabled={isFetching} onClick={more}>
            {t("Show what came after")}
          </Button>
        </p>
      )}
      <div className="session-columns" data-open={opened !== undefined}>
        <ItemList {...shown} track={track} />
        {opened && (
          <NearbyEvents key={opened.key} item={opened} startMs={startMs} go={go} onClose={() => open(undefined)} />
        )}
      </div>
      {keys.dialog}
    </>
  );
}

function Head({ session, nowMs, onHelp }: { session: GameSession; nowMs: number; onHelp: () => void }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  const { startedAt, program, crash } = session;
  return (
    <header className="session-head">
      <div>
        <h1 ref={title} tabIndex={-1}>
          <bdi>{gameWord(session.game, 80)}</bdi>
        </h1>
        <p className="session-about">
          <EndingBadge session={session} />
          {crash !== null && <a href={rowAddress(crash)}>{t("The crash's report")}</a>}
          <time dateTime={startedAt} title={startedAt}>
            {dateAndTime(startedAt)}
          </time>
          <span>{lengthWords(lengthOf(session, nowMs))}</span>
          {countsOf(session).map(({ says }) => (
            <span key={says}>{says}</span>
          ))}
          <span className="session-of">
            <IconOfGame game={session.game} size={16} />
            {program === null ? knownByWord(session) : <bdi>{visibleLine(program, 80)}</bdi>}
          </span>
        </p>
      </div>
      <IconButton
        variant="soft"
        color="gray"
        aria-label={t("Keys and help")}
        title={t("Keys and help")}
        onClick={onHelp}
      >
        <Icon name="help" />
      </IconButton>
    </header>
  );
}
