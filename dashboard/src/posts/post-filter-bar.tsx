// The list's filters: which state, which game.
import { postStates } from "@kit/contract";
import { t } from "../language/language.ts";
import { GameChoice } from "../live/game-choice.tsx";
import type { PostView } from "./post-view.ts";
import { postStateWord } from "./words.ts";

export type PostViewChange = { readonly [K in "state" | "game"]?: PostView[K] | undefined };

type Props = { view: PostView; games: readonly string[]; onChange: (change: PostViewChange) => void };

export function PostFilterBar({ view, games, onChange }: Props) {
  return (
    <search className="filters" aria-label={t("Filter the posts")}>
      <span className="select">
        <select
          aria-label={t("State")}
          value={view.state ?? ""}
          onChange={({ target }) => onChange({ state: postStates.find((state) => state === target.value) })}
        >
          <option value="">{t("All states")}</option>
          {postStates.map((state) => (
            <option key={state} value={state}>
              {postStateWord(state).says}
            </option>
          ))}
        </select>
      </span>
      <GameChoice chosen={view.game} games={games} onChange={onChange} />
    </search>
  );
}
