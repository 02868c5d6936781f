// Commands on games. Each shows a toast when it has completed, with undo where that is possible.

import {
  type BodyOf,
  type Client,
  changeLibraryGame,
  type GameCommand,
  getCover,
  type LibraryGame,
  playGame,
  registerGame,
  type SwitchChange,
  setCover,
} from "@kit/contract";
import { useCallback, useMemo } from "react";
import { useClient } from "../../api/session.ts";
import { useRefetchGames } from "../../api/use-games.ts";
import { t } from "../../language/language.ts";
import { useToast } from "../../ui/toast.tsx";
import { libraryGameName } from "./game-text.ts";
import { toBase64 } from "./scale-picture.ts";

type Cover = BodyOf<typeof setCover>;
type Change = { name?: string | null; command?: GameCommand | null };
type Step = { readonly says: string; readonly undo?: () => Promise<unknown> };

export type LibraryCommands = {
  /** A command that fails rejects with the launcher's error and has changed nothing, but `agreeAndPlay` may have saved the command line. */
  readonly play: (game: LibraryGame) => Promise<void>;
  /** Saves the shown command for the game, then starts it. */
  readonly agreeAndPlay: (game: LibraryGame, command: GameCommand) => Promise<void>;
  readonly change: (game: LibraryGame, change: Change) => Promise<void>;
  readonly cover: (game: LibraryGame, cover: Cover) => Promise<void>;
  readonly turn: (game: LibraryGame, switches: SwitchChange) => Promise<void>;
};

/** Fetches the current cover, so that an undo can restore it. */
async function coverNow(client: Client, { game, cover }: LibraryGame): Promise<Cover> {
  if (cover !== "picture") return { picture: null };
  const reply = await client.open(getCover, { params: { game }, query: {} }).catch(() => undefined);
  return { picture: reply === undefined ? null : toBase64(new Uint8Array(await reply.arrayBuffer())) };
}

export function useLibraryCommands() {
  const client = useClient();
  const refetchGames = useRefetchGames();
  const { message: done, show, dismiss: forget } = useToast();
  const sayAdded = useCallback(
    (game: LibraryGame) =>
      show(t("{{game}} was added. Kit records it while it runs.", { game: libraryGameName(game) })),
    [show],
  );
  const commands = useMemo((): LibraryCommands => {
    const take = async (step: () => Promise<Step>): Promise<void> => {
      try {
        const { says, undo } = await step();
        const back = () => take(() => (undo ?? Promise.resolve)().then(() => ({ says: t("Undone.") })));
        show(says, undo && (() => void back().catch((error: Error) => show(error.message))));
      } finally {
        await refetchGames();
      }
    };
    const put = (game: string, change: Change) => client.call(changeLibraryGame, { body: { game, ...change } });
    const start = async ({ game }: LibraryGame) => void (await client.call(playGame, { params: { game } }));
    const started = (game: LibraryGame) => ({ says: t("{{game}} was started.", { game: libraryGameName(game) }) });
    const turn = (game: string, switches: SwitchChange) => client.call(registerGame, { body: { game, switches } });
    return {
      play: (game) =>
        take(async () => {
          await start(game);
          return started(game);
        }),
      agreeAndPlay: (game, command) =>
        take(async () => {
          await put(game.game, { command });
          await start(game);
          return started(game);
        }),
      change: (game, change) =>
        take(async () => {
          const before: Change = {
            name: game.named ? game.name : null,
            command: game.commandFrom === "person" ? game.command : null,
          };
          await put(game.game, change);
          return { says: t("Saved."), undo: () => put(game.game, before) };
        }),
      cover: (game, cover) =>
        take(async () => {
          const before = await coverNow(client, game);
          await client.call(setCover, { params: { game: game.game }, body: cover });
          const undo = () => client.call(setCover, { params: { game: game.game }, body: before });
          return { says: cover.picture === null ? t("The cover was removed.") : t("The cover was changed."), undo };
        }),
      turn: (game, change) =>
        take(async () => {
          await turn(game.game, change);
          return { says: t("Changed."), undo: () => turn(game.game, game.switches) };
        }),
    };
  }, [client, refetchGames, show]);
  return { commands, done, forget, sayAdded };
}
