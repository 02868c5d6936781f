// The Games page: every game with its cover, Play button and counts.
import "./library.css";
import type { GameCommand, LibraryGame } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useId, useState } from "react";
import { useChanges } from "../../api/changes.ts";
import { useLibrary } from "../../api/use-games.ts";
import { t } from "../../language/language.ts";
import { AddGameButton } from "../../ui/add-game.tsx";
import { connectAddress } from "../../ui/address.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { Icon } from "../../ui/icon.tsx";
import { GamesTabs, Page, PageHead, useTitle } from "../../ui/page.tsx";
import { Toast } from "../../ui/toast.tsx";
import { useNow } from "../../ui/use-now.ts";
import { GameCard } from "./game-card.tsx";
import { CommandView, GameDialog } from "./game-dialog.tsx";
import { libraryGameName } from "./game-text.ts";
import { useLibraryCommands } from "./use-library-commands.ts";

type Props = {
  game: LibraryGame;
  /** Rejects with the reason if the game does not start. */
  onAgree: (command: GameCommand) => Promise<void>;
  onOther: () => void;
  onClose: () => void;
};

/**
 * Shows the exact command and asks for consent before Kit starts a program for the first time that it has only
 * observed.
 */
function ConfirmCommandDialog({ game, onAgree, onOther, onClose }: Props) {
  const title = useId();
  const [trouble, setTrouble] = useState<string>();
  const [starting, setStarting] = useState(false);
  // Kit may observe another command while the dialog is open, but the person agrees to the one that is shown.
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
      <h2 id={title}>{t("Start {{game}} like this?", { game: libraryGameName(game) })}</h2>
      <p>
        {game.commandFrom === "backup"
          ? t("This command comes from a restored backup of another Kit. Start it only if you recognize it.")
          : t("Kit saw the game run as this program. Start it only if you recognize it.")}
      </p>
      <CommandView command={command} />
      <ErrorText error={trouble} />
      <div className="panel-end">
        <Button variant="soft" color="gray" onClick={onOther}>
          {t("Use another command")}
        </Button>
        <Button loading={starting} onClick={agree}>
          <Icon name="play" />
          {t("Yes, play")}
        </Button>
      </div>
    </Dialog>
  );
}

function NoGames() {
  return (
    <EmptyState title={t("No games yet")} isNew>
      <p>{t("Add a game that runs now. A game that has Kit appears here by itself, once it has sent an event.")}</p>
      <a href={connectAddress()}>{t("Do you make the game?")}</a>
    </EmptyState>
  );
}

/** Limits how often the page refetches: the counts of a running game change many times a second. */
const refetchMs = 2_000;
const loadingCards = ["one", "two", "three", "four"];

type OpenDialog = { readonly what: "set up" | "agree"; readonly game: string };

export function LibraryPage() {
  useChanges(refetchMs);
  const nowMs = useNow();
  const { data, error } = useLibrary();
  const { commands, done, forget: clearDone, sayAdded } = useLibraryCommands();
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  useTitle(t("Games · Kit"));
  const open = data?.games.find(({ game }) => game === dialog?.game);
  const play = (game: LibraryGame) => {
    if (game.commandFrom === "person") return commands.play(game);
    setDialog({ what: game.command === null ? "set up" : "agree", game: game.game });
    return undefined;
  };
  return (
    <Page>
      <PageHead title={t("Games")} beside={<GamesTabs page="games" />} end={<AddGameButton onAdded={sayAdded} />} />
      <div className="column wide">
        <ErrorText error={error} />
        {!data && !error && <LoadingCards />}
        {data && data.games.length === 0 && <NoGames />}
        {data && data.games.length > 0 && (
          <ul className="game-grid">
            {data.games.map((game) => (
              <li key={game.game}>
                <GameCard
                  game={game}
                  nowMs={nowMs}
                  onPlay={play}
                  onSetUp={() => setDialog({ what: "set up", game: game.game })}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
      {open && dialog?.what === "set up" && (
        <GameDialog game={open} commands={commands} onClose={close}>
          <Toast done={done} onGone={clearDone} />
        </GameDialog>
      )}
      {open?.command && dialog?.what === "agree" && (
        <ConfirmCommandDialog
          game={open}
          onAgree={(command) => commands.agreeAndPlay(open, command)}
          onOther={() => setDialog({ what: "set up", game: open.game })}
          onClose={close}
        />
      )}
      {/* Screen readers cannot reach the page below an open dialog, so the dialog shows the toast itself. */}
      <Toast done={dialog?.what === "set up" ? undefined : done} onGone={clearDone} />
    </Page>
  );
}

/** Placeholders as large as the cards, so that nothing moves when the games arrive. */
function LoadingCards() {
  return (
    <ul className="game-grid" aria-busy="true" aria-label={t("Loading games")}>
      {loadingCards.map((each) => (
        <li key={each} className="stack game-card">
          <span className="game-cover" />
        </li>
      ))}
    </ul>
  );
}
