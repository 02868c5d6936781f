// A game's cover; where it has none its program's icon, else its initials. Two by three, whatever the picture is.
import type { LibraryGame } from "@kit/contract";
import { usePicture } from "../../api/media-pass.tsx";
import { groundOf, initialsOf } from "../../ui/games/game-words.ts";
import { ProgramIcon } from "../../ui/games/program-icon.tsx";
import { coverOf } from "../../ui/games/use-library.ts";

export function Cover({ game }: { game: LibraryGame }) {
  const initials = (
    <span className="game-initials" aria-hidden="true">
      {initialsOf(game)}
    </span>
  );
  return (
    <span className="game-cover" data-ground={groundOf(game)}>
      {game.cover === null ? <ProgramIcon game={game} size={96} instead={initials} /> : initials}
      {game.cover !== null && <Picture key={game.coverVersion} game={game} />}
    </span>
  );
}

/** Says nothing by itself: the game's name stands beside it. */
function Picture({ game }: { game: LibraryGame }) {
  const { src, broken, onError } = usePicture(coverOf(game));
  if (broken) return null;
  return <img src={src} alt="" loading="lazy" decoding="async" onError={onError} />;
}
