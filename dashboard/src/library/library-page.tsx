// The Games page: every game with its cover, Play, and what there is of it.
import type { LibraryGame } from "@kit/contract";
import { useEffect, useState } from "react";
import { Toast } from "../clips/toast.tsx";
import { useNow } from "../frame/use-now.ts";
import { t } from "../language/language.ts";
import { useChanges } from "../live/use-changes.ts";
import { visibleText } from "../live/visible-text.ts";
import { StorageBanner } from "../storage/storage-banner.tsx";
import { AgreeDialog } from "./agree-dialog.tsx";
import { GameCard } from "./game-card.tsx";
import { GameDialog } from "./game-dialog.tsx";
import { NoGames } from "./library-empty.tsx";
import { useLibrary, useLibraryDoing } from "./use-library.ts";
import "../clips/clips.css";
import "../live/live.css";
import "./library.css";

/** While a game runs its counts rise many times a second. */
const everyMs = 2_000;
const waitingCards = ["one", "two", "three", "four"];

type Asked = { readonly what: "set up" | "agree"; readonly game: string };

export function LibraryPage() {
  useChanges(everyMs);
  const nowMs = useNow();
  const { data, error } = useLibrary();
  const { doing, done, forget } = useLibraryDoing();
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  useEffect(() => {
    document.title = t("Games · Kit");
  }, []);
  const open = data?.games.find(({ game }) => game === asked?.game);
  const play = (game: LibraryGame) => {
    if (game.commandFrom === "person") return doing.play(game);
    setAsked({ what: game.command === null ? "set up" : "agree", game: game.game });
    return undefined;
  };
  return (
    <main className="library">
      <StorageBanner />
      <div className="library-page">
        <h1>{t("Games")}</h1>
        {error && (
          <p className="clips-trouble" role="alert">
            {visibleText(error.message)}
          </p>
        )}
        {!data && !error && <Waiting />}
        {data && data.games.length === 0 && <NoGames />}
        {data && data.games.length > 0 && (
          <ul className="game-grid">
            {data.games.map((game) => (
              <li key={game.game}>
                <GameCard
                  game={game}
                  nowMs={nowMs}
                  onPlay={play}
                  onSetUp={() => setAsked({ what: "set up", game: game.game })}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
      {open && asked?.what === "set up" && (
        <GameDialog game={open} doing={doing} onClose={close}>
          <Toast done={done} onGone={forget} />
        </GameDialog>
      )}
      {open?.command && asked?.what === "agree" && (
        <AgreeDialog
          game={open}
          onAgree={(command) => doing.agreeAndPlay(open, command)}
          onOther={() => setAsked({ what: "set up", game: open.game })}
          onClose={close}
        />
      )}
      {/* A dialog takes all beside it away from who listens: then it says by itself what was done. */}
      <Toast done={asked?.what === "set up" ? undefined : done} onGone={forget} />
    </main>
  );
}

/** As large as what will be there, so that nothing jumps. */
function Waiting() {
  return (
    <ul className="game-grid" aria-busy="true" aria-label={t("The games are being looked up")}>
      {waitingCards.map((each) => (
        <li key={each} className="game-card">
          <span className="game-cover" data-ground="none" />
        </li>
      ))}
    </ul>
  );
}
