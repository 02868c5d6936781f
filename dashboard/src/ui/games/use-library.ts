// The library as the launcher tells it, and what a person does with a game: each step is said, with its way back.
import {
  type BodyOf,
  type Client,
  changeLibraryGame,
  type GameCommand,
  getCover,
  getIcon,
  type LibraryGame,
  listClips,
  listLibrary,
  playGame,
  registerGame,
  type SwitchChange,
  setCover,
} from "@kit/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import type { LauncherFile } from "../../api/media-pass.tsx";
import { useClient } from "../../api/session-context.ts";
import { t } from "../../language/language.ts";
import type { Done } from "../toast.tsx";
import { nameOf } from "./game-words.ts";
import { base64Of } from "./scale-picture.ts";

/** Begins with what the feed says has changed. */
const libraryKey = ["games", "library"] as const;
/** Offered as covers; more would be a gallery. */
const offeredClips = 12;

export function useLibrary() {
  const client = useClient();
  return useQuery({ queryKey: libraryKey, queryFn: () => client.call(listLibrary) });
}

/** The clips of a game whose picture may become its cover, the newest first. */
export function useCoverClips(game: string) {
  const client = useClient();
  const query = { game, state: "saved", limit: offeredClips } as const;
  return useQuery({
    queryKey: ["clips", "covers", game],
    queryFn: async () => (await client.call(listClips, { query })).clips.filter(({ poster }) => poster),
  });
}

export const coverOf = ({ game, coverVersion: v }: LibraryGame): LauncherFile => ({
  operation: getCover,
  params: { game },
  query: { v },
});

export const iconOf = ({ game, icon }: LibraryGame): LauncherFile => ({
  operation: getIcon,
  params: { game },
  query: icon === null ? {} : { v: icon },
});

type Cover = BodyOf<typeof setCover>;
type Change = { name?: string | null; command?: GameCommand | null };
type Step = { readonly says: string; readonly undo?: () => Promise<unknown> };

export type LibraryCommands = {
  /** All reject with what the launcher refused; nothing was changed then. */
  readonly play: (game: LibraryGame) => Promise<void>;
  /** Plays it as shown, which is how it is started from then on. */
  readonly agreeAndPlay: (game: LibraryGame, command: GameCommand) => Promise<void>;
  readonly change: (game: LibraryGame, change: Change) => Promise<void>;
  readonly cover: (game: LibraryGame, cover: Cover) => Promise<void>;
  readonly turn: (game: LibraryGame, switches: SwitchChange) => Promise<void>;
};

/** The picture that is there now, to bring it back. */
async function coverNow(client: Client, { game, cover }: LibraryGame): Promise<Cover> {
  if (cover !== "picture") return { picture: null };
  const reply = await client.open(getCover, { params: { game }, query: {} }).catch(() => undefined);
  return { picture: reply === undefined ? null : base64Of(new Uint8Array(await reply.arrayBuffer())) };
}

export function useLibraryCommands() {
  const client = useClient();
  const queryClient = useQueryClient();
  const [done, setDone] = useState<Done>();
  const count = useRef(0);
  const forget = useCallback(() => setDone(undefined), []);
  const doing = useMemo((): LibraryCommands => {
    const say = (says: string, undo?: () => void) => {
      count.current += 1;
      setDone({ number: count.current, says, ...(undo && { undo }) });
    };
    const take = async (step: () => Promise<Step>): Promise<void> => {
      try {
        const { says, undo } = await step();
        const back = () => take(() => (undo ?? Promise.resolve)().then(() => ({ says: t("Taken back.") })));
        say(says, undo && (() => void back().catch((error: Error) => say(error.message))));
      } finally {
        await queryClient.invalidateQueries({ queryKey: ["games"] });
      }
    };
    const put = (game: string, change: Change) => client.call(changeLibraryGame, { body: { game, ...change } });
    const start = async ({ game }: LibraryGame) => void (await client.call(playGame, { params: { game } }));
    const started = (game: LibraryGame) => ({ says: t("{{game}} was started.", { game: nameOf(game) }) });
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
          return { says: t("Kept."), undo: () => put(game.game, before) };
        }),
      cover: (game, cover) =>
        take(async () => {
          const before = await coverNow(client, game);
          await client.call(setCover, { params: { game: game.game }, body: cover });
          const undo = () => client.call(setCover, { params: { game: game.game }, body: before });
          return { says: cover.picture === null ? t("The cover was taken away.") : t("It has a new cover."), undo };
        }),
      turn: (game, change) =>
        take(async () => {
          await turn(game.game, change);
          return { says: t("Switched."), undo: () => turn(game.game, game.switches) };
        }),
    };
  }, [client, queryClient]);
  return { doing, done, forget };
}
