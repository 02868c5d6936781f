// Where the source of a game lies, fetched once and again when it was changed here.
import { type Editor, forgetSource, listSources, setSource } from "@kit/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "../session/session-context.ts";

const queryKey = ["games", "sources"];

export function useSource(game: string) {
  const client = useClient();
  const sources = useQuery({ queryKey, queryFn: () => client.call(listSources) });
  return { isLoaded: sources.isSuccess, source: sources.data?.sources.find((source) => source.game === game) };
}

/** Null forgets it. */
export type SourceChange = { root: string; editor: Editor } | null;

export function useSourceChange(game: string, onDone: () => void) {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (change: SourceChange) => {
      if (change === null) await client.call(forgetSource, { query: { game } });
      else await client.call(setSource, { body: { game, ...change } });
    },
    onSuccess: onDone,
    // The links of the frames that are shown follow by the feed.
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}
