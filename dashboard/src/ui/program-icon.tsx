// The icon of the program that starts a game.
import type { LibraryGame } from "@kit/contract";
import type { ReactNode } from "react";
import { useMediaFile } from "../api/media-pass.ts";
import { iconFile, useLibrary } from "../api/use-games.ts";

type Props = {
  game: LibraryGame;
  size: number;
  /** Shown if the game has no icon. */
  instead?: ReactNode;
};

/** Hidden from screen readers, because the game's name is always beside it. */
export function ProgramIcon({ game, size, instead = null }: Props) {
  const { src, broken, onError } = useMediaFile(iconFile(game));
  if (game.icon === null || broken) return instead;
  return <img className="program-icon" src={src} width={size} height={size} alt="" onError={onError} />;
}

/** The same icon, for pages that know only the game's id. */
export function GameIcon({ game, size }: { game: string | null; size: number }) {
  const known = useLibrary().data?.games.find((each) => each.game === game);
  return known === undefined ? null : <ProgramIcon game={known} size={size} />;
}
