// The card of a game: its cover, Play button, last session and counts.
import type { LibraryGame } from "@kit/contract";
import { Button, IconButton } from "@radix-ui/themes";
import { useId, useState } from "react";
import { toPostQuery } from "../../api/address-filters.ts";
import { t } from "../../language/language.ts";
import { clipsAddress, issuesAddress, postsAddress, sessionsAddress } from "../../ui/address.ts";
import { DemoBadge } from "../../ui/demo-panel.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { ProgramIcon } from "../../ui/program-icon.tsx";
import { Cover } from "./cover.tsx";
import { gameCountText, isDemoGame, lastPlayedText, libraryGameName, playTimeText } from "./game-text.ts";

type Props = {
  game: LibraryGame;
  nowMs: number;
  /** Rejects with the reason if the game does not start. Returns undefined if a dialog must be answered first. */
  onPlay: (game: LibraryGame) => Promise<void> | undefined;
  onSetUp: (game: LibraryGame) => void;
};

export function GameCard({ game, nowMs, onPlay, onSetUp }: Props) {
  const title = useId();
  const [trouble, setTrouble] = useState<string>();
  const [starting, setStarting] = useState(false);
  const name = libraryGameName(game);
  const play = () => {
    setTrouble(undefined);
    const started = onPlay(game);
    // A dialog has opened. When it closes, the focus returns to this button, which its loading state would disable.
    if (started === undefined) return;
    setStarting(true);
    started.catch((error: Error) => setTrouble(error.message)).finally(() => setStarting(false));
  };
  return (
    <article className="stack game-card" aria-labelledby={title} data-playing={game.playing}>
      <Cover game={game} />
      <div className="stack tight game-text">
        <h2 id={title} className="cluster tight">
          {game.cover !== null && <ProgramIcon game={game} size={20} />}
          <bdi>{name}</bdi>
          {isDemoGame(game) && <DemoBadge />}
        </h2>
        <Played game={game} nowMs={nowMs} />
        <Counts game={game} />
        <ErrorText error={trouble} />
        <CardActions game={game} starting={starting} onPlay={play} onSetUp={() => onSetUp(game)} />
      </div>
    </article>
  );
}

type CardActionsProps = { game: LibraryGame; starting: boolean; onPlay: () => void; onSetUp: () => void };

function CardActions({ game, starting, onPlay, onSetUp }: CardActionsProps) {
  const name = libraryGameName(game);
  return (
    <div className="spread game-doing">
      {!isDemoGame(game) && (
        <Button
          variant={game.playing ? "soft" : "solid"}
          loading={starting}
          aria-label={t("Play {{game}}", { game: name })}
          onClick={onPlay}
        >
          <Icon name="play" />
          {t("Play")}
        </Button>
      )}
      <IconButton
        variant="soft"
        color="gray"
        aria-label={t("Set up {{game}}", { game: name })}
        title={t("Set up")}
        onClick={onSetUp}
      >
        <Icon name="gear" />
      </IconButton>
    </div>
  );
}

function Played({ game, nowMs }: { game: LibraryGame; nowMs: number }) {
  const says = lastPlayedText(game, nowMs);
  return (
    <p className="cluster small quiet game-played">
      {game.session === null ? (
        says
      ) : (
        <a href={sessionsAddress(game.session)} title={game.lastPlayedAt ?? ""}>
          {game.playing && <span className="game-lamp" aria-hidden="true" />}
          {says}
        </a>
      )}
      {game.sessions > 1 && <span>{playTimeText(game)}</span>}
    </p>
  );
}

/** The game's counts, without those that are zero. */
function Counts({ game }: { game: LibraryGame }) {
  const query = `${new URLSearchParams({ game: game.game })}`;
  const counts = [
    { what: "clips", icon: "film", count: game.clips, href: clipsAddress(undefined, query) },
    { what: "issues", icon: "warning", count: game.issues, href: issuesAddress(undefined, query) },
    {
      what: "drafts",
      icon: "megaphone",
      count: game.drafts,
      href: postsAddress(toPostQuery({ game: game.game, state: "draft" })),
    },
    { what: "sessions", icon: "clock", count: game.sessions, href: sessionsAddress(undefined, query) },
  ] as const satisfies readonly { icon: IconName; [more: string]: unknown }[];
  const shown = counts.filter(({ count }) => count > 0);
  if (shown.length === 0) return null;
  return (
    <ul className="cluster small quiet game-counts">
      {shown.map(({ what, icon, count, href }) => (
        <li key={what} data-what={what}>
          <a href={href}>
            <Icon name={icon} size={13} />
            {gameCountText(what, count)}
          </a>
        </li>
      ))}
    </ul>
  );
}
