// The icon of the program a game runs as, where one was found beside it.
import type { LibraryGame } from "@kit/contract";
import { type ReactNode, useState } from "react";
import { iconAddress, useLibrary } from "./use-library.ts";
import "./program-icon.css";

type Props = {
  game: LibraryGame;
  size: number;
  /** Shown where there is none. */
  instead?: ReactNode;
};

/** Says nothing by itself: the game's name stands beside it. */
export function ProgramIcon({ game, size, instead = null }: Props) {
  const [broken, setBroken] = useState<string>();
  if (game.icon === null || game.icon === broken) return instead;
  const address = iconAddress(game);
  const onError = () => setBroken(game.icon ?? undefined);
  return <img className="program-icon" src={address} width={size} height={size} alt="" onError={onError} />;
}

/** For a page that knows a game by its prefix alone. */
export function IconOfGame({ game, size }: { game: string | null; size: number }) {
  const known = useLibrary().data?.games.find((each) => each.game === game);
  return known === undefined ? null : <ProgramIcon game={known} size={size} />;
}
