// A game's cover, 2:3. A game without one shows its program's icon, or else its initials.
import type { LibraryGame } from "@kit/contract";
import { usePicture } from "../../api/media-pass.tsx";
import { coverFile } from "../../api/use-library.ts";
import { ProgramIcon } from "../../ui/program-icon.tsx";
import { coverBackgroundIndex, gameInitials } from "./game-text.ts";

const grounds = ["iris", "sky", "amber", "tomato", "ruby", "gray"];

/** Returns the background colours of a game without a cover. They are always the same for a game. */
const groundOf = (game: LibraryGame) => {
  const colour = grounds[coverBackgroundIndex(game)] ?? "gray";
  return `linear-gradient(160deg, var(--${colour}-4), var(--${colour}-7))`;
};

export function Cover({ game }: { game: LibraryGame }) {
  const initials = (
    <span className="game-initials" aria-hidden="true">
      {gameInitials(game)}
    </span>
  );
  return (
    <span className="game-cover" style={{ background: groundOf(game) }}>
      {game.cover === null ? <ProgramIcon game={game} size={96} instead={initials} /> : initials}
      {game.cover !== null && <Picture key={game.coverVersion} game={game} />}
    </span>
  );
}

/** Without alternative text, because the game's name is beside the picture. */
function Picture({ game }: { game: LibraryGame }) {
  const { src, broken, onError } = usePicture(coverFile(game));
  if (broken) return null;
  return <img src={src} alt="" loading="lazy" decoding="async" onError={onError} />;
}
