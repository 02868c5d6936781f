// The demo as the launcher tells it, and what a person does with it: play, stop, wipe, take that back.
import { demoGame, getDemo, listWipes, startDemo, stopDemo, undoWipe, wipeGame } from "@kit/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "../session/session-context.ts";

const demoKey = ["demo"];
const wipesKey = ["keeping", "wipes"];

/** Asked for now and then as well: a demo played in a terminal tells only of its events. */
const everyMs = 5_000;

export function useDemo() {
  const client = useClient();
  return useQuery({ queryKey: demoKey, queryFn: () => client.call(getDemo), refetchInterval: everyMs });
}

/** Set while all of the demo is about to be wiped. */
export function useDemoWipe() {
  const client = useClient();
  const wipes = useQuery({
    queryKey: wipesKey,
    queryFn: () => client.call(listWipes),
    refetchInterval: ({ state }) => (state.data?.wipes.length ? 1_000 : false),
  });
  return wipes.data?.wipes.find(({ game }) => game === demoGame);
}

export function useDemoActions() {
  const client = useClient();
  const queryClient = useQueryClient();
  const onSettled = () =>
    Promise.all([demoKey, wipesKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  return {
    play: useMutation({ mutationFn: () => client.call(startDemo), onSettled }),
    stop: useMutation({ mutationFn: () => client.call(stopDemo), onSettled }),
    wipe: useMutation({ mutationFn: () => client.call(wipeGame, { body: { game: demoGame } }), onSettled }),
    undo: useMutation({ mutationFn: () => client.call(undoWipe, { query: { game: demoGame } }), onSettled }),
  };
}
