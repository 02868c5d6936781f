// A game's cover, or its initials where it has none. Two by three, whatever the picture is.
import type { LibraryGame } from "@kit/contract";
import { useState } from "react";
import { coverAddress } from "./use-library.ts";
import { groundOf, initialsOf } from "./words.ts";

export function Cover({ game }: { game: LibraryGame }) {
  return (
    <span className="game-cover" data-ground={groundOf(game)}>
      <span className="game-initials" aria-hidden="true">
        {initialsOf(game)}
      </span>
      {game.cover !== null && <Picture key={game.coverVersion} address={coverAddress(game)} />}
    </span>
  );
}

/** Says nothing by itself: the game's name stands beside it. */
function Picture({ address }: { address: string }) {
  const [broken, setBroken] = useState(false);
  if (broken) return null;
  return <img src={address} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />;
}
