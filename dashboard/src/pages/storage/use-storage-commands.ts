// What a person does with what is kept.
import {
  deleteAside,
  deleteBackup,
  makeBackup,
  restoreAside,
  restoreBackup,
  undoWipe,
  wipeAll,
  wipeGame,
} from "@kit/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useClient } from "../../api/session-context.ts";

/** What begins the launcher anew: it says the name under which it sets aside what is there. */
export type Reopening =
  | { readonly kind: "backup"; readonly name: string }
  | { readonly kind: "aside"; readonly name: string }
  | { readonly kind: "wipe" };

export function useStorageCommands() {
  const client = useClient();
  const queryClient = useQueryClient();
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ["keeping"] });
  return {
    make: useMutation({ mutationFn: () => client.call(makeBackup), onSettled }),
    removeBackup: useMutation({
      mutationFn: (name: string) => client.call(deleteBackup, { params: { name } }),
      onSettled,
    }),
    removeAside: useMutation({
      mutationFn: (name: string) => client.call(deleteAside, { params: { name } }),
      onSettled,
    }),
    wipe: useMutation({ mutationFn: (game: string) => client.call(wipeGame, { body: { game } }), onSettled }),
    undo: useMutation({ mutationFn: (game: string) => client.call(undoWipe, { query: { game } }), onSettled }),
  };
}

/** Not asked again by itself, and nothing else is asked for meanwhile: the launcher closes. */
export function useReopen() {
  const client = useClient();
  return useMutation({
    mutationFn: (what: Reopening) => {
      if (what.kind === "backup") return client.call(restoreBackup, { params: { name: what.name } });
      if (what.kind === "aside") return client.call(restoreAside, { params: { name: what.name } });
      return client.call(wipeAll, { body: { confirm: "wipe all" } });
    },
  });
}
