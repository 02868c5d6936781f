// The Games page: every game with its cover, Play, and what there is of it.
import "../../ui/clips/clips.css";
import "../../ui/list-page.css";
import "./library.css";
import type { GameCommand, LibraryGame } from "@kit/contract";
import { Button, Heading, Text } from "@radix-ui/themes";
import { useEffect, useId, useState } from "react";
import { useChanges } from "../../api/use-changes.ts";
import { t } from "../../language/language.ts";
import { connectAddress } from "../../ui/address.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { nameOf } from "../../ui/games/game-words.ts";
import { useLibrary, useLibraryCommands } from "../../ui/games/use-library.ts";
import { Icon } from "../../ui/icon.tsx";
import mark from "../../ui/mark.svg";
import { StorageBanner } from "../../ui/storage-banner.tsx";
import { Toast } from "../../ui/toast.tsx";
import { useNow } from "../../ui/use-now.ts";
import { visibleText } from "../../ui/visible-text.ts";
import { CommandShown } from "./command-shown.tsx";
import { GameCard } from "./game-card.tsx";
import { GameDialog } from "./game-dialog.tsx";

type Props = {
  game: LibraryGame;
  /** Rejects with the reason it was not started. */
  onAgree: (command: GameCommand) => Promise<void>;
  onOther: () => void;
  onClose: () => void;
};

/**
 * Before a program that was only seen is started for the first time: exactly what will be run, and a person's word.
 */
function AgreeDialog({ game, onAgree, onOther, onClose }: Props) {
  const title = useId();
  const [trouble, setTrouble] = useState<string>();
  const [starting, setStarting] = useState(false);
  // What is agreed to is what was shown first, whatever is seen meanwhile.
  const [command] = useState(game.command);
  if (command === null) return null;
  const agree = () => {
    setStarting(true);
    onAgree(command)
      .then(onClose, (error: Error) => setTrouble(error.message))
      .finally(() => setStarting(false));
  };
  return (
    <Dialog className="panel" labelledBy={title} onClose={onClose}>
      <h2 id={title}>{t("Is this how {{game}} is started?", { game: nameOf(game) })}</h2>
      <p>
        {game.commandFrom === "backup"
          ? t("A restored backup, which another Kit made, says so. Start it only if you know it.")
          : t("Kit saw this program send the game's events. Start it only if you know it.")}
      </p>
      <CommandShown command={command} />
      {trouble && (
        <p className="game-trouble" role="alert">
          {visibleText(trouble)}
        </p>
      )}
      <div className="panel-end">
        <Button variant="soft" color="gray" onClick={onOther}>
          {t("Start it another way")}
        </Button>
        <Button loading={starting} onClick={agree}>
          <Icon name="play" />
          {t("Yes, play")}
        </Button>
      </div>
    </Dialog>
  );
}

/** Before the first game: how one comes here. */
function NoGames() {
  return (
    <section className="empty" aria-labelledby="no-games">
      <img src={mark} width="56" height="56" alt="" />
      <Heading as="h2" size="5" weight="medium" id="no-games">
        {t("No games yet")}
      </Heading>
      <Text as="p" color="gray">
        {t("A game is here once it has sent an event, or once you say how it is started:")}
      </Text>
      <CommandLine command="npx kit games play my_game -- ./my_game" />
      <Button asChild>
        <a href={connectAddress()}>{t("Connect a game, or play the demo")}</a>
      </Button>
    </section>
  );
}

/** While a game runs its counts rise many times a second. */
const everyMs = 2_000;
const waitingCards = ["one", "two", "three", "four"];

type Asked = { readonly what: "set up" | "agree"; readonly game: string };

export function LibraryPage() {
  useChanges(everyMs);
  const nowMs = useNow();
  const { data, error } = useLibrary();
  const { doing, done, forget } = useLibraryCommands();
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
