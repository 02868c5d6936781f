// Before a program that was only seen is started for the first time: exactly what will be run, and a person's word.
import type { GameCommand, LibraryGame } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useId, useState } from "react";
import { Dialog } from "../frame/dialog.tsx";
import { Icon } from "../frame/icon.tsx";
import { t } from "../language/language.ts";
import { visibleText } from "../live/visible-text.ts";
import { CommandShown } from "./command-shown.tsx";
import { nameOf } from "./words.ts";

type Props = {
  game: LibraryGame;
  /** Rejects with the reason it was not started. */
  onAgree: (command: GameCommand) => Promise<void>;
  onOther: () => void;
  onClose: () => void;
};

export function AgreeDialog({ game, onAgree, onOther, onClose }: Props) {
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
