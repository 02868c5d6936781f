// The icon of the program a game runs as, where one was found beside it.
import type { LibraryGame } from "@kit/contract";
import type { ReactNode } from "react";
import { usePicture } from "../../api/media-pass.tsx";
import { iconOf, useLibrary } from "./use-library.ts";
import "./program-icon.css";

type Props = {
  game: LibraryGame;
  size: number;
  /** Shown where there is none. */
  instead?: ReactNode;
};

/** Says nothing by itself: the game's name stands beside it. */
export function ProgramIcon({ game, size, instead = null }: Props) {
  const { src, broken, onError } = usePicture(iconOf(game));
  if (game.icon === null || broken) return instead;
  return <img className="program-icon" src={src} width={size} height={size} alt="" onError={onError} />;
}

/** For a page that knows a game by its prefix alone. */
export function IconOfGame({ game, size }: { game: string | null; size: number }) {
  const known = useLibrary().data?.games.find((each) => each.game === game);
  return known === undefined ? null : <ProgramIcon game={known} size={size} />;
}
